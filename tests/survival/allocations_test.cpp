// SPDX-License-Identifier: BSD-3-Clause
// Memory ends at every allocation of every kind of call (where a call has hundreds, in thorough runs), once and for
// good, with 1, 2 and 4 threads: each call returns a status, gives right answers or none, loses no memory, and the
// context goes on.
#include <gtest/gtest.h>

#include "calls.hpp"
#include "faults.hpp"
#include "support/folder.hpp"
#include "support/random.hpp"

namespace nwgpu::test {
namespace {

std::vector<std::unique_ptr<Call>> const & calls()
{
    static TemporaryFolder const folder;
    static std::vector<std::unique_ptr<Call>> const made = all_calls(folder / "checkpoint");
    return made;
}

using Case = std::tuple<std::size_t, int>; // call, threads

class Allocations : public testing::TestWithParam<Case> {
protected:
    Call & call_ = *calls()[std::get<0>(GetParam())];
    int const threads_ = std::get<1>(GetParam());

    std::vector<std::string> right_answer()
    {
        Context context = make_context(cpu_options(threads_));
        EXPECT_EQ(call_.run(context.get()), NWGPU_OK);
        std::vector<std::string> answer = call_.answer();
        call_.clear();
        return answer;
    }

    // With a fault at allocation n; returns whether there was one.
    bool survives(long n, bool and_later, std::vector<std::string> const & expected)
    {
        SCOPED_TRACE("allocation " + std::to_string(n) + (and_later ? " and all later ones" : " alone"));
        Context context = make_context(cpu_options(threads_));
        faults::fail_allocation(n, and_later);
        nwgpu_status const status = call_.run(context.get());
        bool const faulted = faults::end();
        if (status == NWGPU_OK) {
            std::vector<std::string> const answer = call_.answer();
            EXPECT_EQ(answer.size(), expected.size());
            for (std::size_t p = 0; p < std::min(answer.size(), expected.size()); ++p)
                if (!faulted || answer[p] != nwgpu_status_name(NWGPU_ERROR_OUT_OF_HOST_MEMORY)) {
                    EXPECT_EQ(answer[p], expected[p]) << "pair " << p;
                }
        } else {
            EXPECT_TRUE(faulted);
            EXPECT_EQ(status, NWGPU_ERROR_OUT_OF_HOST_MEMORY) << nwgpu_status_name(status);
        }
        call_.clear();
        EXPECT_EQ(call_.run(context.get()), NWGPU_OK) << "the next call of the same context";
        EXPECT_EQ(call_.answer(), expected) << "the next call of the same context";
        call_.clear();
        return faulted;
    }
};

// The allocation after n that is tried next.  Far behind the first ones, what pairs allocate comes again and again:
// some are left out, in steps of all sizes, which no period can keep up with.
long next(long n)
{
    constexpr long all_of = 330, largest_step = 9;
    return n < all_of || is_thorough() ? n + 1 : n + 1 + n / largest_step % largest_step;
}

TEST_P(Allocations, EachMayFail)
{
    std::vector<std::string> const expected = right_answer();
    long before = 0, most = 0;
    for (bool const and_later : {false, true})
        // With several threads the number of allocations changes from call to call.
        for (long n = 1, without = 0; without < (threads_ == 1 ? 1 : 3) && !HasFailure(); n = next(n)) {
            without = survives(n, and_later, expected) ? 0 : without + 1;
            if (n == 8)
                before = faults::blocks();
            if (n > 8)
                most = std::max(most, faults::blocks());
        }
    // The system keeps some blocks of threads that have ended.
    EXPECT_LE(most, before + (threads_ == 1 ? 0 : 32)) << "blocks of memory are lost";
}

std::vector<std::size_t> indices()
{
    std::vector<std::size_t> all(calls().size());
    for (std::size_t k = 0; k < all.size(); ++k)
        all[k] = k;
    return all;
}

INSTANTIATE_TEST_SUITE_P(All, Allocations, testing::Combine(testing::ValuesIn(indices()), testing::Values(1, 2, 4)),
                         [](testing::TestParamInfo<Case> const & info) {
                             return calls()[std::get<0>(info.param)]->name() + "_t" +
                                    std::to_string(std::get<1>(info.param));
                         });

} // namespace
} // namespace nwgpu::test
