// SPDX-License-Identifier: BSD-3-Clause
// Who computes which pair: short ones in groups, one pair per SIMD lane; the others one per thread; largest first.
// Threads that find nothing left come to the pairs that others are at (Means::threads).
#include "cpu/engine.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <limits>
#include <memory>
#include <new>
#include <optional>
#include <vector>

#include "backend/inner_monitor.hpp"
#include "backend/row_share.hpp"
#include "base/ceil_div.hpp"
#include "base/freed_memory.hpp"
#include "base/pieces.hpp"
#include "base/rest_of_limit.hpp"
#include "cpu/batch/bit_batch.hpp"
#include "cpu/before_tasks.hpp"
#include "cpu/by_query.hpp"
#include "cpu/furthest/align_one_diagonal.hpp"
#include "cpu/furthest/few_changes.hpp"
#include "cpu/kernels/kernel_table.hpp"
#include "cpu/pair/align_slabs.hpp"
#include "cpu/pair/row_share.hpp"
#include "cpu/probe.hpp"
#include "cpu/queue.hpp"
#include "cpu/side_by_side.hpp"
#include "cpu/work.hpp"

namespace nwgpu::cpu {

namespace {

// Fewer cells are computed in less time than a thread needs to wake up.
constexpr double cells_worth_waking = 500'000;

bool is_worth_waking(std::span<Task const> tasks)
{
    double cells = 0;
    for (std::size_t k = 0; k < tasks.size() && cells < cells_worth_waking; ++k)
        cells += tasks[k].cells * tasks[k].count;
    return cells >= cells_worth_waking;
}

struct Return { // of the memory, whatever happens
    Queue & queue;
    Queue::Turn const & turn;
    ~Return() { queue.give_back(turn); }
};

// Pairs that a thread compares at a time: so many that differ at once, or so many letters, take less time than a thread
// needs to wake up; some such pieces for each thread.
constexpr std::uint64_t few_pairs = 1024, few_letters = 1 << 17, pieces_per_thread = 8;

// Of pairs that are fewer so many tell how long all take before tasks.
constexpr std::uint64_t most_sampled_of_few = 3;

// Of changes that lie apart, where pairs may be computed in bits: these are as quick for denser and shorter ones.
constexpr SeparateChanges::Limits apart_beside_bits{8, 40, 512};

// Bytes of freed memory, before tasks take theirs: giving it back takes less than a millisecond.
constexpr std::uint64_t worth_giving_back = 16 << 20;

// Of eight reads one has to lie on one diagonal: a try in vain takes a twentieth of what the pair's cells then take.
constexpr int one_of_eight = 1;

// Of shares of rows: 16-bit scores, with paths.
constexpr double thread_cells_per_second = 5e9;
constexpr std::uint64_t least_share_rows = 2048;
// What a tile takes longer than its columns, in columns, about: the lanes of its vectors.
constexpr std::uint64_t tile_fill_cols = 64, least_tile_cols = 1024;

class Engine final : public Backend, private RowEngine {
public:
    explicit Engine(EngineOptions const & options) :
        kernels_{kernel_table(options.isa)},
        team_{options.team ? options.team : std::make_shared<Team>(options.threads)},
        threads_{team_->size()},
        tuning_{options.tuning}
    {}

    std::string name() const override { return std::string{"cpu:"} + kernels_.name; }
    int threads() const override { return threads_; }
    bool gives_up_early() const override { return true; }
    void trim() override
    {
        memories_.clear();
        side_by_side_.trim();
        by_query_.trim();
    }
    RowEngine * row_engine() override { return this; }

    Estimate estimate(Piece const & piece) override
    {
        Work work = work_of(piece);
        Estimate estimate = cpu::estimate(work, *team_);
        BeforeTasks const before = before_tasks(piece);
        estimate.host_bytes = std::max(estimate.host_bytes, before.bytes);
        if (auto const sample = by_query_.sample(piece)) {
            estimate.seconds = sample->left * estimate.seconds + sample->seconds;
            estimate.host_bytes = piece.max_host_bytes == 0 ? estimate.host_bytes + sample->bytes
                                                            : std::max(estimate.host_bytes, sample->bytes);
        } else if (auto const sample = sample_before_tasks(piece, before.threads)) {
            std::uint64_t const threads = static_cast<std::uint64_t>(before.threads),
                                at_once = in_lanes(piece) ? static_cast<std::uint64_t>(kernels_.lanes) : 1,
                                turns = ceil_div(ceil_div(piece.pairs.size(), at_once), threads);
            estimate.seconds = sample->left * estimate.seconds + sample->pair_seconds *
                                                                     static_cast<double>(turns * at_once) *
                                                                     longer_beside(before.threads);
        }
        return estimate;
    }

    void check_memory(Piece const & piece) override
    {
        // Beside the list of pairs that are left to tasks.
        std::uint64_t const bytes = before_tasks(piece).threads > 0 ? piece.pairs.size() * sizeof(std::uint64_t) : 0;
        Work const work = work_of(
            {piece.batch, piece.pairs, piece.scoring, piece.request, rest_of_limit(piece.max_host_bytes, bytes)});
        for (std::uint64_t const p : piece.pairs)
            work.plan(piece.batch.view(p), {1, work.memory()});
    }

    std::vector<std::uint64_t> align_similar(Piece const & piece, Monitor & monitor, Answers & answers,
                                             double seconds) override
    {
        InnerMonitor inner{monitor, TimeLimit{seconds}};
        auto const others = align_few_changes(piece, before_tasks(piece).threads, inner.monitor(), &answers);
        if (!inner.monitor().stopped())
            align_tasks(rest_of(piece, others), Work::Ways::landmarks, inner.monitor(), &answers);
        std::vector<std::uint64_t> open;
        for (std::uint64_t const p : piece.pairs)
            if (answers.is_open(p))
                open.push_back(p);
            else
                monitor.poll_short(piece.batch.view(p).cells());
        return open;
    }

    double measured_seconds(Piece const & piece, double most, Monitor & monitor) override
    {
        InnerMonitor limited{monitor, TimeLimit{most}};
        auto const begin = std::chrono::steady_clock::now();
        try {
            align(piece, limited.monitor(), nullptr);
        } catch (Error const & error) {
            if (error.status != Status::cancelled)
                throw;
            monitor.throw_if_stopped();
            return std::numeric_limits<double>::infinity();
        } catch (std::bad_alloc const &) {
            return std::numeric_limits<double>::infinity();
        }
        return std::chrono::duration<double>{std::chrono::steady_clock::now() - begin}.count();
    }

    void align(Piece const & piece, Monitor & monitor, Answers & answers) override { align(piece, monitor, &answers); }

private:
    // No answers: all are dropped.
    void align(Piece const & all, Monitor & monitor, Answers * answers)
    {
        BeforeTasks const before = before_tasks(all);
        auto others = align_few_changes(all, before.threads, monitor, answers);
        monitor.throw_if_stopped();
        if (others)
            align_side_by_side(all, before.threads, *others, monitor, answers);
        else
            others = by_query_.align(all, monitor, answers);
        if (all.max_host_bytes != 0) {
            trim();
            if (before.bytes >= worth_giving_back)
                give_freed_memory_back();
        }
        monitor.throw_if_stopped();
        align_tasks(rest_of(all, others), Work::Ways::all, monitor, answers);
        monitor.throw_if_stopped();
    }
    static Piece rest_of(Piece const & piece, std::optional<Array<std::uint64_t>> const & others)
    {
        if (!others)
            return piece;
        std::uint64_t const bytes = others->capacity() * sizeof(std::uint64_t);
        return {piece.batch, *others, piece.scoring, piece.request, rest_of_limit(piece.max_host_bytes, bytes)};
    }
    BeforeTasks before_tasks(Piece const & piece) { return cpu::before_tasks(piece, scheme_of(piece.scoring), *team_); }
    void align_tasks(Piece const & piece, Work::Ways ways, Monitor & monitor, Answers * answers)
    {
        if (piece.pairs.empty())
            return;
        Work work = work_of(piece, ways);
        Queue queue{work, monitor};
        memories_.resize(static_cast<std::size_t>(threads_));
        auto const run = [&](int thread) {
            try {
                ThreadMemory memory{memories_[static_cast<std::size_t>(thread)]};
                if (work.lane_bytes() > 0)
                    memory.lanes = work.make_lanes();
                AnswerWriter writer{answers};
                while (auto turn = queue.take()) {
                    Return const later{queue, *turn};
                    work.align(*turn->task, turn->means, memory, writer, monitor);
                }
                work.align_waiting(LocatedPairs::Wanted::one_group, memory, writer, monitor);
            } catch (...) { // the call fails as a whole
                monitor.stop();
                throw;
            }
        };
        std::size_t const count = work.tasks().size();
        int const threads = work.may_help() ? threads_ : static_cast<int>(std::min<std::size_t>(threads_, count));
        monitor.team().run(count == 1 ? 1 : threads, run, is_worth_waking(work.tasks()),
                           [&] { monitor.report_if_due(); });
        AnswerWriter writer{answers};
        ThreadMemory memory{memories_.front()};
        for (Task const & task : work.tasks())
            if (task.refused)
                work.align(task, work.means_of(task, work.pairs(task)[0]), memory, writer, monitor);
    }
    struct Sample {
        double left, pair_seconds; // the share that is left to tasks; of one thread, for each pair
    };
    static bool in_lanes(Piece const & piece) { return piece.pairs.size() > SideBySide::few_pairs; }
    // Of what comes before tasks, measured on some pairs from all over the piece, which this thread takes by itself;
    // nothing where all are tasks.  Few pairs may be long ones, which are not computed here but where they have few
    // changes.
    std::optional<Sample> sample_before_tasks(Piece const & piece, int threads)
    {
        std::uint64_t const count =
            in_lanes(piece) ? SideBySide::few_pairs : std::min<std::uint64_t>(piece.pairs.size(), most_sampled_of_few);
        if (count == 0 || threads == 0)
            return std::nullopt;
        Array<std::uint64_t> pairs(count);
        for (std::uint64_t k = 0; k < count; ++k)
            pairs[k] = piece.pairs[k * piece.pairs.size() / count];
        Piece const some{piece.batch, pairs, piece.scoring, piece.request, piece.max_host_bytes};
        Progress const silent;
        Monitor monitor{silent, 1, *team_};
        try {
            double least = std::numeric_limits<double>::infinity(); // a machine may be busy, and memory new
            std::uint64_t left = 0;
            for (int trial = 0; trial < 2; ++trial) {
                double const begin = thread_seconds();
                auto others = align_few_changes(some, threads, monitor, nullptr);
                if (!others)
                    return std::nullopt;
                std::uint64_t const lonely =
                    in_lanes(piece) ? align_side_by_side(some, threads, *others, monitor, nullptr) : 0;
                double const seconds = thread_seconds() - begin;
                left = others->size() - lonely;
                least = std::min(least, seconds + seconds * static_cast<double>(lonely) / static_cast<double>(count));
            }
            return Sample{static_cast<double>(left) / static_cast<double>(count), least / static_cast<double>(count)};
        } catch (std::bad_alloc const &) {
            return std::nullopt;
        }
    }

    // Of global pairs, and of reads with free ends or local.  Returns the others; nothing if it is not for such calls.
    // No answers: all are dropped.
    std::optional<Array<std::uint64_t>> align_few_changes(Piece const & piece, int threads, Monitor & monitor,
                                                          Answers * answers)
    {
        if (tuning_.furthest != 0 || tuning_.lanes != 0)
            return std::nullopt;
        auto const penalties = penalties_before_strips(piece.scoring, piece.request, tuning_);
        auto const one_diagonal =
            penalties || tuning_ != Tuning{} ? std::nullopt : OneDiagonalCall::of(piece.scoring, piece.request);
        if ((!penalties && !one_diagonal) || threads == 0)
            return std::nullopt;
        std::uint64_t const count = piece.pairs.size();
        if (count == 0)
            return Array<std::uint64_t>{};
        std::uint64_t const letters = piece.batch.view(piece.pairs[0]).n,
                            part =
                                std::clamp(ceil_div(count, pieces_per_thread * static_cast<std::uint64_t>(threads_)),
                                           std::clamp<std::uint64_t>(few_letters / letters, 1, few_pairs), few_pairs);
        Array<std::uint64_t> others(count), left(ceil_div(count, part));
        bool const in_bits = penalties && penalties->unit_costs() && tuning_.bits >= 0 &&
                             count >= BitBatch::least_lanes(kernels_, BitLanes::least_width);
        auto const align = [&](std::uint64_t begin, std::uint64_t end) {
            AnswerWriter writer{answers};
            PairResult answer;
            ApartSoFar apart{in_bits ? apart_beside_bits : SeparateChanges::Limits{}, &monitor};
            TriesSoFar tries{one_of_eight};
            std::uint64_t * other = others.data() + begin;
            for (std::uint64_t k = begin; k < end && !monitor.stopped(); ++k) {
                std::uint64_t const p = piece.pairs[k];
                PairView const pair = piece.batch.view(p);
                bool found = true; // or it has failed
                try {
                    found = one_diagonal
                                ? align_on_one_diagonal(pair, *one_diagonal, kernels_, piece.request, tries, answer)
                                : cpu::align_few_changes(pair, *penalties, kernels_, piece.request, apart, answer);
                    if (found)
                        writer.put(p, answer);
                    else
                        *other++ = p;
                } catch (std::bad_alloc const &) {
                    writer.fail(p, Status::out_of_host_memory, "out of memory");
                }
                monitor.poll_short(found ? pair.cells() : 0);
            }
            left[begin / part] = static_cast<std::uint64_t>(other - (others.data() + begin));
        };
        for_pieces(team_.get(), threads, count, align, part);
        close_gaps(others, part, left);
        return others;
    }
    std::uint64_t align_side_by_side(Piece const & piece, int threads, Array<std::uint64_t> & pairs, Monitor & monitor,
                                     Answers * answers)
    {
        return side_by_side_.align(piece, scheme_of(piece.scoring), threads, pairs, monitor, answers);
    }
    bool suits(Request const & request) const override
    {
        return request.top == 1 && request.mode.has_usual_rules() && request.checkpoint.folder.empty();
    }
    RowPace pace() const override
    {
        return {.cells_per_second = thread_cells_per_second * threads_,
                .least_rows = least_share_rows,
                .fill_cols = tile_fill_cols,
                .least_cols = least_tile_cols * static_cast<std::uint64_t>(threads_),
                .slab_rows = UINT64_MAX};
    }
    bool align_if_similar(Piece const & piece, Monitor & monitor, Answers & answers) override
    {
        if (!piece.request.checkpoint.folder.empty())
            return false;
        auto answer = work_of(piece).align_if_similar(monitor);
        if (answer)
            AnswerWriter{&answers}.put(piece.pairs[0], *answer);
        return answer.has_value();
    }
    std::unique_ptr<RowShare> share(RowTask const & task) override
    {
        return make_row_share(task, kernels_, threads_, tuning_);
    }
    WalkedRows walk_saved(Piece const & piece, checkpoint::Folder & folder, path::Cursor const & from,
                          Monitor & monitor) override
    {
        PairView const pair = piece.batch.view(piece.pairs[0]);
        Scheme const & scheme = scheme_of(piece.scoring);
        PairPlan const plan =
            plan_pair(pair.m, pair.n, scheme, kernels_, piece.request, threads_, piece.max_host_bytes, tuning_);
        return cpu::walk_saved(pair, scheme, kernels_, piece.request, plan, folder, from, monitor);
    }

    // Kept from call to call: pair after pair is often aligned with the same scoring.
    Scheme const & scheme_of(Scoring const & scoring)
    {
        if (!scheme_ || scheme_->scoring() != scoring)
            scheme_ = std::make_unique<Scheme>(scoring);
        return *scheme_;
    }
    Work work_of(Piece const & piece, Work::Ways ways = Work::Ways::all)
    {
        return {piece, scheme_of(piece.scoring), kernels_, tuning_, losses_, *team_, ways};
    }

    KernelTable const & kernels_;
    std::shared_ptr<Team> team_;
    int threads_;
    Tuning tuning_;
    std::unique_ptr<Scheme const> scheme_;
    std::vector<FurthestMemory> memories_; // of threads, from call to call
    ByQuery by_query_{kernels_, tuning_, *team_};
    LaneLosses losses_;
    SideBySide side_by_side_{kernels_, tuning_, losses_, *team_, memories_};
};

} // namespace

std::unique_ptr<Backend> make_engine(EngineOptions const & options) { return std::make_unique<Engine>(options); }

} // namespace nwgpu::cpu
