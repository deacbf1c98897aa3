// SPDX-License-Identifier: BSD-3-Clause
#include "cuda/sweep/line_pump.hpp"

#include <algorithm>
#include <chrono>
#include <system_error>
#include <utility>

#include "base/no_signals.hpp"

namespace nwgpu::cuda {

namespace {

constexpr std::chrono::microseconds between_looks{100};
// Of the lines that go out, those of the first parts that are not complete: strips are computed in order.
constexpr std::size_t lines_at_once = 4, words_per_line = 3;

} // namespace

template <class S>
LinePump<S>::LinePump(Device & device, RowTask const & task, std::vector<Kept<S> *> tops, RowLines & lines,
                      Monitor & monitor) :
    device_{device},
    task_{task},
    tops_{std::move(tops)},
    lines_{lines},
    monitor_{monitor},
    steps_{path::MostSteps::of(task.scoring)}
{
    cudaStream_t made = nullptr;
    check(cudaStreamCreateWithFlags(&made, cudaStreamNonBlocking), "creating a stream");
    stream_.reset(made);
    prepare(device, task);
    panel_ = static_cast<Kept<S> *>(device.copy_buffer(0).grow(0));
    best_ = static_cast<S *>(device.copy_buffer(1).grow(0));
    words_ = reinterpret_cast<std::uint32_t *>(best_ + 2);
}

template <class S>
void LinePump<S>::prepare(Device & device, RowTask const & task)
{
    device.copy_buffer(0).grow(std::min(task.panel_cols, task.pair.n) * sizeof(Kept<S>));
    device.copy_buffer(1).grow(2 * sizeof(S) + (lines_at_once * words_per_line + 1) * sizeof(std::uint32_t));
}

template <class S>
LinePump<S>::~LinePump()
{
    stop();
}

template <class S>
std::uint64_t LinePump<S>::bytes(RowTask const & task)
{
    return std::min(task.panel_cols, task.pair.n) * (2 * sizeof(Kept<S>) + 2 * sizeof(RowEntry)) * task.part_count();
}

template <class S>
void LinePump<S>::begin(SweepArgs<S> const & args, std::vector<SweepJob<S>> const & jobs)
{
    args_ = args;
    for (std::size_t k = 0; k < jobs.size(); ++k) {
        SweepJob<S> const & job = jobs[k];
        if (job.top_comes)
            in_.push_back({k, tops_[k], job.first_strip - 1});
        if (!task_.is_last(k)) {
            std::uint32_t const next = k + 1 < jobs.size() ? jobs[k + 1].first_strip - jobs[k + 1].top_comes
                                                           : args.item_count + static_cast<std::uint32_t>(in_.size());
            out_.push_back({k, job.work, next - 1, 0, {}});
        }
    }
    has_begun_ = !jobs.front().top_comes;
    try {
        NoSignals const none;
        thread_ = std::thread{[this] { work(); }};
    } catch (std::system_error const &) {
        throw Error{Status::out_of_host_memory, "no thread can be started"};
    }
    // A kernel that waits would keep its multiprocessors from others of the same chip, on which it may depend.
    while (!(has_begun_ && is_ready_) && !stops_) {
        std::this_thread::sleep_for(between_looks);
        monitor_.poll(0);
        monitor_.throw_if_stopped();
    }
    if (stops_)
        end();
}

template <class S>
void LinePump<S>::end()
{
    thread_.join();
    if (!failure_)
        return;
    stop_kernel();
    std::rethrow_exception(failure_);
}

template <class S>
void LinePump<S>::stop() noexcept
{
    stops_ = true;
    if (!thread_.joinable())
        return;
    thread_.join();
    stop_kernel();
}

template <class S>
void LinePump<S>::raise_stop_flag() noexcept
{
    words_[0] = 1;
    cudaMemcpyAsync(device_.stop_flag(), words_, sizeof *words_, cudaMemcpyHostToDevice, stream_.get());
    cudaStreamSynchronize(stream_.get());
}

// A kernel that is still there would wait for lines that do not come.
template <class S>
void LinePump<S>::stop_kernel() noexcept
{
    raise_stop_flag();
    cudaStreamSynchronize(device_.stream());
    cudaMemsetAsync(device_.stop_flag(), 0, sizeof *device_.stop_flag(), device_.stream());
}

// On its own thread.
template <class S>
void LinePump<S>::work() noexcept
{
    try {
        DeviceGuard const guard{device_.index()};
        is_ready_ = true;
        try {
            carry();
        } catch (...) {
            failure_ = std::current_exception();
            raise_stop_flag(); // the kernel ends, so that the calling thread comes to end()
        }
    } catch (...) {
        failure_ = std::current_exception();
    }
    stops_ = stops_ || failure_;
}

template <class S>
void LinePump<S>::carry()
{
    while (!stops_ && (!in_.empty() || !out_.empty())) {
        bool idle = true;
        for (LineIn & line : in_)
            idle &= !carry_in(line);
        std::vector<Seen> const seen = look();
        for (std::size_t k = 0; k < seen.size(); ++k)
            idle &= !carry_out(out_[k], seen[k]);
        share_best();
        std::erase_if(in_, [&](LineIn const & line) { return line.begin == task_.pair.n; });
        std::erase_if(out_, [&](LineOut const & line) { return line.begin == task_.pair.n; });
        if (idle)
            std::this_thread::sleep_for(between_looks);
    }
}

template <class S>
template <class T>
void LinePump<S>::copy(T * to, T const * from, std::uint64_t count, cudaMemcpyKind kind) const
{
    check(cudaMemcpyAsync(to, from, count * sizeof(T), kind, stream_.get()), "carrying a line");
}
template <class S>
void LinePump<S>::wait_for_copies() const
{
    check(cudaStreamSynchronize(stream_.get()), "carrying a line");
}

// The next panel of a line, if it is there.
template <class S>
bool LinePump<S>::carry_in(LineIn & line)
{
    std::uint64_t const begin = line.begin, end = task_.panel_end(begin);
    entries_.resize(end - begin);
    if (begin == task_.pair.n || !lines_.try_receive(line.part, begin, entries_))
        return false;
    for (std::uint64_t j = begin; j < end; ++j) {
        RowEntry const & entry = entries_[j - begin];
        panel_[j - begin] = args_.code.keep(Entry<S>{static_cast<S>(entry.h), static_cast<S>(entry.gap)});
        if (entry.h != 0)
            line.end = static_cast<std::uint32_t>(j) + 1;
    }
    copy(line.top + begin, panel_, end - begin, cudaMemcpyHostToDevice);
    words_[0] = line.end;
    words_[1] = static_cast<std::uint32_t>(end);
    if (end == task_.pair.n && args_.skip.best)
        copy(args_.skip.end + line.place, words_, 1, cudaMemcpyHostToDevice);
    wait_for_copies(); // a kernel that runs need not see a stream's copies in their order
    copy(args_.progress + line.place, words_ + 1, 1, cudaMemcpyHostToDevice);
    wait_for_copies();
    line.begin = end;
    has_begun_ = true;
    return true;
}

template <class S>
auto LinePump<S>::look() -> std::vector<Seen>
{
    std::vector<Seen> seen(std::min(lines_at_once, out_.size()), Seen{0, 1, UINT32_MAX});
    for (std::size_t k = 0; k < seen.size(); ++k) {
        std::uint32_t * const words = words_ + k * words_per_line;
        copy(words, args_.progress + out_[k].place, 1, cudaMemcpyDeviceToHost);
        if (args_.skip.best) { // the end counts once the progress is complete, so it is asked for after that
            copy(words + 1, args_.skip.begin + out_[k].place, 1, cudaMemcpyDeviceToHost);
            copy(words + 2, args_.skip.end + out_[k].place, 1, cudaMemcpyDeviceToHost);
        }
    }
    if (args_.skip.best)
        copy(best_, args_.skip.best, 1, cudaMemcpyDeviceToHost);
    wait_for_copies();
    for (std::size_t k = 0; k < seen.size(); ++k) {
        std::uint32_t const * const words = words_ + k * words_per_line;
        seen[k].progress = words[0];
        if (args_.skip.best) {
            seen[k].begin = words[1];
            seen[k].end = words[0] == task_.pair.n ? words[2] : UINT32_MAX;
        }
    }
    return seen;
}

// The panels of a line that are there; they are 0 where the last strip skips cells, but for those beside the others.
template <class S>
bool LinePump<S>::carry_out(LineOut & line, Seen seen)
{
    // Before the strip has begun it may be known where it will, and the gap along its edge is there with that.
    WrittenBottom const written = written_bottom(seen.begin, seen.end, static_cast<std::uint32_t>(task_.pair.n));
    std::uint64_t const there = std::max(seen.progress, seen.begin > 0 ? seen.begin - 1 : 0);
    bool any = false;
    while (line.begin < task_.pair.n) {
        std::uint64_t const begin = line.begin, end = task_.panel_end(begin);
        if (line.waiting.empty()) {
            if (end > there)
                break;
            std::uint64_t const from = std::clamp<std::uint64_t>(written.begin, begin, end),
                                to = std::clamp<std::uint64_t>(written.end, from, end);
            if (from < to) {
                copy(panel_, line.bottom + from, to - from, cudaMemcpyDeviceToHost);
                wait_for_copies();
            }
            line.waiting.assign(end - begin, RowEntry{0, -steps_.fall()});
            for (std::uint64_t j = from; j < to; ++j) {
                Entry<S> const entry = args_.code.show(panel_[j - from]);
                line.waiting[j - begin] = {entry.h, entry.gap};
            }
            raise_skipped(line, written);
        }
        if (!lines_.try_send(line.part, begin, line.waiting))
            break;
        line.waiting.clear();
        line.begin = end;
        any = true;
    }
    return any;
}

// Zeros of the panel at hand beside those columns that are written.
template <class S>
void LinePump<S>::raise_skipped(LineOut & line, WrittenBottom const & written) const
{
    std::uint64_t const begin = line.begin, end = begin + line.waiting.size();
    if (written.begin >= written.end) // none is
        return;
    Entry<std::int64_t> const none{0, -steps_.fall()};
    path::raise_beside(written.begin, written.end, begin < written.begin ? entry_at(line, written.begin) : none,
                       end > written.end ? entry_at(line, written.end - 1) : none, steps_, begin, end,
                       [&](std::uint64_t j, Entry<std::int64_t> const & cell) {
                           line.waiting[j - begin] = {cell.h, cell.gap};
                       });
}

template <class S>
Entry<std::int64_t> LinePump<S>::entry_at(LineOut const & line, std::uint64_t col) const
{
    copy(panel_, line.bottom + col, 1, cudaMemcpyDeviceToHost);
    wait_for_copies();
    return path::widened(args_.code.show(panel_[0]));
}

// Any score that some cell has will do (docs/proofs.md, lemma 19), so it does no harm that the device may have found a
// higher one before this one is written.
template <class S>
void LinePump<S>::share_best()
{
    if (!args_.skip.best)
        return;
    std::int64_t const best = lines_.best_so_far(best_[0]);
    if (best <= best_[0])
        return;
    best_[1] = static_cast<S>(best);
    copy(args_.skip.best, best_ + 1, 1, cudaMemcpyHostToDevice);
    wait_for_copies();
}

template class LinePump<std::int32_t>;
template class LinePump<std::int64_t>;

} // namespace nwgpu::cuda
