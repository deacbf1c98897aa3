// SPDX-License-Identifier: BSD-3-Clause
// Everything the command says on standard error: messages, and a progress bar when it is a terminal.
#pragma once

#include "options.hpp"

#include <chrono>
#include <cstdint>
#include <mutex>
#include <string>

namespace cli {

class Progress {
public:
    explicit Progress(ReportOptions const & options);
    ~Progress() { clear_bar(); }
    Progress(Progress const &) = delete;
    Progress & operator=(Progress const &) = delete;

    // From any thread; the other members from one.
    void warning(std::string const & message); // unless --quiet
    void note(std::string const & message);    // the same, of what may well be meant
    void detail(std::string const & message);  // with --verbose
    bool verbose() const { return verbose_; }

    // One batch is aligned between begin_batch and end_batch; from and to are the shares of the whole input done
    // before and after it, negative when unknown.
    void begin_batch(double from, double to);
    void expect(double seconds) { expected_ += seconds; } // that the library predicts for the batch
    void update(std::uint64_t done, std::uint64_t total); // cells of the batch
    void end_batch(std::uint64_t cells);
    // Where several batches are aligned at the same time: one has ended, and `to` is the share behind it.
    void count_batch(std::uint64_t cells, double to);

    // With --verbose: rows, cells, speed, the share of the time that went into aligning, and how far it was from the
    // prediction.
    void summary(std::uint64_t rows, std::string const & backend);

private:
    using Clock = std::chrono::steady_clock;
    static double seconds_since(Clock::time_point begin);
    void tell(std::string const & message);
    void clear_bar();

    bool verbose_, quiet_, terminal_;
    std::mutex writing_; // guards standard error and bar_shown_
    bool bar_shown_ = false;
    double from_ = -1, to_ = -1;
    std::uint64_t cells_ = 0;
    double aligning_ = 0, expected_ = 0; // seconds
    Clock::time_point start_ = Clock::now(), batch_start_ = start_, last_shown_ = start_;
};

} // namespace cli
