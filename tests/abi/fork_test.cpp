// SPDX-License-Identifier: BSD-3-Clause
// fork() after the library has used several threads: contexts of the parent and new ones work in the child.
#include <gtest/gtest.h>

#include <functional>

#include <sys/wait.h>
#include <unistd.h>

#include "support/c_handles.hpp"

namespace nwgpu::test {
namespace {

class Fork : public testing::Test {
protected:
    Context context_ = make_context(cpu_options(3));
    Sequences const queries_ = make_sequences(context_, std::vector<std::string>(50, "GAAC"));
    Sequences const targets_ = make_sequences(context_, {"GAAAAC"});
    Result const before_ = align_all(context_); // starts the threads

    Result align_all(Context & context) const
    {
        nwgpu_align_options options = align_options();
        options.pairing = NWGPU_PAIRING_ALL;
        return align(context, queries_, targets_, options);
    }
    bool works(Context & context) const { return cigar(align_all(context), 49) == "1=2D3="; }

    // A child that waits for threads which do not exist is ended by the alarm.
    void expect_in_child(std::function<bool()> const & body)
    {
        pid_t const child = fork();
        if (child == 0) {
            alarm(30);
            _exit(body() ? 0 : 1);
        }
        int status = 0;
        ASSERT_EQ(waitpid(child, &status, 0), child);
        EXPECT_EQ(status, 0);
        EXPECT_TRUE(works(context_)) << "the parent goes on";
    }
};

TEST_F(Fork, ContextOfTheParentWorks)
{
    expect_in_child([&] { return works(context_); });
}

TEST_F(Fork, NewContextWorks)
{
    expect_in_child([&] { return works(*std::make_unique<Context>(cpu_options(3))); });
}

TEST_F(Fork, ResultsOfTheParentAreReadable)
{
    expect_in_child([&] { return cigar(before_, 7) == "1=2D3="; });
}

TEST_F(Fork, ChildrenOfChildrenWork)
{
    expect_in_child([&] {
        if (!works(context_))
            return false;
        pid_t const child = fork();
        if (child == 0)
            _exit(works(context_) ? 0 : 1);
        int status = 0;
        return waitpid(child, &status, 0) == child && status == 0;
    });
}

} // namespace
} // namespace nwgpu::test
