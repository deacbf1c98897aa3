// SPDX-License-Identifier: BSD-3-Clause
// The band of words against all paths: none that scores enough leaves it.
#include "cpu/pair/word_band.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "support/cases.hpp"

namespace nwgpu::cpu {
namespace {

using namespace test;
using path::Band;

constexpr std::int64_t never = INT64_MIN / 4;

PairView view(std::string const & query, std::string const & target)
{
    auto const bytes = [](std::string const & text) { return reinterpret_cast<std::uint8_t const *>(text.data()); };
    return {bytes(query), query.size(), bytes(target), target.size()};
}

// What the best path through each cell scores, cell by cell.
class AllPaths {
public:
    AllPaths(PairView const & pair, Mode const & mode, Scoring const & scoring) :
        pair_{pair},
        mode_{mode},
        match_{scoring.max_score()},
        mismatch_{scoring.mismatch()},
        gap_{scoring.gap()},
        cols_{pair.n + 1},
        before_((pair.m + 1) * cols_, {never, never, never}),
        through_((pair.m + 1) * cols_, never)
    {
        forward();
        backward();
    }
    std::int64_t best() const { return *std::ranges::max_element(through_); }
    // The outermost diagonals of paths that score so much.
    Band diagonals(std::int64_t score) const
    {
        Band band{INT64_MAX, INT64_MIN};
        for (std::uint64_t i = 0; i <= pair_.m; ++i)
            for (std::uint64_t j = 0; j <= pair_.n; ++j)
                if (through_[i * cols_ + j] >= score) {
                    auto const d = static_cast<std::int64_t>(j) - static_cast<std::int64_t>(i);
                    band = band.with({d, d});
                }
        return band;
    }

private:
    using Ways = std::array<std::int64_t, 3>; // by the last step: a diagonal or none, an insertion, a deletion

    std::int64_t letters(std::uint64_t i, std::uint64_t j) const
    {
        return pair_.query[i] == pair_.target[j] ? match_ : -mismatch_;
    }
    std::int64_t step(int from, int to) const { return -gap_.extend - (from == to ? 0 : gap_.open); }

    void forward()
    {
        for (std::uint64_t i = 0; i <= pair_.m; ++i)
            for (std::uint64_t j = 0; j <= pair_.n; ++j) {
                Ways & here = before_[i * cols_ + j];
                if ((i == 0 || (j == 0 && mode_.free_query_begin)) && (j == 0 || (i == 0 && mode_.free_target_begin)))
                    here[0] = 0;
                for (int from = 0; from < 3; ++from) {
                    if (i > 0 && j > 0)
                        here[0] = std::max(here[0], before_[(i - 1) * cols_ + j - 1][from] + letters(i - 1, j - 1));
                    if (i > 0)
                        here[1] = std::max(here[1], before_[(i - 1) * cols_ + j][from] + step(from, 1));
                    if (j > 0)
                        here[2] = std::max(here[2], before_[i * cols_ + j - 1][from] + step(from, 2));
                }
            }
    }
    void backward()
    {
        std::vector<Ways> behind(through_.size(), {never, never, never});
        for (std::uint64_t i = pair_.m + 1; i-- > 0;)
            for (std::uint64_t j = pair_.n + 1; j-- > 0;) {
                std::uint64_t const cell = i * cols_ + j;
                bool const ends = (i == pair_.m || (j == pair_.n && mode_.free_query_end)) &&
                                  (j == pair_.n || (i == pair_.m && mode_.free_target_end));
                for (int last = 0; last < 3; ++last) {
                    std::int64_t & rest = behind[cell][last];
                    rest = ends ? 0 : never;
                    if (i < pair_.m && j < pair_.n)
                        rest = std::max(rest, behind[cell + cols_ + 1][0] + letters(i, j));
                    if (i < pair_.m)
                        rest = std::max(rest, behind[cell + cols_][1] + step(last, 1));
                    if (j < pair_.n)
                        rest = std::max(rest, behind[cell + 1][2] + step(last, 2));
                    through_[cell] = std::max(through_[cell], before_[cell][last] + rest);
                }
            }
    }

    PairView const pair_;
    Mode const mode_;
    std::int64_t const match_, mismatch_;
    GapCost const gap_;
    std::uint64_t const cols_;
    std::vector<Ways> before_;
    std::vector<std::int64_t> through_;
};

TEST(WordBand, HoldsAllPathsThatScoreEnough)
{
    std::vector<Scoring> const schemes{Scoring::uniform(2, 4, {4, 2}), Scoring::uniform(1, 3, {5, 2}),
                                       Scoring::uniform(5, 4, {10, 1}), Scoring::uniform(2, 4, {0, 2}),
                                       Scoring::uniform(1, 1, {1, 1})};
    std::vector<Mode> const modes{{},
                                  {.free_target_begin = true},
                                  {.free_target_end = true},
                                  {.free_target_begin = true, .free_target_end = true},
                                  {.free_query_begin = true, .free_query_end = true},
                                  {.free_query_end = true}};
    int told = 0, narrower = 0;
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        SCOPED_TRACE(testing::Message() << "seed=" << seed);
        Random random{seed};
        Scoring const & scoring = random.pick(schemes);
        Mode const & mode = random.pick(modes);
        bool const query_free = mode.free_query_begin || mode.free_query_end;
        std::string_view const alphabet = random.chance(0.1) ? "AC" : "ACGT";
        auto const noise = [&](bool wanted) {
            return random_sequence(random, wanted ? random.below(150) : 0, alphabet);
        };
        std::string inner = random_sequence(random, random.between(150, 700), alphabet);
        if (random.chance(0.3)) // the same letters again on other diagonals
            inner += inner.substr(inner.size() / 3, random.below(100));
        std::string outer = mutated(random, inner, alphabet, 0.002 * static_cast<double>(random.below(40)),
                                    random.chance(0.5) ? 0.9 : 0.2);
        if (random.chance(0.2))
            outer = restructured(random, outer, alphabet, 2, 40);
        outer = noise(mode.free_query_begin || mode.free_target_begin) + outer +
                noise(mode.free_query_end || mode.free_target_end);
        PairView const pair = query_free ? view(outer, inner) : view(inner, outer);
        AllPaths const paths{pair, mode, scoring};
        bool const too_high = random.chance(0.2); // no path scores so much
        std::int64_t const score = too_high ? paths.best() + 1 + static_cast<std::int64_t>(random.below(100))
                                            : paths.best() - static_cast<std::int64_t>(random.below(30));
        Band wide;
        if (mode.global()) {
            auto const half_width = path::BandProof{pair, scoring}.half_width(score);
            ASSERT_TRUE(half_width);
            wide = path::band_around(pair, *half_width);
        } else {
            wide = path::band_around(pair, path::free_ends_half_width(pair, mode, scoring, score));
        }
        auto const band = word_band(pair, mode, scoring, score, wide);
        if (!band)
            continue;
        ++told;
        narrower += band->width() < wide.width() / 2;
        if (!too_high) {
            Band const all = paths.diagonals(score);
            EXPECT_LE(band->low, all.low);
            EXPECT_GE(band->high, all.high);
        }
        EXPECT_TRUE(wide.holds(*band));

        BandCut const cut = cut_to_band(pair, *band);
        std::int64_t const best = AllPaths(cut.pair, mode, scoring).best();
        EXPECT_TRUE(too_high ? best < score : best == paths.best()) << best << ' ' << paths.best();
        EXPECT_EQ(query_free ? cut.pair.n : cut.pair.m, inner.size());
        EXPECT_EQ(cut.pair.query, pair.query + cut.query_before);
        EXPECT_EQ(cut.pair.target, pair.target + cut.target_before);
        EXPECT_LE(cut.band.low, 0);
        EXPECT_GE(cut.band.high, static_cast<std::int64_t>(cut.pair.n) - static_cast<std::int64_t>(cut.pair.m));
    }
    EXPECT_GT(told, 60) << narrower;
    EXPECT_GT(narrower, 30);
}

// Words lie 23 diagonals and more below the main one, as if the first letters of the query were not there.
TEST(WordBand, LeavesTheQueryWholeWhereNoPathScoresEnough)
{
    constexpr std::size_t letters = 4400, period = 40, missing = 23;
    std::string unit = "AAAACAACAGCAAAAGGAAGCGCCAGAGAAAGCGAGACAC", other = unit, query;
    for (std::size_t i = 0; i < 8; ++i)
        other[i] = unit[24 + i];
    for (std::size_t i = 0; i < letters; ++i)
        query += (i / period >= 34 && i / period < 42 ? other : unit)[i % period];
    std::string target = query.substr(missing);
    query.replace(0, 16, "TGTTGTGTGTGTGTGG");
    for (std::size_t k = 0; k < 10; ++k)
        query[period * (3 + 2 * k) + 35] = 'T';
    for (std::size_t k = 0; k < 4; ++k) {
        std::size_t const at = period * (36 + k) + 24;
        query[at + 2] = target[at - 45] = "VWXY"[k];
        query[at - 22] = 'Z';
    }
    for (std::size_t at = letters - period; at < letters; at += 8)
        query[at + 3] = 'T';
    Scoring const scoring = Scoring::uniform(1, 59, {0, 60});
    PairView const pair = view(query, target);
    Mode const mode{.free_target_begin = true, .free_target_end = true};
    int told = 0;
    for (std::int64_t score = 2900; score < 3000; ++score) {
        std::uint64_t const half_width = path::free_ends_half_width(pair, mode, scoring, score);
        auto const band = word_band(pair, mode, scoring, score, path::band_around(pair, half_width));
        told += band.has_value();
        if (band) {
            EXPECT_EQ(cut_to_band(pair, *band).pair.m, letters) << score;
        }
    }
    EXPECT_GT(told, 0);
}

} // namespace
} // namespace nwgpu::cpu
