// SPDX-License-Identifier: BSD-3-Clause
// What the system refuses: threads, address space, files.
#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <set>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "calls.hpp"
#include "faults.hpp"
#include "support/folder.hpp"

namespace nwgpu::test {
namespace {

class Limits : public testing::Test {
protected:
    TemporaryFolder const folder_{};
    std::vector<std::unique_ptr<Call>> const calls_ = all_calls(folder_ / "checkpoint");

    // With nothing short.
    std::vector<std::string> answer(Call & call, Context const & context)
    {
        EXPECT_EQ(call.run(context.get()), NWGPU_OK) << call.name();
        std::vector<std::string> const lines = call.answer();
        call.clear();
        return lines;
    }

    // Calls while something is short, which ends with `give`: the answer is right, or one of `statuses`, of the call or
    // of pairs.
    void expect_survives(Call & call, Context const & context, std::vector<std::string> const & expected,
                         std::set<nwgpu_status> const & statuses, std::function<void()> const & take,
                         std::function<void()> const & give)
    {
        take();
        nwgpu_status const status = call.run(context.get());
        give();
        if (status == NWGPU_OK) {
            std::vector<std::string> const found = call.answer();
            ASSERT_EQ(found.size(), expected.size());
            for (std::size_t p = 0; p < found.size(); ++p)
                if (found[p] != nwgpu_status_name(NWGPU_ERROR_OUT_OF_HOST_MEMORY) ||
                    !statuses.contains(NWGPU_ERROR_OUT_OF_HOST_MEMORY)) {
                    EXPECT_EQ(found[p], expected[p]) << "pair " << p;
                }
        } else {
            EXPECT_TRUE(statuses.contains(status)) << nwgpu_status_name(status);
        }
        call.clear();
        EXPECT_EQ(answer(call, context), expected) << "the next call";
    }
};

// Limits that only a new process can have.
void in_child(std::function<void()> const & body)
{
    std::fflush(nullptr);
    pid_t const child = fork();
    if (child == 0) {
        alarm(200);
        body();
        std::fflush(nullptr);
        _exit(testing::Test::HasFailure() ? 1 : 0);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status)) << "killed by signal " << WTERMSIG(status);
    EXPECT_EQ(WEXITSTATUS(status), 0);
}

void set_limit(int what, rlim_t soft)
{
    rlimit limit{};
    ASSERT_EQ(getrlimit(static_cast<__rlimit_resource>(what), &limit), 0);
    limit.rlim_cur = std::min(soft, limit.rlim_max);
    ASSERT_EQ(setrlimit(static_cast<__rlimit_resource>(what), &limit), 0);
}

rlim_t address_space()
{
    rlim_t pages = 0;
    std::ifstream{"/proc/self/statm"} >> pages;
    return pages * static_cast<rlim_t>(sysconf(_SC_PAGESIZE));
}

TEST_F(Limits, ThreadsThatCannotBeStarted)
{
    for (auto const & call : calls_) {
        SCOPED_TRACE(call->name());
        std::vector<std::string> const expected = answer(*call, make_context(cpu_options(4)));
        for (long const allowed : {0, 1, 2}) {
            SCOPED_TRACE(std::to_string(allowed) + " threads can be started");
            expect_survives(
                *call, make_context(cpu_options(4)), expected, {}, [&] { faults::allow_threads(allowed); },
                [] { faults::end(); });
        }
    }
}

TEST_F(Limits, AddressSpace)
{
    for (int const threads : {1, 2, 4})
        for (auto const & call : calls_) {
            SCOPED_TRACE(call->name() + " with " + std::to_string(threads) + " threads");
            in_child([&] {
                std::vector<std::string> const expected = answer(*call, make_context(cpu_options(threads)));
                for (rlim_t const more : {0, 100, 400, 1000, 3000, 10'000, 64'000}) {
                    SCOPED_TRACE(std::to_string(more) + " KiB more than there are");
                    expect_survives(
                        *call, make_context(cpu_options(threads)), expected, {NWGPU_ERROR_OUT_OF_HOST_MEMORY},
                        [&] { set_limit(RLIMIT_AS, address_space() + 1024 * more); },
                        [] { set_limit(RLIMIT_AS, RLIM_INFINITY); });
                }
            });
        }
}

TEST_F(Limits, OpenFiles)
{
    for (auto const & call : calls_) {
        SCOPED_TRACE(call->name());
        bool const keeps_files = call->name() == "Checkpoint";
        in_child([&] {
            std::vector<std::string> const expected = answer(*call, make_context(cpu_options(2)));
            for (int const free : {0, 1, 2, 3, 4}) {
                SCOPED_TRACE(std::to_string(free) + " files may be opened");
                auto const take = [&] {
                    int const lowest = dup(0); // descriptors below the lowest free one are all in use
                    close(lowest);
                    set_limit(RLIMIT_NOFILE, static_cast<rlim_t>(lowest + free));
                };
                expect_survives(*call, make_context(cpu_options(2)), expected,
                                keeps_files ? std::set<nwgpu_status>{NWGPU_ERROR_CHECKPOINT} : std::set<nwgpu_status>{},
                                take, [] { set_limit(RLIMIT_NOFILE, RLIM_INFINITY); });
            }
        });
    }
}

} // namespace
} // namespace nwgpu::test
