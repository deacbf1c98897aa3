// SPDX-License-Identifier: BSD-3-Clause
#include "align/auto_backend.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <iterator>
#include <mutex>
#include <utility>
#include <vector>

#include "align/engine_choice.hpp"
#include "backend/invalid_letters.hpp"
#include "backend/monitor.hpp"
#include "base/pieces.hpp"
#include "checkpoint/folder.hpp"

namespace nwgpu {

namespace {

// Of pairs that the CPU has tried, the part that were not similar, at most, with which these will be so as well but for
// a few places; up to so many cells.
constexpr std::uint64_t part_not_similar = 4;
constexpr double most_cells_beside_similar = 4e10;

// Device memory may be too small for a pair that fits the host.
bool cpu_may_help(Status status)
{
    return status == Status::out_of_device_memory || status == Status::memory_limit || status == Status::device;
}

class AutoBackend final : public Backend, private RowEngine {
public:
    AutoBackend(std::unique_ptr<Backend> cpu, std::string gpu_name, std::function<std::unique_ptr<Backend>()> make_gpu,
                std::function<void(std::string const &)> warn, RowPace const & pace, double start_seconds) :
        cpu_{std::move(cpu)},
        gpu_name_{std::move(gpu_name)},
        make_gpu_{std::move(make_gpu)},
        warn_{std::move(warn)},
        pace_{pace},
        start_seconds_{start_seconds}
    {}

    std::string name() const override { return gpu_name_ + "+" + cpu_->name(); }
    int threads() const override { return cpu_->threads(); }
    void trim() override
    {
        cpu_->trim();
        std::lock_guard const lock{making_};
        if (gpu_)
            gpu_->trim();
    }

    // The GPU's, once it is there.
    ResultMemory result_memory() override
    {
        std::lock_guard const lock{making_};
        return gpu_ && !lost_ ? gpu_->result_memory() : ResultMemory{};
    }

    Estimate estimate(Piece const & piece) override
    {
        Progress const silent;
        Team alone{1};
        Monitor monitor{silent, 1, alone};
        EngineChoice choice = choice_of(piece, monitor);
        if (auto const & [tried, seconds] = choice.tries(); !tried.empty()) {
            if (cpu_->estimate(choice.part(piece, tried)).seconds <= seconds)
                choice.give_to_cpu(tried);
            else
                choice.give_to_gpu(tried);
        }
        Backend * const gpu = choice.on_gpu().empty() ? nullptr : this->gpu();
        if (!gpu)
            return cpu_->estimate(piece);
        Estimate sum = gpu->estimate(choice.part(piece, choice.on_gpu()));
        sum.host_bytes += choice.bytes() + choice.on_cpu().size_bytes(); // and the list of pairs that are open
        if (choice.on_cpu().empty())
            return sum;
        Estimate const other = cpu_->estimate(choice.part(piece, choice.on_cpu()));
        sum.cells += other.cells;
        sum.host_bytes += other.host_bytes;
        sum.seconds += other.seconds;
        sum.plan += "\n" + other.plan;
        return sum;
    }

    void check_memory(Piece const & piece) override { cpu_->check_memory(piece); }

    // Once short pairs go to the GPU without waiting for its start; the CPU's have codes made.
    bool takes_letters(Scoring const & scoring, Request const & request) override
    {
        std::lock_guard const lock{making_};
        return gpu_ && !lost_ && gpu_->takes_letters(scoring, request);
    }

    bool gains_by_common_targets(Scoring const & scoring, Request const & request) override
    {
        std::lock_guard const lock{making_};
        return gpu_ && !lost_ && gpu_->gains_by_common_targets(scoring, request);
    }

    RowEngine * row_engine() override { return pace_.cells_per_second > 0 ? this : nullptr; }

    void align(Piece const & piece, Monitor & monitor, Answers & answers) override
    {
        EngineChoice choice = choice_of(piece, monitor);
        // Once the GPU has failed, what is there is its own, unless it was there before.
        std::string const & folder = piece.request.checkpoint.folder;
        bool const was_there = !folder.empty() && checkpoint::holds_slabs(folder);
        bool const all_on_cpu = choice.on_gpu().empty() && choice.tries().pairs.empty(),
                   are_letters = piece.batch.are_letters();
        if (all_on_cpu && !are_letters)
            return align_on_cpu(piece, choice.missed(), monitor, answers);
        if (!choice.tries().pairs.empty())
            try_on_cpu(piece, choice, monitor, answers);
        if (!choice.on_gpu().empty())
            align_on_gpu(choice.part(piece, choice.on_gpu()), monitor, answers);
        std::vector<std::uint64_t> rest = open_pairs(piece, answers, monitor.team());
        if (!rest.empty() && are_letters)
            rest = code_pairs(piece.batch, rest, answers);
        if (rest.empty())
            return;
        Request request = piece.request;
        request.checkpoint.resume = request.checkpoint.resume || !was_there;
        std::uint64_t const bytes = rest.capacity() * sizeof(std::uint64_t);
        align_on_cpu({piece.batch, rest, piece.scoring, request, choice.part(piece, rest, bytes).max_host_bytes},
                     choice.missed(), monitor, answers);
    }

private:
    // Rows: the GPU's, or of the CPU if it cannot be had.
    RowEngine & rows()
    {
        Backend * const gpu = this->gpu();
        return *(gpu ? gpu : cpu_.get())->row_engine();
    }
    bool suits(Request const & request) const override { return cpu_->row_engine()->suits(request); }
    RowPace pace() const override { return pace_; }
    bool align_if_similar(Piece const & piece, Monitor & monitor, Answers & answers) override
    {
        double const seconds = gpu_seconds_if_similar(piece.batch.view(piece.pairs[0]));
        return cpu_->align_similar(piece, monitor, answers, seconds).empty() ||
               rows().align_if_similar(piece, monitor, answers);
    }
    std::int64_t known_score(Piece const & piece, Monitor & monitor) override
    {
        return rows().known_score(piece, monitor);
    }
    std::unique_ptr<RowShare> share(RowTask const & task) override { return rows().share(task); }
    WalkedRows walk_saved(Piece const & piece, checkpoint::Folder & folder, path::Cursor const & from,
                          Monitor & monitor) override
    {
        return rows().walk_saved(piece, folder, from, monitor);
    }

    static std::vector<std::uint64_t> open_pairs(Piece const & piece, Answers const & answers, Team & team)
    {
        std::vector<std::uint64_t> open;
        std::atomic<std::uint64_t> count{0};
        for_pieces(&team, piece.pairs.size(), [&](std::uint64_t begin, std::uint64_t end) {
            auto const pairs = piece.pairs.subspan(begin, end - begin);
            count +=
                static_cast<std::uint64_t>(std::ranges::count_if(pairs, [&](auto p) { return answers.is_open(p); }));
        });
        open.reserve(count);
        if (count > 0)
            std::ranges::copy_if(piece.pairs, std::back_inserter(open), [&](auto p) { return answers.is_open(p); });
        return open;
    }

    // Those that turn out to be similar.
    void try_on_cpu(Piece const & piece, EngineChoice & choice, Monitor & monitor, Answers & answers)
    {
        std::vector<std::uint64_t> pairs = choice.tries().pairs;
        if (piece.batch.are_letters()) {
            if (!choice.on_gpu().empty()) // which takes letters
                return choice.give_to_gpu(pairs);
            pairs = code_pairs(piece.batch, pairs, answers);
        }
        std::vector<std::uint64_t> const others =
            cpu_->align_similar(choice.part(piece, pairs), monitor, answers, choice.tries().seconds);
        auto const is_short_enough = [&](std::uint64_t p) {
            PairView const pair = piece.batch.view(p);
            return static_cast<double>(pair.m) * static_cast<double>(pair.n) <= most_cells_beside_similar;
        };
        if (others.size() <= pairs.size() / part_not_similar && std::ranges::all_of(others, is_short_enough))
            choice.give_to_cpu(others);
        else
            choice.give_to_gpu(others);
        monitor.throw_if_stopped();
    }

    void align_on_cpu(Piece const & piece, EngineChoice::Missed const & missed, Monitor & monitor, Answers & answers)
    {
        auto const begin = std::chrono::steady_clock::now();
        cpu_->align(piece, monitor, answers);
        std::chrono::duration<double> const seconds = std::chrono::steady_clock::now() - begin;
        if (missed.seconds > 0)
            missed_ += std::max(0.0, missed.part_of_cpu * seconds.count() - missed.seconds);
    }

    // To start a device pays at once, or when calls have missed as much as that takes: how many will follow is not
    // known.
    EngineChoice choice_of(Piece const & piece, Monitor & monitor)
    {
        std::unique_lock lock{making_};
        double const start = gpu_ ? 0 : std::max(0.0, start_seconds_ - missed_);
        Backend * const gpu = gpu_.get();
        lock.unlock();
        return lost_ ? EngineChoice{} : EngineChoice{piece, *cpu_, start, gpu, monitor};
    }
    // Null where it cannot be had, or not any more.
    Backend * gpu()
    {
        std::lock_guard const lock{making_};
        if (!gpu_ && !lost_)
            try {
                gpu_ = make_gpu_();
            } catch (Error const & error) {
                lost_ = true;
                warn_(std::string{"using the CPU: "} + error.what());
            }
        return lost_ ? nullptr : gpu_.get();
    }

    // While it lives, pairs stay open that the CPU may have.
    class Rescue {
    public:
        Rescue(Answers & answers, std::function<void(std::string const &)> const & warn) :
            answers_{answers},
            before_{answers.set_rescue([&warn](std::uint64_t p, Status status, std::string const & why) {
                if (cpu_may_help(status))
                    warn("pair " + std::to_string(p) + " goes to the CPU: " + why);
                return cpu_may_help(status);
            })}
        {}
        ~Rescue() { answers_.set_rescue(std::move(before_)); }
        Rescue(Rescue const &) = delete;

    private:
        Answers & answers_;
        Answers::Rescue before_;
    };

    // Pairs that the GPU cannot take stay open.
    void align_on_gpu(Piece const & piece, Monitor & monitor, Answers & answers)
    {
        Backend * const gpu = this->gpu();
        if (!gpu)
            return;
        Rescue const rescue{answers, warn_};
        std::uint64_t const done = monitor.done();
        try {
            gpu->align(piece, monitor, answers);
        } catch (Error const & error) {
            if (error.status != Status::device && error.status != Status::device_lost &&
                error.status != Status::out_of_device_memory)
                throw;
            if (error.status == Status::device_lost)
                lost_ = true;
            monitor.go_back_to(done);
            warn_(std::string{"going on with the CPU: "} + error.what());
        }
    }

    std::unique_ptr<Backend> cpu_, gpu_;
    std::string gpu_name_;
    std::function<std::unique_ptr<Backend>()> make_gpu_;
    std::function<void(std::string const &)> warn_;
    RowPace const pace_;
    double const start_seconds_;
    std::mutex making_;
    std::atomic<bool> lost_{false};
    std::atomic<double> missed_{0}; // seconds
};

} // namespace

std::unique_ptr<Backend> make_auto_backend(std::unique_ptr<Backend> cpu, std::string gpu_name,
                                           std::function<std::unique_ptr<Backend>()> make_gpu,
                                           std::function<void(std::string const &)> warn, RowPace const & pace,
                                           double start_seconds)
{
    return std::make_unique<AutoBackend>(std::move(cpu), std::move(gpu_name), std::move(make_gpu), std::move(warn),
                                         pace, start_seconds);
}

} // namespace nwgpu
