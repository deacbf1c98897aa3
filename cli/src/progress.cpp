// SPDX-License-Identifier: BSD-3-Clause
// Messages carry the program's name; the bar is one line that is rewritten at most ten times a second.
#include "progress.hpp"

#include "failure.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace cli {

namespace {

constexpr int bar_width = 30;

std::string time_text(double seconds)
{
    auto const all = static_cast<long long>(std::min(seconds, 1e12));
    char buffer[48];
    std::snprintf(buffer, sizeof buffer, "%lld:%02lld:%02lld", all / 3600, all / 60 % 60, all % 60);
    return buffer;
}

} // namespace

Progress::Progress(ReportOptions const & options) :
    verbose_(options.verbose), quiet_(options.quiet), terminal_(!options.quiet && isatty(STDERR_FILENO) == 1)
{}

void Progress::warning(std::string const & message)
{
    if (!quiet_)
        tell("warning: " + message);
}

void Progress::note(std::string const & message)
{
    if (!quiet_)
        tell("note: " + message);
}

void Progress::detail(std::string const & message)
{
    if (verbose_)
        tell(message);
}

void Progress::tell(std::string const & message)
{
    std::scoped_lock const lock(writing_);
    clear_bar();
    std::fprintf(stderr, "nwgpu: %s\n", printable(message).c_str());
}

double Progress::seconds_since(Clock::time_point begin)
{
    return std::chrono::duration<double>(Clock::now() - begin).count();
}

void Progress::begin_batch(double from, double to)
{
    from_ = from;
    to_ = to;
    batch_start_ = Clock::now();
}

void Progress::update(std::uint64_t done, std::uint64_t total)
{
    if (!terminal_ || seconds_since(last_shown_) < 0.1)
        return;
    last_shown_ = Clock::now();
    std::scoped_lock const lock(writing_);
    double const elapsed = seconds_since(start_);
    double const speed = static_cast<double>(cells_ + done) / std::max(aligning_ + seconds_since(batch_start_), 1e-9);
    std::fprintf(stderr, "\r\033[K%.2f Gcells/s", speed / 1e9);
    if (from_ >= 0 && to_ >= 0 && total > 0) {
        double const share = from_ + (to_ - from_) * static_cast<double>(done) / static_cast<double>(total);
        int const filled = static_cast<int>(share * bar_width);
        std::fprintf(stderr, "  [%.*s%*s] %3.0f %%  ETA %s", filled,
                     "==============================", bar_width - filled, "", 100 * share,
                     share > 0 ? time_text(elapsed * (1 - share) / share).c_str() : "?");
    }
    std::fflush(stderr);
    bar_shown_ = true;
}

void Progress::end_batch(std::uint64_t cells)
{
    cells_ += cells;
    aligning_ += seconds_since(batch_start_);
}

void Progress::count_batch(std::uint64_t cells, double to)
{
    update(cells, cells);
    end_batch(cells);
    begin_batch(to, to);
}

void Progress::clear_bar()
{
    if (bar_shown_)
        std::fputs("\r\033[K", stderr);
    bar_shown_ = false;
}

void Progress::summary(std::uint64_t rows, std::string const & backend)
{
    double const elapsed = std::max(seconds_since(start_), 1e-9);
    char numbers[160];
    std::snprintf(numbers, sizeof numbers, "%.3g cells, %.3f s, %.0f %% of it aligning, %.2f Gcells/s",
                  static_cast<double>(cells_), elapsed, 100 * aligning_ / elapsed,
                  static_cast<double>(cells_) / std::max(aligning_, 1e-9) / 1e9);
    detail(std::to_string(rows) + " alignments on " + backend + ": " + numbers);
    if (expected_ > 0) {
        std::snprintf(numbers, sizeof numbers, "aligning took %.3f s, predicted were %.3f s (%+.0f %%)", aligning_,
                      expected_, 100 * (expected_ / std::max(aligning_, 1e-9) - 1));
        detail(numbers);
    }
}

} // namespace cli
