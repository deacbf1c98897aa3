// SPDX-License-Identifier: BSD-3-Clause
// 169 small pairs with scores from EMBOSS, SeqAn3 and Rosalind (shared data, expected/small_pairs.tsv.gz): global,
// local and free ends, with matrices and without.
#include <gtest/gtest.h>

#include <cmath>

#include "model/matrices.hpp"
#include "support/cases.hpp"
#include "support/data.hpp"

namespace nwgpu::test {
namespace {

// Half points occur (gap extension 0.5), so everything is counted in half points.
std::int64_t halves(std::string const & text) { return std::llround(2 * std::stod(text)); }

Scoring scoring_of(std::map<std::string, std::string> const & row)
{
    std::int64_t const first = halves(row.at("gap_first")), next = halves(row.at("gap_next"));
    GapCost const gap{first - next, next};
    std::string const & matrix = row.at("matrix");
    if (matrix.empty())
        return Scoring::uniform(halves(row.at("match")), -halves(row.at("mismatch")), gap);
    ScoreMatrix known = matrix == "seqan3_issue3043" ? parse_matrix(read_text("matrices/" + matrix + ".txt.gz"))
                                                     : nwgpu::named_matrix(matrix);
    for (std::int32_t & score : known.scores)
        score *= 2;
    return Scoring::matrix(known.scores, static_cast<int>(known.letters.size()), known.codes, gap);
}

TEST(SmallPairsWitness, ScoresOfOtherPrograms)
{
    NWGPU_NEEDS_DATA("expected/small_pairs.tsv.gz");
    int rows = 0;
    for (auto const & row : read_table("expected/small_pairs.tsv.gz")) {
        ++rows;
        std::string const & flags = row.at("free_ends"); // sequence1 begin, end, sequence2 begin, end
        Mode mode{.local = row.at("mode") == "local"};
        if (!mode.local)
            mode = {false, flags.at(0) == '1', flags.at(1) == '1', flags.at(2) == '1', flags.at(3) == '1'};
        Scoring const scoring = scoring_of(row);
        PairSet const set{{{row.at("sequence1"), row.at("sequence2")}}, scoring};
        auto const full = oracle(set, scoring, mode);
        for (auto const & options : engine_setups(false)) {
            auto const results = run(set, scoring, {mode, Output::cigar, CigarStyle::eqx}, options);
            EXPECT_EQ(results.at(0).score, halves(row.at("score"))) << row.at("id") << " " << describe(options);
            expect_equal(full, results, set, row.at("id") + " " + describe(options));
        }
    }
    EXPECT_EQ(rows, 169);
}

} // namespace
} // namespace nwgpu::test
