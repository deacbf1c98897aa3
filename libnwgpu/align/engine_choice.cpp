// SPDX-License-Identifier: BSD-3-Clause
#include "align/engine_choice.hpp"

#include <array>
#include <optional>

#include "base/ceil_div.hpp"
#include "base/pieces.hpp"
#include "base/uninitialized.hpp"
#include "cpu/batch/query_batch.hpp"
#include "cuda/batch_model.hpp"

namespace nwgpu {

namespace {

// Of several alignments of a pair, boundaries are copied, and what they cross is the CPU's.
constexpr double cells_for_gpu_top = 1e9;

// Per thread and cell, of 16 that are at work at the same time, of pairs that are not similar.  `common`: queries have
// many targets each.
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

// Of the CPU, for all pairs: below, nobody looks at them.
constexpr double least_cpu_seconds = 1e-3;

// Pairs per thread whose similarity a try tells, where pairs are no more; else so many letters per thread are aligned
// to see what others take, of so many pairs per thread at most, and of a part of all pairs at most.
constexpr std::uint64_t few_pairs = 8, sampled_letters = 1 << 16, least_sampled = 4, most_sampled = 16,
                        part_sampled = 8;

// Pairs, at most, that tell whether all are worth a look at each.
constexpr std::uint64_t looked_at = 1024;

// Of a GPU, for a pair that it does not align together with others: as measured on an H200.  Similar ones take it as
// long as their antidiagonals; others also as long as their cells.
double single_seconds(PairView const & pair)
{
    constexpr double call = 0.5e-3, letter = 0.35e-9, diagonal = 0.2e-6, cell = 1 / 4.4e12;
    double const m = static_cast<double>(pair.m), n = static_cast<double>(pair.n);
    return call + letter * (m + n) + diagonal * std::min(m, n) + cell * m * n;
}

} // namespace

double gpu_seconds_if_similar(PairView const & pair)
{
    constexpr double antidiagonal = 0.125e-6;
    return std::min(single_seconds(pair), antidiagonal * static_cast<double>(pair.m + pair.n));
}

namespace {

// What some pairs take a GPU and, at most, the CPU.
struct Load {
    double pairs = 0, letters = 0, cells = 0, longest = 0; // of those that the GPU aligns together
    double singles = 0;                                    // seconds of the others
    double cpu = 0;                                        // seconds

    void add(Load const & other)
    {
        pairs += other.pairs;
        letters += other.letters;
        cells += other.cells;
        longest = std::max(longest, other.longest);
        singles += other.singles;
        cpu += other.cpu;
    }
};

enum class Kind : std::uint8_t { together, alone, cpu, count };
using Loads = std::array<Load, static_cast<std::size_t>(Kind::count)>;

class Chooser {
public:
    Chooser(Piece const & piece, int threads, Backend * gpu, Team & team) :
        piece_{piece},
        threads_{threads},
        may_be_similar_{piece.scoring.is_uniform() && piece.max_host_bytes == 0 && piece.request.top == 1},
        queries_kept_{gpu ? gpu->kept_part(piece.batch.queries) : 0},
        targets_kept_{gpu ? gpu->kept_part(piece.batch.targets) : 0}
    {
        std::uint64_t const count = piece.pairs.size(), some = std::min(count, looked_at);
        take(cuda::batch_model(piece.scoring, piece.request));
        Loads sums{};
        for (std::uint64_t k = 0; k < some; ++k)
            add(piece.pairs[k * count / some], sums);
        double seconds = 0;
        for (Load const & load : sums)
            seconds += load.cpu * static_cast<double>(count) / static_cast<double>(some);
        is_worth_a_look_ = piece.request.top > 1 || seconds > least_cpu_seconds;
        if (!is_worth_a_look_)
            return;
        if (!tries_all()) // how similar they are will be seen
            take(cuda::batch_model(piece, &team));
        kinds_.resize(count);
        std::vector<Loads> parts(ceil_div(count, piece_entries));
        for_pieces(&team, count, [&](std::uint64_t begin, std::uint64_t end) {
            Loads & part = parts[begin / piece_entries];
            Last last;
            for (std::uint64_t k = begin; k < end; ++k)
                kinds_[k] = add(piece.pairs[k], part, &last);
        });
        for (Loads const & part : parts)
            for (std::size_t kind = 0; kind < part.size(); ++kind)
                loads_[kind].add(part[kind]);
    }

    bool is_worth_a_look() const { return is_worth_a_look_; }
    // The CPU takes far less for those that are.
    bool may_be_similar() const { return may_be_similar_; }
    bool tries_all() const
    {
        return may_be_similar_ && piece_.pairs.size() <= few_pairs * static_cast<std::uint64_t>(threads_);
    }
    Load const & load(Kind kind) const { return loads_[static_cast<std::size_t>(kind)]; }
    double gpu_seconds(Load const & load) const
    {
        return load.singles +
               (load.pairs > 0 ? model_->seconds(load.pairs, load.letters, load.cells, load.longest) : 0);
    }
    double gpu_seconds_of_similar(std::span<std::uint64_t const> pairs) const
    {
        Loads sums{};
        double singles = 0;
        for (std::uint64_t const p : pairs)
            if (add(p, sums) == Kind::alone)
                singles += gpu_seconds_if_similar(piece_.batch.view(p));
        return singles + gpu_seconds(sums[static_cast<std::size_t>(Kind::together)]);
    }
    bool are_all(Kind kind) const
    {
        return std::ranges::all_of(kinds_, [&](Kind its) { return its == kind; });
    }
    std::vector<std::uint64_t> pairs(auto const & is_wanted) const
    {
        std::vector<std::uint64_t> some;
        some.reserve(static_cast<std::size_t>(std::ranges::count_if(kinds_, is_wanted)));
        for (std::uint64_t k = 0; k < kinds_.size(); ++k)
            if (is_wanted(kinds_[k]))
                some.push_back(piece_.pairs[k]);
        return some;
    }

private:
    static double cells_of(PairView const & pair) { return static_cast<double>(pair.m) * static_cast<double>(pair.n); }
    double cpu_seconds(double cells) const { return cells * cpu_cell_ / threads_; }
    void take(std::optional<cuda::BatchModel> model)
    {
        model_ = std::move(model);
        if (model_) {
            model_->queries_kept = queries_kept_;
            model_->targets_kept = targets_kept_;
        }
        cpu_cell_ = cpu_cell_seconds(piece_, model_ && (model_->one_query || model_->couples));
    }
    Kind kind_of(PairView const & pair, Load & its) const
    {
        double const cells = cells_of(pair), computed = model_ && piece_.request.top == 1 ? model_->cells(pair) : 0;
        its.cpu = cpu_seconds(pair.m > full_rows && computed > 0 ? computed : cells); // both find bands of long pairs
        if (computed > 0) {
            its = {1, model_->letters(pair), computed, model_->alone_seconds(pair), 0, its.cpu};
            return Kind::together;
        }
        its.singles = single_seconds(pair);
        bool const gains = piece_.request.top > 1 ? cells >= cells_for_gpu_top : its.cpu > its.singles;
        return gains ? Kind::alone : Kind::cpu;
    }
    struct Last { // of equally long pairs all of this is the same
        std::uint64_t m = 0, n = 0;
        Load load;
        Kind kind{};
    };
    Kind add(std::uint64_t p, Loads & sums, Last * last = nullptr) const
    {
        PairView const pair = piece_.batch.view(p);
        Last own;
        Last & its = last ? *last : own;
        if (its.m != pair.m || its.n != pair.n) {
            its = {pair.m, pair.n, {}, {}};
            its.kind = kind_of(pair, its.load);
        }
        sums[static_cast<std::size_t>(its.kind)].add(its.load);
        return its.kind;
    }

    Piece const & piece_;
    int const threads_;
    bool const may_be_similar_;
    double const queries_kept_, targets_kept_;
    std::optional<cuda::BatchModel> model_; // of pairs that are aligned together
    double cpu_cell_ = 0;
    bool is_worth_a_look_ = false;
    Array<Kind> kinds_; // of the pairs
    Loads loads_{};     // by their kinds
};

// Of all pairs, by what the CPU takes for some of them; infinity: more than `most`.
double measured_seconds(Piece const & piece, std::span<std::uint64_t const> pairs, Backend & cpu, double most,
                        Monitor & monitor)
{
    PairView const first = piece.batch.view(pairs[0]);
    auto const threads = static_cast<std::uint64_t>(cpu.threads());
    std::uint64_t const wanted =
        std::min(threads * std::clamp(sampled_letters / (first.m + first.n), least_sampled, most_sampled),
                 std::max<std::uint64_t>(1, pairs.size() / part_sampled));
    struct Side {
        std::vector<std::uint8_t> bytes;
        std::vector<std::uint64_t> offsets{0};
        void add(CodedSequences const & from, std::uint64_t i)
        {
            bytes.insert(bytes.end(), from.letters(i), from.letters(i) + from.length(i));
            offsets.push_back(bytes.size());
        }
        CodedSequences coded(Scoring const & scoring) const { return {{bytes, offsets}, scoring}; }
    } queries, targets;
    for (std::uint64_t k = 0; k < wanted; ++k) {
        Pair const pair = piece.batch.pairs[pairs[k * pairs.size() / wanted]];
        queries.add(piece.batch.queries, pair.query);
        targets.add(piece.batch.targets, pair.target);
    }
    CodedSequences const coded_queries = queries.coded(piece.scoring), coded_targets = targets.coded(piece.scoring);
    std::vector<Pair> some;
    std::vector<std::uint64_t> valid;
    for (std::uint64_t k = 0; k < wanted; ++k) {
        some.push_back({k, k});
        if (coded_queries.is_valid(k) && coded_targets.is_valid(k))
            valid.push_back(k);
    }
    if (valid.empty())
        return 0;
    double const scale = static_cast<double>(pairs.size()) / static_cast<double>(valid.size());
    return scale * cpu.measured_seconds({{coded_queries, coded_targets, some}, valid, piece.scoring, piece.request},
                                        most / scale, monitor);
}

} // namespace

EngineChoice::EngineChoice(Piece const & piece, Backend & cpu, double start_seconds, Backend * gpu, Monitor & monitor)
{
    if (!piece.request.mode.has_usual_rules() || piece.pairs.empty()) // bands and other ties are the CPU's
        return;
    Chooser const chooser{piece, cpu.threads(), gpu, monitor.team()};
    if (!chooser.is_worth_a_look())
        return;
    Load const &together = chooser.load(Kind::together), &alone = chooser.load(Kind::alone);
    double const others = chooser.load(Kind::cpu).cpu;
    double const seconds_together = chooser.gpu_seconds(together), seconds_alone = chooser.gpu_seconds(alone);
    bool gains_together = together.cpu > seconds_together;
    double const gain = alone.cpu - seconds_alone + (gains_together ? together.cpu - seconds_together : 0);
    if (gain <= (piece.request.top > 1 ? 0 : start_seconds)) {
        double const gaining = alone.cpu + (gains_together ? together.cpu : 0);
        if (gain > 0)
            missed_ = {seconds_alone + (gains_together ? seconds_together : 0),
                       gaining / (alone.cpu + together.cpu + others)};
        return;
    }
    auto const pairs_of = [&](Kind kind) { return chooser.pairs([=](Kind its) { return its == kind; }); };
    bool const all = gains_together && chooser.are_all(Kind::together);
    std::vector<std::uint64_t> const listed =
        gains_together && !all ? pairs_of(Kind::together) : std::vector<std::uint64_t>{};
    std::span<std::uint64_t const> const pairs = all ? piece.pairs : listed;
    if (gains_together && chooser.may_be_similar() && !chooser.tries_all()) {
        double const most = seconds_together + (seconds_alone > 0 ? 0 : start_seconds);
        if (measured_seconds(piece, pairs, cpu, most, monitor) <= most) {
            gains_together = false;
            missed_ = {seconds_together, together.cpu / (together.cpu + others)};
        }
    }
    if (all && gains_together && !chooser.tries_all()) {
        all_on_gpu_ = piece.pairs;
        return;
    }
    if (chooser.may_be_similar())
        tries_.pairs = pairs_of(Kind::alone);
    else
        on_gpu_ = pairs_of(Kind::alone);
    if (gains_together)
        add(pairs, chooser.tries_all() ? tries_.pairs : on_gpu_);
    if (!tries_.pairs.empty())
        tries_.seconds = chooser.gpu_seconds_of_similar(tries_.pairs) + (on_gpu_.empty() ? start_seconds : 0);
    if (!on_gpu_.empty() || !tries_.pairs.empty())
        on_cpu_ =
            chooser.pairs([&](Kind kind) { return kind == Kind::cpu || (kind == Kind::together && !gains_together); });
}

} // namespace nwgpu
