// SPDX-License-Identifier: BSD-3-Clause
// What a warp computes, without a GPU: the lanes of the sweep kernels in lockstep on the CPU, against the plain
// recurrence.
#include <gtest/gtest.h>

#include <array>
#include <optional>
#include <vector>

#include "cuda/kernels/packed_field.cuh"
#include "cuda/kernels/plain_field.cuh"
#include "cuda/kernels/raw_columns.hpp"
#include "cuda/kernels/scheme.hpp"
#include "support/cases.hpp"

namespace nwgpu::test {
namespace {

using cuda::Entry;
using cuda::StripBest;
using cuda::SweepArgs;
using Score = std::int32_t;
using Line = std::vector<Entry<Score>>;

// H and the gap scores next to it, for all cells; index 0 is the border.
struct Matrix {
    std::uint64_t m, n;
    std::vector<Score> h, e_next, f_next; // e_next(i, j) is E(i, j + 1), f_next(i, j) is F(i + 1, j)
    std::size_t at(std::uint64_t i, std::uint64_t j) const { return i * (n + 1) + j; }
};

Matrix plain_matrix(PairView const & pair, Scoring const & scoring, bool local)
{
    Matrix x{pair.m, pair.n, {}, {}, {}};
    x.h.resize((x.m + 1) * (x.n + 1));
    x.e_next = x.f_next = x.h;
    auto const open = static_cast<Score>(scoring.gap().open), extend = static_cast<Score>(scoring.gap().extend);
    auto const border = [&](std::uint64_t k) { return local || k == 0 ? 0 : -open - static_cast<Score>(k) * extend; };
    for (std::uint64_t i = 0; i <= x.m; ++i)
        for (std::uint64_t j = 0; j <= x.n; ++j) {
            Score h;
            if (i == 0 || j == 0) {
                h = border(i + j);
                x.e_next[x.at(i, j)] = x.f_next[x.at(i, j)] = h - open - extend;
            } else {
                Score const e = x.e_next[x.at(i, j - 1)], f = x.f_next[x.at(i - 1, j)];
                auto const s = static_cast<Score>(scoring.score(pair.query[i - 1], pair.target[j - 1]));
                h = std::max({x.h[x.at(i - 1, j - 1)] + s, e, f, local ? 0 : INT32_MIN});
                x.e_next[x.at(i, j)] = std::max(e - extend, h - open - extend);
                x.f_next[x.at(i, j)] = std::max(f - extend, h - open - extend);
            }
            x.h[x.at(i, j)] = h;
        }
    return x;
}

// What a lane's half keeps of a column, as sweep_kernel.cuh stores it and columns.cu reads it.
template <class Field>
void keep_half(Field const & lane, SweepArgs<Score> const & args, int half, std::uint32_t col, Line & column)
{
    Entry<Score> const first = lane.unpack_column(half, 0, col);
    for (int r = 0; r < Field::rows_per_lane / Field::halves; ++r) {
        Entry<Score> & entry = column[lane.first_row(half) + r];
        entry = first;
        if constexpr (!Field::raw_columns)
            entry = lane.unpack_column(half, r, col);
        else if (r > 0)
            entry = cuda::from_raw(lane.raw_column(half, r), first.h, r, Field::local ? 0 : args.extend, args.extend);
    }
}

// One strip as sweep_kernel.cuh runs it; `top` becomes its bottom.  `column`: the one left of target letter `cut`.
template <class Field>
StripBest<Score> run_strip(SweepArgs<Score> const & args, std::uint8_t const * query, std::uint32_t rows,
                           std::vector<std::uint8_t> const & target, Line & top, cuda::LeftBoundary<Score> const & left,
                           std::uint32_t cut, Line & column)
{
    column.resize(Field::strip_rows);
    std::vector<char> profile((args.letters + 1) * Field::letter_bytes + 16);
    char * const aligned = profile.data() + (16 - reinterpret_cast<std::uintptr_t>(profile.data()) % 16) % 16;
    std::vector<Field> lanes;
    for (int lane = 0; lane < 32; ++lane) {
        lanes.emplace_back(args, lane, left.at(-1).h);
        lanes.back().start(left, rows);
        Field::build_profile(aligned, args, query, rows, lane);
    }
    auto const cols = static_cast<std::uint32_t>(target.size());
    auto const offset = [&](std::int64_t col) {
        std::uint32_t const letter = col < 0 ? 0 : col < cols ? target[static_cast<std::size_t>(col)] : args.letters;
        return letter * Field::letter_bytes;
    };
    Line const above = top;
    std::array<typename Field::Hand, 32> hands{};
    std::uint32_t const blocks = (cols + Field::lag_total + 31) / 32;
    for (std::uint32_t block = 0; block < blocks; ++block) {
        if constexpr (!Field::finds_cell)
            if (block % 8 == 2)
                for (Field & lane : lanes)
                    lane.note_best(block * 32);
        if (block % 8 == 2 && block * 32 + 32 <= cols) {
            Score const middle = lanes[16].middle();
            for (int lane = 0; lane < 32; ++lane)
                hands[lane] = lanes[lane].rebase(middle, hands[lane]);
        }
        std::array<typename Field::Hand, 32> bottom{};
        for (int lane = 0; lane < 32; ++lane)
            lanes[lane].set_floor(args, block * 32 - Field::lag * lane);
        for (std::uint32_t step = block * 32; step < block * 32 + 32; ++step) {
            std::array<typename Field::Hand, 32> const before = hands;
            for (int lane = 0; lane < 32; ++lane) {
                std::int64_t const col = static_cast<std::int64_t>(step) - Field::lag * lane;
                auto const in = lane > 0      ? before[lane - 1]
                                : step < cols ? lanes[0].pack_top(above[step], step)
                                              : lanes[0].beyond_end();
                char const * const mine = aligned + Field::profile_offset(lane);
                Field const old = lanes[lane];
                lanes[lane].step(in, Field::load_scores(mine + offset(col), mine + offset(col - 1)));
                if (step <= Field::lag_total + 31)
                    lanes[lane].undo(old, static_cast<std::uint32_t>(col));
                for (int half = 0; half < Field::halves; ++half)
                    if (col - half + 1 == cut)
                        keep_half(lanes[lane], args, half, cut - 1, column);
                hands[lane] = lanes[lane].hand();
                if constexpr (Field::finds_cell)
                    lanes[lane].note_best(0, static_cast<std::uint32_t>(col));
            }
            bottom[step % 32] = hands[31];
        }
        for (int k = 0; k < 32; ++k) {
            std::int64_t const col = static_cast<std::int64_t>(block) * 32 + k - Field::lag_total;
            if (col >= 0 && col < cols)
                top[static_cast<std::size_t>(col)] = lanes[0].unpack_bottom(bottom[k], static_cast<std::uint32_t>(col));
        }
    }
    StripBest<Score> best{0, 0, 0};
    for (Field & lane : lanes) {
        if constexpr (!Field::finds_cell)
            lane.note_best(blocks * 32);
        if (lane.best.score > best.score)
            best = lane.best;
    }
    return best;
}

template <class Field>
void check_pair(SequencePair const & letters, Scoring const & scoring, bool local, std::string const & words)
{
    PairSet const set{{letters}, scoring};
    PairView const pair = set.view(0);
    Matrix const x = plain_matrix(pair, scoring, local);
    cuda::ScoreTable const table{set.batch(), scoring};
    SweepArgs<Score> args;
    args.scores = table.scores.data();
    args.letters = table.target_letters;
    args.open = static_cast<Score>(scoring.gap().open);
    args.extend = static_cast<Score>(scoring.gap().extend);
    args.floor = local ? 0 : INT32_MIN / 2;
    std::vector<std::uint8_t> query, target;
    for (std::uint64_t i = 0; i < pair.m; ++i)
        query.push_back(table.query_map[pair.query[i]]);
    for (std::uint64_t j = 0; j < pair.n; ++j)
        target.push_back(table.target_map[pair.target[j]]);
    auto const entry = [](Score h, Score gap) { return Entry<Score>{h, gap}; };
    args.code = cuda::KeptCode<Score>::of(args.open, args.extend);
    Line top;
    std::vector<cuda::Kept<Score>> left;
    for (std::uint64_t j = 1; j <= x.n; ++j)
        top.push_back(entry(x.h[x.at(0, j)], x.f_next[x.at(0, j)]));
    for (std::uint64_t i = 0; i <= x.m; ++i)
        left.push_back(args.code.keep({x.h[x.at(i, 0)], x.e_next[x.at(i, 0)]}));
    for (std::uint64_t row = 0; row < x.m; row += Field::strip_rows) {
        auto const rows = static_cast<std::uint32_t>(x.m - row);
        std::uint64_t const cut = 1 + (row + x.n / 2) % x.n;
        Line column;
        StripBest<Score> const best =
            run_strip<Field>(args, query.data() + row, rows, target, top, {args.code, left.data() + row + 1},
                             static_cast<std::uint32_t>(cut), column);
        std::uint64_t const end = std::min<std::uint64_t>(row + Field::strip_rows, x.m);
        for (std::uint64_t i = row + 1; i <= end; ++i) {
            Entry<Score> const kept = args.code.show(args.code.keep(column[i - row - 1]));
            ASSERT_EQ(kept.h, x.h[x.at(i, cut)]) << words << " kept cell " << i << ", " << cut;
            ASSERT_EQ(kept.gap, x.e_next[x.at(i, cut)]) << words << " E right of " << i << ", " << cut;
        }
        if (local) {
            Score most = 0;
            std::uint64_t first = x.n;
            for (std::uint64_t j = 1; j <= x.n; ++j)
                for (std::uint64_t i = row + 1; i <= end; ++i)
                    if (x.h[x.at(i, j)] > most) {
                        most = x.h[x.at(i, j)];
                        first = j - 1;
                    }
            ASSERT_EQ(best.score, most) << words << " row " << row;
            if (most > 0 && !Field::finds_cell) {
                ASSERT_LT(first, best.col) << words << " row " << row;
                ASSERT_GE(first + cuda::best_window, std::min<std::uint64_t>(best.col, x.n)) << words << " row " << row;
            }
        }
        if (end == row + Field::strip_rows)
            for (std::uint64_t j = 1; j <= x.n; ++j) {
                ASSERT_EQ(top[j - 1].h, x.h[x.at(end, j)]) << words << " cell " << end << ", " << j;
                if (!local || x.f_next[x.at(end, j)] > 0) // below the floor F does not matter
                    ASSERT_EQ(top[j - 1].gap, x.f_next[x.at(end, j)]) << words << " F below " << end << ", " << j;
            }
    }
}

template <int pairs, bool local>
void check_packed(Scheme const & s, SequencePair const & letters, std::string const & words)
{
    if (cuda::most_packed_rows(s.scoring, local) < pairs)
        return;
    std::string const all =
        words + " scheme=" + s.name + " pairs=" + std::to_string(pairs) + (local ? " local" : " global");
    if (s.scoring.gap().open == 0)
        check_pair<cuda::PackedField<pairs, local, true>>(letters, s.scoring, local, all);
    else
        check_pair<cuda::PackedField<pairs, local, false>>(letters, s.scoring, local, all);
}

TEST(Field, StripsEqualPlainRecurrence)
{
    Random random{31};
    for (Scheme const & s : all_schemes())
        for (auto const & [m, n] : {std::pair{700, 900}, {256, 64}, {257, 33}, {100, 700}}) {
            SequencePair const letters = random_pair(random, random.pick(all_models()), static_cast<std::uint64_t>(m),
                                                     static_cast<std::uint64_t>(n), s.letters);
            std::string const words = "Field seed=31 m=" + std::to_string(m) + " n=" + std::to_string(n);
            check_packed<2, false>(s, letters, words);
            check_packed<3, true>(s, letters, words);
            check_packed<4, true>(s, letters, words);
            check_packed<12, false>(s, letters, words);
            check_packed<8, true>(s, letters, words);
            if (path::keeps_in_32_bits(s.scoring, 2000, 2000)) {
                check_pair<cuda::PlainField<Score, false>>(letters, s.scoring, true, words + " plain local " + s.name);
                check_pair<cuda::PlainField<Score, false>>(letters, s.scoring, false,
                                                           words + " plain global " + s.name);
            }
        }
}

TEST(Field, BoundariesAreKeptInOneWord)
{
    for (Score const open : {0, 1, 2, 3, 11, 15, 16, 1000})
        for (Score const extend : {0, 1, 7}) {
            auto const code = cuda::KeptCode<Score>::of(open, extend);
            Score const most = (1 << (31 - code.bits)) - 1;
            for (Score const h : {0, 1, -1, 12345, -54321, most, -most})
                for (Score const part : {Score{0}, open / 2, open}) {
                    Entry<Score> const entry = code.show(code.keep({h, h - extend - part}));
                    ASSERT_EQ(entry.h, h) << open << " " << extend;
                    ASSERT_EQ(entry.gap, h - extend - part) << open << " " << extend << " " << h;
                }
            // A gap that local kernels left below what opening one is worth.
            EXPECT_EQ(code.show(code.keep({5, 5 - 2 * open - 9 * extend - 50})).gap, 5 - open - extend);
        }
}

// Scores beyond 16 bits: the base has to move with them.
TEST(Field, BasesFollowTheScores)
{
    Random random{32};
    for (char const * const name : {"dna_5_3_8_1", "dna_2_4_4_2", "BLOSUM62_11_1"}) {
        Scheme const & s = scheme(name);
        if (!is_thorough() && s.name != "dna_5_3_8_1")
            continue;
        SequencePair const letters = random_pair(random, Model::mutated, 9000, 9000, s.letters, 0.02);
        check_packed<8, true>(s, letters, "Field seed=32");
        check_packed<16, true>(s, letters, "Field seed=32");
        check_packed<16, false>(s, letters, "Field seed=32");
    }
}

} // namespace
} // namespace nwgpu::test
