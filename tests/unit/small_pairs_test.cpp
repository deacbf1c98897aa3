// SPDX-License-Identifier: BSD-3-Clause
// Published results for small pairs (EMBOSS, SeqAn3, Rosalind): the score of each, and the alignment where SeqAn3 is
// the source, whose choice among ties the oracle's rule is.
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <sstream>

#include "model/cigar.hpp"
#include "model/matrices.hpp"
#include "support/cases.hpp"

namespace nwgpu::test {
namespace {

using Row = std::map<std::string, std::string>;

std::string text_of(std::string const & name)
{
    std::ifstream const in{std::string{NWGPU_TEST_DATA "/"} + name};
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

std::vector<std::string> fields_of(std::string line)
{
    std::vector<std::string> fields;
    std::istringstream in{line += '\t'};
    for (std::string field; std::getline(in, field, '\t');)
        fields.push_back(field);
    return fields;
}

std::vector<Row> rows_of(std::string const & name)
{
    std::istringstream in{text_of(name)};
    std::string line;
    std::getline(in, line);
    std::vector<std::string> const columns = fields_of(line);
    std::vector<Row> rows;
    while (std::getline(in, line)) {
        std::vector<std::string> const fields = fields_of(line);
        for (Row & row = rows.emplace_back(); std::string const & column : columns)
            row[column] = fields.at(row.size());
    }
    return rows;
}

// Everything times two: EMBOSS has gap costs of a half.
std::int64_t doubled(std::string const & number) { return static_cast<std::int64_t>(2 * std::stod(number)); }

Scoring scoring_of(Row const & row)
{
    std::int64_t const next = doubled(row.at("gap_next"));
    GapCost const gap{doubled(row.at("gap_first")) - next, next};
    std::string const name = row.at("matrix");
    if (name.empty())
        return Scoring::uniform(doubled(row.at("match")), -doubled(row.at("mismatch")), gap);
    ScoreMatrix matrix = name == "seqan3_issue3043" ? parse_matrix(text_of(name + ".mat")) : nwgpu::named_matrix(name);
    for (std::int32_t & score : matrix.scores)
        score *= 2;
    return Scoring::matrix(matrix.scores, static_cast<int>(matrix.letters.size()), matrix.codes, gap);
}

// The table's sequence 1 is the target.
Mode mode_of(Row const & row)
{
    std::string const & ends = row.at("free_ends");
    if (row.at("mode") == "local")
        return {.local = true};
    return {.free_query_begin = ends[2] == '1',
            .free_query_end = ends[3] == '1',
            .free_target_begin = ends[0] == '1',
            .free_target_end = ends[1] == '1'};
}

std::string cigar_of(std::string const & target, std::string const & query)
{
    Runs runs;
    CigarBuilder path;
    for (std::size_t column = target.size(); column-- > 0;)
        path.add(target[column] == '-'             ? CigarOp::insertion
                 : query[column] == '-'            ? CigarOp::deletion
                 : query[column] == target[column] ? CigarOp::equal
                                                   : CigarOp::different);
    path.finish(runs);
    return cigar_text(runs);
}

TEST(SmallPairs, ScoresAndSeqAnAlignments)
{
    std::vector<Row> const rows = rows_of("small_pairs.tsv");
    ASSERT_EQ(rows.size(), 43u);
    for (Row const & row : rows) {
        SCOPED_TRACE(row.at("id"));
        Scoring const scoring = scoring_of(row);
        PairSet const set{{{row.at("sequence2"), row.at("sequence1")}}, scoring};
        PairResult const result = oracle(set, scoring, mode_of(row)).at(0);
        EXPECT_EQ(result.score, doubled(row.at("score")));
        if (row.at("program") == "SeqAn3 test") {
            EXPECT_EQ(cigar_text(result.runs), cigar_of(row.at("aligned1"), row.at("aligned2")));
        }
    }
}

} // namespace
} // namespace nwgpu::test
