// SPDX-License-Identifier: BSD-3-Clause
#include "checkpoint/problem.hpp"

#include <algorithm>

#include "base/fingerprint.hpp"

namespace nwgpu::checkpoint {

namespace {

// Above all lengths that engines take (2^31 letters a pair), and far below what makes a product of two of them wrap.
constexpr std::uint64_t most_letters = std::uint64_t{1} << 32;

std::uint64_t fingerprint_of(PairView const & pair)
{
    Fingerprint sum;
    sum.add(std::as_bytes(std::span{pair.query, pair.m}));
    sum.add(std::as_bytes(std::span{pair.target, pair.n}));
    return sum.value();
}

std::uint64_t fingerprint_of(Scoring const & scoring)
{
    bool const uniform = scoring.is_uniform();
    std::int64_t const numbers[] = {scoring.size(), uniform ? scoring.match() : 0, uniform ? scoring.mismatch() : 0,
                                    scoring.gap().open, scoring.gap().extend};
    Fingerprint sum;
    sum.add_value(numbers);
    sum.add(std::as_bytes(std::span{scoring.scores()}));
    return sum.value();
}

std::uint64_t fingerprint_of(Mode const & mode)
{
    Diagonals const band = mode.band.value_or(Diagonals{});
    std::int64_t const numbers[] = {mode.local + 2 * mode.extend + 4 * mode.extend_left,
                                    mode.free_query_begin,
                                    mode.free_query_end,
                                    mode.free_target_begin,
                                    mode.free_target_end,
                                    mode.band.has_value(),
                                    band.lower,
                                    band.upper,
                                    static_cast<std::int64_t>(mode.ties)};
    Fingerprint sum;
    sum.add_value(numbers);
    return sum.value();
}

bool is_array_of(std::uint64_t bytes, std::uint64_t entries, std::uint64_t entry_bytes)
{
    return bytes % entry_bytes == 0 && bytes / entry_bytes == entries;
}

std::string lengths(Identity const & pair)
{
    return std::to_string(pair.query_length) + " x " + std::to_string(pair.target_length) + " letters";
}

} // namespace

Problem::Problem(PairView const & pair, Scoring const & scoring, Mode const & mode) :
    identity_{pair.m, pair.n, fingerprint_of(pair), fingerprint_of(scoring), fingerprint_of(mode)},
    m_{pair.m},
    n_{pair.n},
    mode_{mode},
    gap_{scoring.gap()},
    max_score_{std::max<std::int64_t>(0, scoring.max_score())},
    keeps_in_32_bits_{path::keeps_in_32_bits(scoring, pair.m, pair.n)}
{}

std::string Problem::why_foreign(Identity const & other) const
{
    if (other.query_length != m_ || other.target_length != n_)
        return "of other sequences, of " + lengths(other) + ", not " + lengths(identity_);
    if (other.scoring != identity_.scoring) // whose codes of the same letters may be others
        return "of another scoring";
    if (other.sequences != identity_.sequences)
        return "of other sequences";
    return other.mode != identity_.mode ? "of another mode" : "";
}

// Only global alignments have one (cuda/sweep/band_probe.cpp), as band_around() makes it.
bool Problem::band_is_possible(path::Band const & band) const
{
    if (band.everything())
        return band.high == path::Band{}.high;
    auto const most = static_cast<std::int64_t>(most_letters);
    if (!mode_.global() || band.low < -most || band.low > 0)
        return false;
    std::int64_t const last = static_cast<std::int64_t>(n_) - static_cast<std::int64_t>(m_),
                       half_width = std::min<std::int64_t>(0, last) - band.low;
    return 0 <= half_width && half_width <= static_cast<std::int64_t>(std::max(m_, n_)) &&
           band.high == path::band_around({nullptr, m_, nullptr, n_}, static_cast<std::uint64_t>(half_width)).high;
}

bool Problem::best_is_possible(SlabShape const & shape) const
{
    std::int64_t const score = shape.best_score;
    std::uint64_t const i = shape.best_i, j = shape.best_j;
    if (!mode_.ends_anywhere() && !mode_.free_query_end)
        return score == 0 && i == 0 && j == 0;
    // No score is above that of matches alone, or below that of two gaps.
    std::int64_t const highest = max_score_ * static_cast<std::int64_t>(std::min(shape.end(), n_));
    if (score > highest)
        return false;
    if (mode_.ends_anywhere()) {
        bool const is_cell = 1 <= i && i <= shape.end() && 1 <= j && j <= n_;
        bool const is_known = score > 0 && shape.tile_rows > 0; // without a path, the cell of a score may be unknown
        return score >= 0 && (is_cell ? score > 0 : i == 0 && j == 0 && !is_known);
    }
    return score >= -2 * gap_.open - static_cast<std::int64_t>(m_ + n_) * gap_.extend && 1 <= i && i <= shape.end() &&
           j == n_;
}

std::string Problem::why_damaged(SlabShape const & shape, SlabSizes const & sizes, SlabShape const * above) const
{
    auto const wrong = [](char const * what) { return std::string{"damaged: "} + what; };
    if (shape.row != (above ? above->end() : 0))
        return wrong("this file does not follow the one before");
    if (shape.cols != n_)
        return wrong("its columns are not the target's letters");
    if (shape.rows == 0 || shape.rows >= m_ - shape.row) // the last slab is never saved
        return wrong("its rows are not above the query's last letter");
    if (shape.strip_rows == 0 || shape.strip_rows > most_letters || shape.rows % shape.strip_rows != 0)
        return wrong("its rows are not whole strips");
    if ((shape.tile_rows == 0) != (shape.tile_cols == 0) || shape.tile_rows % shape.strip_rows != 0 ||
        shape.tile_rows > most_letters || shape.tile_cols > most_letters)
        return wrong("it has no such tiles");
    if (!band_is_possible(shape.band) ||
        (above && (shape.band.low != above->band.low || shape.band.high != above->band.high)))
        return wrong("it has no such band");
    bool const is_32_bits = shape.entry_bytes == sizeof(path::Kept<std::int32_t>);
    if (is_32_bits ? !keeps_in_32_bits_ : shape.entry_bytes != sizeof(path::Kept<std::int64_t>))
        return wrong("it has no such entries");
    if (!best_is_possible(shape))
        return wrong("it has no such best cell");
    if (!is_array_of(sizes.bottom, shape.cols, shape.entry_bytes) ||
        !is_array_of(sizes.row_cuts, shape.row_lines().entries, shape.entry_bytes) ||
        !is_array_of(sizes.col_cuts, shape.col_lines().entries, shape.entry_bytes))
        return wrong("its arrays are not as long as its rows and columns ask");
    return "";
}

} // namespace nwgpu::checkpoint
