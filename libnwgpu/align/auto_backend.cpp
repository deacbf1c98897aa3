// SPDX-License-Identifier: BSD-3-Clause
#include "align/auto_backend.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "backend/invalid_letters.hpp"
#include "backend/monitor.hpp"
#include "base/rest_of_limit.hpp"
#include "checkpoint/folder.hpp"
#include "cpu/batch/query_batch.hpp"
#include "cuda/batch_model.hpp"

namespace nwgpu {

namespace {

// From so many cells on, one pair is faster on a GPU than on a few CPU threads.
constexpr double cells_for_gpu = 2.5e8;
// The same where several alignments are asked for: boundaries are copied, and what they cross is the CPU's.
constexpr double cells_for_gpu_top = 1e9;

// A pair that is hardly less alike than others takes some milliseconds on the CPU, up to so many cells.
constexpr double most_cells_beside_alike = 4e10;

// Of short pairs, per thread and cell, of 16 that are at work at the same time.  Long similar ones need fewer cells,
// which is left out.  `common`: queries have many targets each.
double cpu_cell_seconds(Piece const & piece, bool common)
{
    constexpr double by_query = 10e9; // scores with a matrix
    if (common && piece.max_host_bytes == 0 && cpu::QueryBatch::takes(piece.scoring, piece.request))
        return 1 / by_query;
    struct Rate {
        double score, path;
    };
    auto const [score, path] = piece.scoring.is_uniform() ? Rate{15e9, 8e9} : Rate{3.5e9, 2.5e9};
    return 1 / (piece.request.output > Output::end ? path : score);
}

// Longer queries are aligned in bands.
constexpr std::uint64_t full_rows = 2432;

// Of the CPU, for short pairs: below, a GPU cannot be quicker.
constexpr double least_cpu_seconds = 1e-3;

// The pairs of a piece, by the engine that is to align them.  Bands and other ties are the CPU's.  Short pairs go to
// the GPU together, where that is predicted to be quicker.
struct Split {
    std::vector<std::uint64_t> on_gpu, on_cpu; // none where all are the CPU's
    double gain = 0;                           // in seconds, of short pairs on the GPU

    // `least_gain`: for which the GPU is worth it.  `gpu`: null until it has started.
    Split(Piece const & piece, int cpu_threads, double least_gain, Backend * gpu)
    {
        if (!piece.request.mode.has_usual_rules())
            return;
        double const least = least_cells(piece.request);
        auto const cells_of = [&](std::uint64_t p) { return cells_in(piece, p); };
        auto model = cuda::batch_model(piece.scoring, piece.request);
        double const queries_kept = gpu ? gpu->kept_part(piece.batch.queries) : 0,
                     targets_kept = gpu ? gpu->kept_part(piece.batch.targets) : 0;
        std::uint64_t long_pairs = 0;
        double pairs = 0, cpu_seconds = 0, gpu_seconds = 0; // of short ones
        double cpu_cell = 0;
        double others = 0; // cells of short ones that are the CPU's, as far as is known
        auto const predict = [&] {
            long_pairs = 0;
            if (model) {
                model->queries_kept = queries_kept;
                model->targets_kept = targets_kept;
            }
            cpu_cell = cpu_cell_seconds(piece, model && (model->one_query || model->couples));
            double letters = 0, cells = 0, cpu_cells = 0, alone = 0;
            pairs = others = 0;
            for (std::uint64_t const p : piece.pairs) {
                PairView const pair = piece.batch.view(p);
                if (cells_of(p) >= least) {
                    ++long_pairs;
                } else if (double const computed = model ? model->cells(pair) : 0; computed > 0) {
                    ++pairs;
                    letters += model->letters(pair);
                    cells += computed;
                    alone = std::max(alone, model->alone_seconds(pair));
                    cpu_cells += pair.m > full_rows ? computed : cells_of(p); // both find bands of long pairs
                } else {
                    others += cells_of(p);
                }
            }
            cpu_seconds = cpu_cells * cpu_cell / cpu_threads;
            gpu_seconds = model ? model->seconds(pairs, letters, cells, alone) : 0;
        };
        predict();
        if (cpu_seconds + others * cpu_cell / cpu_threads > least_cpu_seconds) { // worth a look at the pairs
            model = cuda::batch_model(piece);
            predict();
        }
        if (cpu_seconds > least_cpu_seconds)
            gain = cpu_seconds - gpu_seconds;
        bool const short_too = model && gain > least_gain;
        if (long_pairs == 0 && !short_too)
            return;
        on_gpu.reserve(long_pairs + (short_too ? static_cast<std::uint64_t>(pairs) : 0));
        on_cpu.reserve(piece.pairs.size() - on_gpu.capacity());
        for (std::uint64_t const p : piece.pairs) {
            bool const is_on_gpu = cells_of(p) >= least || (short_too && model->cells(piece.batch.view(p)) > 0);
            (is_on_gpu ? on_gpu : on_cpu).push_back(p);
        }
    }

    // Of long pairs.
    static double least_cells(Request const & request) { return request.top > 1 ? cells_for_gpu_top : cells_for_gpu; }
    static double cells_in(Piece const & piece, std::uint64_t p)
    {
        PairView const pair = piece.batch.view(p);
        return static_cast<double>(pair.m) * static_cast<double>(pair.n);
    }
    // Those that are to go to the GPU, which then do not.
    std::vector<std::uint64_t> take_long(Piece const & piece)
    {
        auto const is_short = [&](std::uint64_t p) { return cells_in(piece, p) < least_cells(piece.request); };
        auto const first = std::stable_partition(on_gpu.begin(), on_gpu.end(), is_short);
        std::vector<std::uint64_t> const pairs(first, on_gpu.end());
        on_gpu.erase(first, on_gpu.end());
        return pairs;
    }
    void give_to_gpu(std::span<std::uint64_t const> pairs) { add(pairs, on_gpu); }
    void give_to_cpu(std::span<std::uint64_t const> pairs) { add(pairs, on_cpu); }
    std::uint64_t bytes() const { return (on_gpu.capacity() + on_cpu.capacity()) * sizeof(std::uint64_t); }
    // Some pairs of the piece, in what is left of its memory.
    Piece part(Piece const & piece, std::span<std::uint64_t const> some) const
    {
        return {piece.batch, some, piece.scoring, piece.request, rest_of_limit(piece.max_host_bytes, bytes())};
    }

private:
    static void add(std::span<std::uint64_t const> pairs, std::vector<std::uint64_t> & to)
    {
        to.insert(to.end(), pairs.begin(), pairs.end());
        std::ranges::sort(to);
    }
};

// Device memory may be too small for a pair that fits the host.
bool cpu_may_help(Status status)
{
    return status == Status::out_of_device_memory || status == Status::memory_limit || status == Status::device;
}

class AutoBackend final : public Backend, private RowEngine {
public:
    AutoBackend(std::unique_ptr<Backend> cpu, std::string gpu_name, std::function<std::unique_ptr<Backend>()> make_gpu,
                std::function<void(std::string const &)> warn, RowPace const & pace) :
        cpu_{std::move(cpu)},
        gpu_name_{std::move(gpu_name)},
        make_gpu_{std::move(make_gpu)},
        warn_{std::move(warn)},
        pace_{pace}
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
        Split split = split_of(piece);
        give_alike_to_cpu(piece, split);
        Backend * const gpu = split.on_gpu.empty() ? nullptr : this->gpu();
        if (!gpu)
            return cpu_->estimate(piece);
        Estimate sum = gpu->estimate(split.part(piece, split.on_gpu));
        sum.host_bytes += split.bytes();
        if (split.on_cpu.empty())
            return sum;
        Estimate const other = cpu_->estimate(split.part(piece, split.on_cpu));
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
        Split split = split_of(piece);
        if (split.on_gpu.empty()) {
            missed_ += std::max(0.0, split.gain);
            if (!piece.batch.are_letters())
                return cpu_->align(piece, monitor, answers);
            split.on_cpu.assign(piece.pairs.begin(), piece.pairs.end());
        }
        // Once the GPU has failed, what is there is its own, unless it was there before.
        std::string const & folder = piece.request.checkpoint.folder;
        bool const was_there = !folder.empty() && checkpoint::holds_slabs(folder);
        if (!split.on_gpu.empty())
            answer_alike(piece, split, monitor, answers);
        if (!split.on_gpu.empty())
            align_on_gpu(split.part(piece, split.on_gpu), monitor, answers);
        for (std::uint64_t const p : split.on_gpu)
            if (answers.is_open(p))
                split.on_cpu.push_back(p);
        if (split.on_cpu.empty())
            return;
        std::sort(split.on_cpu.begin(), split.on_cpu.end());
        if (piece.batch.are_letters())
            split.on_cpu = code_pairs(piece.batch, split.on_cpu, answers);
        if (split.on_cpu.empty())
            return;
        Request request = piece.request;
        request.checkpoint.resume = request.checkpoint.resume || !was_there;
        Piece const rest = split.part(piece, split.on_cpu);
        cpu_->align({rest.batch, rest.pairs, rest.scoring, request, rest.max_host_bytes}, monitor, answers);
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
        return rows().align_if_similar(piece, monitor, answers);
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

    // Long pairs that are so similar that the CPU has them before a GPU has their letters.
    void answer_alike(Piece const & piece, Split & split, Monitor & monitor, Answers & answers)
    {
        constexpr std::size_t most_coded = 64; // pairs: a GPU makes codes of more of them itself
        std::vector<std::uint64_t> others = split.take_long(piece);
        if (piece.batch.are_letters() && split.on_gpu.empty() && others.size() <= most_coded)
            for (std::vector<std::uint64_t> * const pairs : {&others, &split.on_cpu})
                *pairs = code_pairs(piece.batch, *pairs, answers);
        std::size_t const all = others.size();
        if (!piece.batch.are_letters() && all > 0)
            others = cpu_->align_alike(split.part(piece, others), monitor, &answers);
        // Where most were alike, the others will be so as well but for a few places.
        auto const is_short_enough = [&](std::uint64_t p) {
            return Split::cells_in(piece, p) <= most_cells_beside_alike;
        };
        if (others.size() <= all / 4 && std::ranges::all_of(others, is_short_enough))
            split.give_to_cpu(others);
        else
            split.give_to_gpu(others);
        monitor.throw_if_stopped();
    }

    // The same for an estimate, if some of them are.
    void give_alike_to_cpu(Piece const & piece, Split & split)
    {
        constexpr std::size_t most = 3; // are looked at
        std::vector<std::uint64_t> const pairs = split.take_long(piece);
        std::span<std::uint64_t const> const some = std::span{pairs}.first(std::min(most, pairs.size()));
        Team team{1};
        Progress const silent;
        Monitor monitor{silent, 1, team};
        if (some.empty() || piece.batch.are_letters() ||
            !cpu_->align_alike(split.part(piece, some), monitor, nullptr).empty())
            split.give_to_gpu(pairs);
        else
            split.give_to_cpu(pairs);
    }

    // To start a device for short pairs pays once calls have missed as much as that takes: how many will follow is not
    // known.
    Split split_of(Piece const & piece)
    {
        std::unique_lock lock{making_};
        double const least_gain = gpu_ ? 0 : cuda::device_start_seconds - missed_;
        Backend * const gpu = lost_ ? nullptr : gpu_.get();
        lock.unlock();
        return {piece, cpu_->threads(), least_gain, gpu};
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

    // Pairs that the GPU cannot take stay open.
    void align_on_gpu(Piece const & piece, Monitor & monitor, Answers & answers)
    {
        Backend * const gpu = this->gpu();
        if (!gpu)
            return;
        Answers::Rescue before = answers.set_rescue([&](std::uint64_t p, Status status, std::string const & why) {
            if (cpu_may_help(status))
                warn_("pair " + std::to_string(p) + " goes to the CPU: " + why);
            return cpu_may_help(status);
        });
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
        answers.set_rescue(std::move(before));
    }

    std::unique_ptr<Backend> cpu_, gpu_;
    std::string gpu_name_;
    std::function<std::unique_ptr<Backend>()> make_gpu_;
    std::function<void(std::string const &)> warn_;
    RowPace const pace_;
    std::mutex making_;
    std::atomic<bool> lost_{false};
    std::atomic<double> missed_{0}; // seconds
};

} // namespace

std::unique_ptr<Backend> make_auto_backend(std::unique_ptr<Backend> cpu, std::string gpu_name,
                                           std::function<std::unique_ptr<Backend>()> make_gpu,
                                           std::function<void(std::string const &)> warn, RowPace const & pace)
{
    return std::make_unique<AutoBackend>(std::move(cpu), std::move(gpu_name), std::move(make_gpu), std::move(warn),
                                         pace);
}

} // namespace nwgpu
