// SPDX-License-Identifier: BSD-3-Clause
#include "cuda/batch/chunk.hpp"

#include "cuda/batch/residues.hpp"
#include "model/two_bits.hpp"
#include "path/most_runs.hpp"

namespace nwgpu::cuda::batch {

namespace {

// Enough to fill a device, few enough to be done within some milliseconds.
constexpr std::uint64_t most_pairs = 1 << 16, most_letters_of_chunk = 128u << 20, most_stored = std::uint64_t{12} << 30,
                        most_lines = 256u << 20, most_runs_of_chunk = 64u << 20, most_cells = 20'000'000'000;
// Of what a chunk may take, for residues or lines; of the rest, for letters with what they travel as, and for runs.
constexpr double stored_part = 0.75, letters_part = 0.3, runs_part = 0.3;
// Per pair: where it is and its answer, keys and indices of sorting.
constexpr std::uint64_t bytes_per_pair = sizeof(ChunkPair) + sizeof(Answer) + 16 + 8 + 4 + 4 + 24;

constexpr std::uint64_t host_bytes_per_pair = sizeof(ChunkPair) + sizeof(Answer) + 1;

constexpr std::uint64_t bytes_of_tables = 1 << 20; // of a chunk, on the device, small ones

constexpr std::uint64_t least_ring_rows = 256; // bands save little of fewer
constexpr int most_fall = 20000;               // of numbers, from the diagonal to the left end of a band
constexpr int most_fall_of_chain = 62000;      // with what the pair loses
// How much slower all cells have to be for a band that may prove nothing.
constexpr std::uint64_t ring_gain = 2;

ClassOfRows const & classes(bool large_profiles)
{
    auto const make = [](bool large) {
        ClassOfRows all{};
        for (std::uint32_t m = 1; m <= most_rows; ++m)
            all[m] = static_cast<std::uint8_t>(shape_for(m, large).index());
        return all;
    };
    static ClassOfRows const small = make(false), large = make(true);
    return large_profiles ? large : small;
}

} // namespace

int BatchWork::serves(GroupShape const & ring, int m, int n) const
{
    int const there = ring_half_width(ring, m, n), rise = scheme.best + 2 * scheme.extend;
    std::int64_t const fall = std::int64_t{ring_low(ring, m, n)} * rise;
    if (there < 0 || !ring.is_chain())
        return fall <= most_fall ? there : -1;
    if (stores && stored_lanes(ring, m, n) == 0)
        return -1;
    // A pair that needs a half-width loses as much as that falls.
    return fall > most_fall_of_chain ? -1 : std::min(there, static_cast<int>((most_fall_of_chain - fall) / rise));
}

BatchWork::Rings BatchWork::rings_for(std::uint64_t m, std::uint64_t n) const
{
    std::uint64_t const longest = std::max(m, n);
    if (!has_rings || m < least_ring_rows || longest > (has_chains ? most_chain_letters : most_columns))
        return {0, 0};
    return {forced_warps || longest > most_columns ? GroupShape{2, 5, true, std::max(1, forced_warps)}.index()
                                                   : group_classes,
            has_chains ? first_group_chain : first_chain};
}

int BatchWork::class_of(PairView const & pair, std::uint32_t half_width) const
{
    int group = -1;
    if (std::max(pair.m, pair.n) <= most_columns && scheme.fits(pair.m, pair.n))
        group = is_lone()                              ? (pair.n <= longest_coupled ? couple_class : -1)
                : pair.m <= most_rows && !forced_warps ? (*classes)[pair.m]
                : has_chains && !scheme.local          ? chain_for(pair.m)
                : long_couples                         ? couple_class
                                                       : -1;
    auto const m = static_cast<int>(pair.m), n = static_cast<int>(pair.n);
    auto const cost = [&](int which) {
        return static_cast<std::uint64_t>(GroupShape::of(which).cost()) * steps_of(GroupShape::of(which), m, n);
    };
    Rings const rings = rings_for(pair.m, pair.n);
    for (int ring = rings.first; ring < rings.end; ++ring)
        if (serves(GroupShape::of(ring), m, n) >= static_cast<std::int64_t>(half_width))
            return group < 0 || cost(ring) * (half_widths.empty() ? ring_gain : 1) <= cost(group) ? ring : group;
    return group;
}

std::uint32_t BatchWork::most_half_width(PairView const & pair) const
{
    if (class_of(pair, UINT32_MAX) >= 0)
        return UINT32_MAX;
    Rings const rings = rings_for(pair.m, pair.n);
    int most = 0;
    for (int ring = rings.first; ring < rings.end; ++ring)
        most = std::max(most, serves(GroupShape::of(ring), static_cast<int>(pair.m), static_cast<int>(pair.n)));
    return static_cast<std::uint32_t>(most);
}

double BatchWork::cells(PairView const & pair) const
{
    int const which = class_of(pair, first_half_width(pair));
    if (which < 0)
        return 0;
    GroupShape const shape = GroupShape::of(which);
    if (!shape.ring)
        return static_cast<double>(pair.cells());
    return static_cast<double>(shape.capacity()) * steps_of(shape, static_cast<int>(pair.m), static_cast<int>(pair.n));
}

std::optional<BatchWork> make_work(Scoring const & scoring, Request const & request, bool one_query)
{
    bool const is_usual = request.mode.has_usual_rules() && !request.mode.is_extension() && request.top == 1 &&
                          request.checkpoint.folder.empty();
    auto const scheme = is_usual ? make_batch_scheme(scoring, request.mode) : std::nullopt;
    if (!scheme)
        return std::nullopt;
    Mode const & mode = request.mode;
    BatchWork work;
    work.scheme = *scheme;
    work.path = request.output >= Output::span;
    work.cigar = request.output == Output::cigar;
    // The corner's score and the best local cell are found without.
    work.ends = mode.local && request.output == Output::end;
    work.stores = work.path || mode.free_query_end || mode.free_target_end;
    if (work.stores && scheme->bits == 0)
        return std::nullopt;
    work.may_couple = mode.local && !work.stores && !work.ends;
    work.one_query = one_query;
    work.classes = &classes(!scoring.is_uniform() && !one_query);
    work.has_rings = mode == Mode{} && !request.every_cell && scheme->uniform && (!work.stores || scheme->bits == 4) &&
                     scheme->best + 2 * scheme->extend > 0;
    return work;
}

void Sums::add(Sums const & other)
{
    if (suited == 0)
        front = other.front;
    in_rows = in_rows && other.in_rows &&
              (other.suited == 0 || other.front == front.behind(static_cast<std::uint32_t>(suited)));
    pairs += other.pairs;
    suited += other.suited;
    cells += other.cells;
    all_cells += other.all_cells;
    query_letters += other.query_letters;
    target_letters += other.target_letters;
    runs += other.runs;
    stored += other.stored;
    lines += other.lines;
    most_steps = std::max(most_steps, other.most_steps);
    least_steps = std::min(least_steps, other.least_steps);
    for (std::size_t k = 0; k < lanes.size(); ++k)
        lanes[k] += other.lanes[k];
    classes |= other.classes;
    first_query = std::min(first_query, other.first_query);
    last_query = std::max(last_query, other.last_query);
    first_target = std::min(first_target, other.first_target);
    last_target = std::max(last_target, other.last_target);
}

// A warp stores what the pair with the most steps needs.  The pairs of a class are sorted by their steps: none of a
// warp has more than any of the warp before, so each warp stores no more than the average of the one before, but for
// the first one.  Chains have one pair each.
std::uint64_t Sums::stored_bytes(int bits) const
{
    std::uint64_t bytes = bits == 0 ? lines : stored;
    for (int c = 0; c < first_chain && bits > 0; ++c)
        if (classes >> c & 1)
            bytes += batch::stored_bytes(most_steps, GroupShape::of(c).rows(), bits);
    return bytes;
}

namespace {

// What a pair adds to the sums, whose lengths say all of it but where the pair lies in the batch. Of pairs with a query
// of one length it may also be that of those with shorter targets.
class Description {
public:
    Description(BatchWork const & work, PairView const & pair, int class_index) :
        m_{pair.m}, n_{pair.n}, class_{class_index}
    {
        if (class_index < 0)
            return;
        GroupShape const shape = GroupShape::of(class_index);
        auto const m = static_cast<int>(m_), n = static_cast<int>(n_);
        int const bits = work.bits();
        steps_ = steps_of(shape, m, n);
        cells_ = shape.ring ? std::uint64_t{shape.capacity()} * steps_ : pair.cells();
        lanes_ = static_cast<std::uint32_t>(shape.lanes());
        kernel_ = static_cast<std::size_t>(kernel_index(shape));
        in_proportion_ = bits == 0 && !work.has_rings; // what fits the numbers does so with fewer letters
        has_lines_ = work.may_couple;
        if (work.cigar)
            runs_ = path::most_runs(m_, n_, false);
        if (!has_lines_ && bits > 0)
            stored_ = shape.is_chain()
                          ? stored_bytes(steps_, shape.rows(), bits, piece_bytes_of(shape, m, n))
                          : (std::uint64_t{steps_} + 1) / 2 * (stored_bytes(2, shape.rows(), bits) * lanes_ / 32);
    }

    bool is_of(PairView const & pair) const
    {
        return pair.m == m_ && (pair.n == n_ || (in_proportion_ && pair.n < n_));
    }
    bool suits() const { return class_ >= 0; }
    ChunkPair at(std::uint64_t query, std::uint64_t target, std::uint64_t n) const
    {
        constexpr std::uint32_t most_bits = (1u << 24) - 1; // which hold all lengths that suit
        return {static_cast<std::uint32_t>(query), static_cast<std::uint32_t>(target),
                static_cast<std::uint32_t>(m_) & most_bits, static_cast<std::uint32_t>(n) & most_bits,
                static_cast<std::uint8_t>(class_)};
    }
    // Lengths of the targets of some such pairs.
    struct Targets {
        std::uint64_t count = 0, letters = 0, shortest = UINT64_MAX, longest = 0;

        void add(std::uint64_t n)
        {
            ++count;
            letters += n;
            shortest = std::min(shortest, n);
            longest = std::max(longest, n);
        }
    };
    void add_to(Sums & sums, Targets const & targets) const
    {
        if (!suits() || targets.count == 0)
            return;
        auto const steps = [&](std::uint64_t n) { return steps_ - static_cast<std::uint32_t>(n_ - n); };
        sums.suited += targets.count;
        sums.all_cells += m_ * targets.letters;
        sums.cells += in_proportion_ ? m_ * targets.letters : targets.count * cells_;
        sums.query_letters += targets.count * m_;
        sums.target_letters += targets.letters;
        sums.runs += targets.count * runs_;
        sums.lines += has_lines_ ? targets.letters * line_bytes : 0;
        sums.stored += targets.count * stored_;
        sums.most_steps = std::max(sums.most_steps, steps(targets.longest));
        sums.least_steps = std::min(sums.least_steps, steps(targets.shortest));
        sums.lanes[kernel_] += static_cast<std::uint32_t>(targets.count) * lanes_;
        sums.classes |= std::uint64_t{1} << class_;
    }

private:
    std::uint64_t m_, n_, cells_ = 0, runs_ = 0, stored_ = 0; // of a group its share of a warp's
    int class_;
    bool in_proportion_ = false; // to the target's letters, but for steps, which are fewer by as many
    bool has_lines_ = false;
    std::uint32_t steps_ = 0, lanes_ = 0;
    std::size_t kernel_ = 0;
};

} // namespace

Sums sums_of(Piece const & piece, BatchWork const & work, std::uint64_t first, std::uint64_t last, ChunkPair * pairs)
{
    Sums sums;
    sums.pairs = last - first;
    // Else neighbours of like lengths are described once.
    bool const position_matters = !work.half_widths.empty() || !work.couples.empty();
    std::uint8_t const * const queries = piece.batch.queries.codes(0);
    std::uint8_t const * const letters = piece.batch.targets.codes(0);
    std::optional<Description> its;
    Description::Targets targets; // of the pairs that it describes
    std::uint64_t suited = 0;     // pairs so far that suit
    for (std::uint64_t k = first; k < last; ++k) {
        std::uint64_t const p = piece.pairs[k];
        PairView const pair = piece.batch.view(p);
        if (!its || position_matters || !its->is_of(pair)) {
            if (its)
                its->add_to(sums, targets);
            targets = {};
            its.emplace(work, pair, work.class_of(pair, k));
        }
        targets.add(pair.n);
        if (!its->suits()) {
            if (pairs)
                pairs[k - first] = {};
            continue;
        }
        ChunkPair const here = its->at(static_cast<std::uint64_t>(pair.query - queries),
                                       static_cast<std::uint64_t>(pair.target - letters), pair.n);
        if (pairs)
            pairs[k - first] = here;
        if (suited == 0)
            sums.front = here;
        sums.in_rows = sums.in_rows && here == sums.front.behind(static_cast<std::uint32_t>(suited));
        ++suited;
        Pair const indices = piece.batch.pairs[p];
        sums.first_query = std::min(sums.first_query, indices.query);
        sums.last_query = std::max(sums.last_query, indices.query);
        sums.first_target = std::min(sums.first_target, indices.target);
        sums.last_target = std::max(sums.last_target, indices.target);
    }
    if (its)
        its->add_to(sums, targets);
    return sums;
}

Limits limits_for(std::uint64_t device_bytes, std::uint64_t host_bytes, BatchWork const & work)
{
    if (device_bytes < bytes_of_tables || (host_bytes != 0 && host_bytes < least_host_bytes))
        return {};
    double const all = static_cast<double>(device_bytes - bytes_of_tables),
                 stored = work.stores || work.may_couple ? stored_part * all : 0, rest = all - stored;
    // Of the host: letters, pairs and answers, and the runs that come back.
    double const host = host_bytes == 0 ? 1e18 : static_cast<double>(host_bytes);
    auto const least = [](double a, double b, std::uint64_t most) {
        return static_cast<std::uint64_t>(std::min({a, b, static_cast<double>(most)}));
    };
    Limits limits;
    limits.pairs = least(0.4 * rest / static_cast<double>(bytes_per_pair), host / 5 / host_bytes_per_pair, most_pairs);
    limits.letters = least(letters_part * rest / 81 * 64, host / 10, most_letters_of_chunk);
    limits.stored = std::min(static_cast<std::uint64_t>(stored), work.stores ? most_stored : most_lines);
    limits.runs = work.cigar ? least(runs_part * rest / 8, host / 5 / 4, most_runs_of_chunk) : 0;
    limits.cells = work.may_couple ? 2 * most_cells : most_cells;
    return limits;
}

std::uint64_t device_bytes(Limits const & limits)
{
    return limits.pairs * bytes_per_pair + limits.letters + TwoBitLayout{limits.letters}.most_bytes() + limits.stored +
           8 * limits.runs + bytes_of_tables;
}

std::uint64_t host_bytes(Limits const & limits)
{
    std::uint64_t const bytes = limits.pairs * host_bytes_per_pair + 2 * limits.letters + 4 * limits.runs;
    return bytes + bytes / 4 + (5 << 20); // buffers grow by more than is asked for, those of letters apart
}

} // namespace nwgpu::cuda::batch
