// SPDX-License-Identifier: BSD-3-Clause
// How a call is watched and ended: progress, cancel from another thread, deadline, callbacks that throw; and one call
// at a time on a context.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <functional>
#include <thread>

#include "support/c_handles.hpp"

namespace nwgpu::test {
namespace {

class CapiControl : public testing::Test {
protected:
    Context context_ = make_context();
    std::pair<std::string, std::string> const letters_ = unrelated_letters(200'000);
    Sequences const queries_ = make_sequences(context_, {letters_.first});
    Sequences const targets_ = make_sequences(context_, {letters_.second});
    nwgpu_error error_ = NWGPU_ERROR_INIT;

    nwgpu_status align_long(nwgpu_control const & control)
    {
        nwgpu_align_options options = align_options();
        options.control = &control;
        return align_status(context_, queries_, targets_, options, dna_scoring(), &error_);
    }
    // A call whose first report calls `body` on this thread and goes on or ends as that says.
    nwgpu_status align_with(std::function<int32_t()> const & body)
    {
        nwgpu_control control = NWGPU_CONTROL_INIT;
        control.progress_user = const_cast<std::function<int32_t()> *>(&body);
        control.progress = [](void * user, uint64_t done, uint64_t total) -> int32_t {
            EXPECT_LE(done, total);
            return (*static_cast<std::function<int32_t()> *>(user))();
        };
        return align_long(control);
    }
    void expect_usable()
    {
        Sequences const short_one = make_sequences(context_, {"ACGT"});
        EXPECT_EQ(cigar(align(context_, short_one, short_one)), "4=");
    }
};

TEST_F(CapiControl, ProgressEndsTheCall)
{
    int calls = 0;
    EXPECT_EQ(align_with([&] { return ++calls; }), NWGPU_ERROR_CANCELLED);
    EXPECT_EQ(calls, 1);
    EXPECT_STREQ(error_.message, "the progress function ended the call");
    expect_usable();
}

TEST_F(CapiControl, CancelFromAnotherThread)
{
    std::atomic<bool> ended{false};
    std::thread other{[&] {
        while (!ended) // it may be early: as nwgpu.h says, again until the call has returned
            context_.cancel(), std::this_thread::sleep_for(std::chrono::milliseconds{1});
    }};
    nwgpu_control const unwatched = NWGPU_CONTROL_INIT;
    EXPECT_EQ(align_long(unwatched), NWGPU_ERROR_CANCELLED);
    ended = true;
    other.join();
    EXPECT_STREQ(error_.message, "nwgpu_context_cancel ended the call");
    expect_usable();
}

// Where no call runs there is nothing to cancel: the next one is not touched.
TEST_F(CapiControl, CancelBetweenCallsDoesNothing)
{
    context_.cancel();
    expect_usable();
    nwgpu_context_cancel(nullptr);
}

Context * cancelled_by_signal = nullptr;

TEST_F(CapiControl, CancelInASignalHandler)
{
    cancelled_by_signal = &context_;
    auto const before = std::signal(SIGUSR1, [](int) { cancelled_by_signal->cancel(); });
    EXPECT_EQ(align_with([] { return std::raise(SIGUSR1); }), NWGPU_ERROR_CANCELLED);
    std::signal(SIGUSR1, before);
}

TEST_F(CapiControl, DeadlinesHaveTheirOwnStatus)
{
    nwgpu_control control = NWGPU_CONTROL_INIT;
    control.deadline_seconds = 0.02;
    auto const begin = std::chrono::steady_clock::now();
    EXPECT_EQ(align_long(control), NWGPU_ERROR_DEADLINE);
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds{20});
    EXPECT_EQ(std::string{error_.message}.substr(0, 12), "the deadline");
    for (double const wrong : {-1.0, -1e-300, std::numeric_limits<double>::quiet_NaN()}) {
        control.deadline_seconds = wrong;
        EXPECT_EQ(align_long(control), NWGPU_ERROR_INVALID_ARGUMENT) << wrong;
    }
    expect_usable();
}

TEST_F(CapiControl, ExceptionsOfCallbacksEndTheCall)
{
    EXPECT_EQ(align_with([]() -> int32_t { throw std::runtime_error{"disk full"}; }), NWGPU_ERROR_CALLBACK);
    EXPECT_STREQ(error_.message, "the progress function threw: disk full");
    EXPECT_EQ(align_with([]() -> int32_t { throw 7; }), NWGPU_ERROR_CALLBACK);
    expect_usable();

    // AUTO says in the log which backend it takes where there is no GPU.
    if (nwgpu_device_count(NWGPU_BACKEND_CUDA) > 0)
        GTEST_SKIP() << "with a GPU there is nothing to log here";
    nwgpu_context_options options = NWGPU_CONTEXT_OPTIONS_INIT;
    options.log = [](void *, int32_t, char const *) { throw 7; };
    nwgpu_context * context = nullptr;
    EXPECT_EQ(nwgpu_context_create(&options, &context, &error_), NWGPU_ERROR_CALLBACK);
    EXPECT_EQ(context, nullptr);
}

// Every function that uses a context, called from a callback of a call on it.
TEST_F(CapiControl, OneCallAtATime)
{
    nwgpu_align_options const options = align_options();
    nwgpu_scoring const scoring = dna_scoring();
    Result const result = align(context_, make_sequences(context_, {"A"}), make_sequences(context_, {"A"}));
    EXPECT_EQ(align_with([&] {
                  nwgpu_error error = NWGPU_ERROR_INIT;
                  nwgpu_result * other = nullptr;
                  nwgpu_estimate estimate = NWGPU_ESTIMATE_INIT;
                  EXPECT_EQ(align_status(context_, queries_, targets_, options, scoring, &error), NWGPU_ERROR_BUSY);
                  EXPECT_STREQ(error.message, "another call is running on this context");
                  EXPECT_EQ(nwgpu_align_estimate(context_.get(), queries_.get(), targets_.get(), nullptr, 0, &scoring,
                                                 &options, &estimate, nullptr),
                            NWGPU_ERROR_BUSY);
                  EXPECT_EQ(nwgpu_traceback(context_.get(), queries_.get(), targets_.get(), result.get(), nullptr, 0,
                                            nullptr, &other, nullptr),
                            NWGPU_ERROR_BUSY);
                  EXPECT_EQ(nwgpu_context_trim(context_.get(), nullptr), NWGPU_ERROR_BUSY);
                  EXPECT_EQ(nwgpu_context_set_algorithm(context_.get(), nullptr, nullptr), NWGPU_ERROR_BUSY);
                  EXPECT_EQ(make_sequences(context_, {"A"}).count(), 1u) << "no call: always possible";
                  return 1;
              }),
              NWGPU_ERROR_CANCELLED);
    expect_usable();
}

// From many threads at once: each call is made wholly or refused.
TEST_F(CapiControl, ThreadsOnOneContext)
{
    Sequences const sequences = make_sequences(context_, std::vector<std::string>(200, "GATTACAGATTACA"));
    std::atomic<int> made{0}, busy{0}, other{0};
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t)
        threads.emplace_back([&] {
            for (int round = 0; round < 50; ++round) {
                nwgpu_status const status = align_status(context_, sequences, sequences, align_options());
                ++(status == NWGPU_OK ? made : status == NWGPU_ERROR_BUSY ? busy : other);
            }
        });
    for (std::thread & thread : threads)
        thread.join();
    EXPECT_EQ(other, 0);
    EXPECT_EQ(made + busy, 200);
    EXPECT_GT(made, 0);
}

} // namespace
} // namespace nwgpu::test
