// SPDX-License-Identifier: BSD-3-Clause
// Progress callbacks that throw or fork: the call ends with a status or goes on, and no thread is lost.
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <stdexcept>

#include <sys/wait.h>
#include <unistd.h>

#include "support/c_handles.hpp"

namespace nwgpu::test {
namespace {

std::string letters(std::size_t n, unsigned seed)
{
    std::string text;
    for (; text.size() < n; seed = seed * 1664525 + 1013904223)
        text += "ACGT"[seed >> 30];
    return text;
}

class Callback : public testing::TestWithParam<int> {
protected:
    Context context_ = make_context(cpu_options(GetParam()));
    // Grow until a call takes long enough for several reports, on this machine.
    Sequences query_{nullptr}, target_{nullptr};
    // A pair after the other, each for one thread.
    Sequences queries_{nullptr}, targets_{nullptr};
    Sequences const reads_ = make_sequences(context_, {"GAAC", "ACGT"});

    void SetUp() override
    {
        for (std::size_t size = 60'000; size == 60'000 || seconds_of_call(false) < 0.15; size *= 2) {
            query_ = make_sequences(context_, {letters(size, 1)});
            target_ = make_sequences(context_, {letters(size, 2)});
        }
        for (std::size_t pairs = 1000; pairs == 1000 || seconds_of_call(true) < 0.15; pairs *= 2) {
            queries_ = make_sequences(context_, std::vector<std::string>(pairs, letters(3000, 3)));
            targets_ = make_sequences(context_, std::vector<std::string>(pairs, letters(3000, 4)));
        }
    }
    double seconds_of_call(bool batch)
    {
        auto const begin = std::chrono::steady_clock::now();
        EXPECT_EQ(align(batch, nullptr), NWGPU_OK);
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    }

    nwgpu_status align(bool batch, std::int32_t (*progress)(void *, std::uint64_t, std::uint64_t),
                       void * user = nullptr)
    {
        nwgpu_align_options options = align_options(NWGPU_OUTPUT_SCORE);
        nwgpu_control control = NWGPU_CONTROL_INIT;
        control.progress = progress;
        control.progress_user = user;
        options.control = &control;
        nwgpu_scoring const scoring = dna_scoring();
        nwgpu_result * made = nullptr;
        nwgpu_status const status =
            nwgpu_align(context_.get(), batch ? queries_.get() : query_.get(), batch ? targets_.get() : target_.get(),
                        nullptr, 0, &scoring, &options, &made, &error_);
        result_ = Result{made};
        return status;
    }
    void expect_context_works() { EXPECT_EQ(cigar(nwgpu::test::align(context_, reads_, reads_), 1), "4="); }

    nwgpu_error error_ = NWGPU_ERROR_INIT;
    Result result_{nullptr};
};

std::ptrdiff_t threads_of_process()
{
    return std::distance(std::filesystem::directory_iterator{"/proc/self/task"}, std::filesystem::directory_iterator{});
}

TEST_P(Callback, WhatItThrowsIsAStatus)
{
    std::ptrdiff_t const threads = threads_of_process();
    for (bool const batch : {false, true})
        for (int round = 0; round < 3; ++round) {
            EXPECT_EQ(align(batch, [](void *, auto, auto) -> std::int32_t { throw std::runtime_error{"no more"}; }),
                      NWGPU_ERROR_CALLBACK);
            EXPECT_STREQ(error_.message, "the progress function threw: no more");
            EXPECT_EQ(align(batch, [](void *, auto, auto) -> std::int32_t { throw 3; }), NWGPU_ERROR_CALLBACK);
            EXPECT_EQ(result_.get(), nullptr);
            expect_context_works();
        }
    EXPECT_EQ(threads_of_process(), threads);
}

TEST_P(Callback, MayForkAChildThatEnds)
{
    for (bool const batch : {false, true}) {
        ASSERT_EQ(align(batch, nullptr), NWGPU_OK);
        std::int64_t const score = nwgpu_result_scores(result_.get())[0];
        int children = 0;
        EXPECT_EQ(align(
                      batch,
                      [](void * user, auto, auto) -> std::int32_t {
                          pid_t const child = fork();
                          if (child == 0)
                              _exit(7);
                          int status = 0;
                          bool const well =
                              waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 7;
                          ++*static_cast<int *>(user);
                          return well ? 0 : 1;
                      },
                      &children),
                  NWGPU_OK);
        EXPECT_GT(children, 0);
        EXPECT_EQ(nwgpu_result_scores(result_.get())[0], score);
    }
    expect_context_works();
}

INSTANTIATE_TEST_SUITE_P(Threads, Callback, testing::Values(1, 2, 4), testing::PrintToStringParamName());

} // namespace
} // namespace nwgpu::test
