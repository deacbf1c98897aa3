// SPDX-License-Identifier: BSD-3-Clause
// The caller's log function is called on the calling thread alone: what other threads have to say waits for it.
#pragma once

#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace nwgpu {

enum class LogLevel : std::int32_t { info = 0, warning = 1 };

class CallerLog {
public:
    using Function = std::function<void(LogLevel, std::string const &)>;

    // Made on the calling thread; `log` may be empty.
    explicit CallerLog(Function log) : log_{std::move(log)}, caller_{std::this_thread::get_id()} {}

    // On any thread; throws what the function throws.
    void operator()(LogLevel level, std::string const & text)
    {
        {
            std::lock_guard const lock{mutex_};
            if (std::this_thread::get_id() != caller_)
                return waiting_.push_back({level, text});
        }
        if (log_)
            log_(level, text);
    }
    // A call begins on this thread.
    void begin()
    {
        std::lock_guard const lock{mutex_};
        caller_ = std::this_thread::get_id();
    }
    // On the calling thread: what waits.
    void flush()
    {
        std::vector<Message> messages;
        {
            std::lock_guard const lock{mutex_};
            messages.swap(waiting_);
        }
        for (auto const & [level, text] : messages)
            if (log_)
                log_(level, text);
    }

private:
    struct Message {
        LogLevel level;
        std::string text;
    };

    Function const log_;
    std::mutex mutex_; // of what follows
    std::thread::id caller_;
    std::vector<Message> waiting_;
};

} // namespace nwgpu
