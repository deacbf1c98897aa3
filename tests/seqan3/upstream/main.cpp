// SPDX-License-Identifier: BSD-3-Clause
// Runs the tests of one file and prints how many passed; one that never called the adapter has not.
#include <gtest/gtest.h>

#include <cstddef>
#include <iostream>

#include <seqan3/alignment/pairwise/align_pairwise.hpp>

namespace {

class CallCounter : public ::testing::EmptyTestEventListener {
public:
    std::size_t passed = 0;

private:
    void OnTestStart(::testing::TestInfo const &) override { calls_ = nwgpu::test::adapter_calls; }
    void OnTestEnd(::testing::TestInfo const & test) override
    {
        bool const called = nwgpu::test::adapter_calls > calls_;
        if (!called && !test.result()->Skipped())
            std::cout << test.test_suite_name() << '.' << test.name() << " did not call the adapter\n";
        passed += called && test.result()->Passed();
    }

    std::size_t calls_ = 0;
};

} // namespace

int main(int argc, char ** argv)
{
    ::testing::InitGoogleTest(&argc, argv);
    auto * const counter = new CallCounter;
    ::testing::UnitTest::GetInstance()->listeners().Append(counter); // which deletes it
    int const status = RUN_ALL_TESTS();
    std::cout << "passed through the adapter: " << counter->passed << '\n';
    return status;
}
