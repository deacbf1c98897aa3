// SPDX-License-Identifier: BSD-3-Clause
// The definition without dynamic programming: every alignment of tiny pairs is written out and scored from its gaps,
// and the tie rule is an order in which they are written out.  Witness for the oracle as much as for the engine.
#include <gtest/gtest.h>

#include <algorithm>

#include "model/cigar.hpp"
#include "support/cases.hpp"

namespace nwgpu::test {
namespace {

class Enumeration {
public:
    Enumeration(PairView const & pair, Scoring const & scoring, Mode const & mode) :
        pair_{pair}, scoring_{scoring}, mode_{mode}
    {}

    // The first alignment of the best score: ends column by column, then backwards letter by letter.
    PairResult best()
    {
        for (std::uint64_t j = 0; j <= pair_.n; ++j)
            for (std::uint64_t i = 0; i <= pair_.m; ++i)
                if (may_end(i, j)) {
                    end_ = {0, i, 0, j};
                    extend(i, j, '=', 0);
                }
        if (mode_.extend_left && best_.score == 0)
            best_ = {0, {pair_.m, pair_.m, pair_.n, pair_.n}, {}};
        return best_;
    }

private:
    bool may_end(std::uint64_t i, std::uint64_t j) const
    {
        return mode_.local || mode_.extend || (i == pair_.m && j == pair_.n) ||
               (j == pair_.n && mode_.free_query_end) || (i == pair_.m && mode_.free_target_end);
    }

    // The path so far begins at (i, j) with operation `last` and has `score`: write out all ways to go on.
    void extend(std::uint64_t i, std::uint64_t j, char last, std::int64_t score)
    {
        bool const border = i == 0 || j == 0;
        bool const anywhere = mode_.local || mode_.extend_left;
        bool const free = anywhere || (i == 0 && mode_.free_target_begin) || (j == 0 && mode_.free_query_begin);
        if (border && ((i == 0 && j == 0) || free))
            return complete(i, j, score);
        // A gap that can go on goes on; otherwise diagonal before insertion before deletion.
        std::string order = last == 'I' ? "I=D" : last == 'D' ? "D=I" : "=ID";
        for (char const op : order) {
            if ((op != 'D' && i == 0) || (op != 'I' && j == 0))
                continue;
            path_.push_back(op);
            std::int64_t const gap = scoring_.gap().extend + (op == last ? 0 : scoring_.gap().open);
            if (op == '=')
                extend(i - 1, j - 1, op, score + scoring_.score(pair_.query[i - 1], pair_.target[j - 1]));
            else
                extend(i - (op == 'I'), j - (op == 'D'), op, score - gap);
            path_.pop_back();
        }
        if (anywhere)
            complete(i, j, score);
    }

    void complete(std::uint64_t i, std::uint64_t j, std::int64_t score)
    {
        if (found_ && score <= best_.score)
            return;
        found_ = true;
        best_ = {score, {i, end_.query_end, j, end_.target_end}, {}};
        for (auto op = path_.rbegin(); op != path_.rend(); ++op) {
            bool const equal = *op == '=' && pair_.query[i] == pair_.target[j];
            CigarOp const code = *op == 'I'   ? CigarOp::insertion
                                 : *op == 'D' ? CigarOp::deletion
                                 : equal      ? CigarOp::equal
                                              : CigarOp::different;
            if (!best_.runs.empty() && run_op(best_.runs.back()) == code)
                best_.runs.back() += 1 << 4;
            else
                best_.runs.push_back(cigar_run(code, 1));
            i += *op != 'D';
            j += *op != 'I';
        }
    }

    PairView pair_;
    Scoring const & scoring_;
    Mode mode_;
    AlignedSpan end_;
    std::string path_; // from its end
    PairResult best_;
    bool found_ = false;
};

// All sequences of up to three of two letters against each other, and random ones of up to five of three letters.
std::vector<SequencePair> tiny_pairs(std::string_view letters)
{
    std::vector<std::string> words{""};
    for (std::size_t w = 0; w < words.size() && words[w].size() < 3; ++w)
        for (char const letter : letters.substr(0, 2))
            words.push_back(words[w] + letter);
    std::vector<SequencePair> pairs;
    for (std::string const & query : words)
        for (std::string const & target : words)
            pairs.push_back({query, target});
    Random random{5};
    for (int p = 0; p < 250; ++p)
        pairs.push_back(random_pair(random, Model::uniform, random.below(6), random.below(6), letters.substr(0, 3)));
    return pairs;
}

class EnumerationProperty : public testing::TestWithParam<std::string> {};

TEST_P(EnumerationProperty, OracleAndEngineGiveTheFirstBestAlignment)
{
    Scheme const & s = scheme(GetParam());
    PairSet const set{tiny_pairs(s.letters), s.scoring};
    for (Mode const & mode : all_modes()) {
        std::vector<PairResult> expected;
        for (std::uint64_t p = 0; p < set.count(); ++p)
            expected.push_back(Enumeration{set.view(p), s.scoring, mode}.best());
        expect_equal(expected, oracle(set, s.scoring, mode), set,
                     "the oracle, scheme=" + s.name + " mode=" + name(mode));
        for (auto const & options : engine_setups(false))
            check(set, s, {mode, Output::cigar, CigarStyle::eqx}, options, expected, "Enumeration");
        if (HasFailure())
            return;
    }
}

INSTANTIATE_TEST_SUITE_P(All, EnumerationProperty,
                         testing::Values("dna_2_4_4_2", "dna_1_3_3_2", "edit", "linear_1_1_0_1", "indel_1_2_0_1",
                                         "extend_0", "subsequence", "all_zero", "hamming_free_gaps", "mismatch_0",
                                         "open_only", "no_mismatch", "no_gap", "asymmetric_5", "all_negative",
                                         "all_positive", "any_byte", "all_2_30"),
                         [](auto const & info) { return info.param; });

} // namespace
} // namespace nwgpu::test
