// SPDX-License-Identifier: BSD-3-Clause
// Similar pairs in global mode, for which an engine may leave out most of the matrix: indels, replaced stretches and
// repeats that pull the path far from the diagonal, or offer an equally good path there, must not change a letter of
// the CIGAR.
#include <gtest/gtest.h>

#include <algorithm>

#include "path/band.hpp"
#include "support/cases.hpp"

namespace nwgpu::test {
namespace {

std::vector<std::string> const schemes{
    "dna_2_4_4_2",    "dna_1_3_3_2",   "edit",        "extend_0", "linear_1_1_0_2", "mismatch_0",  "subsequence",
    "leaves_16_bits", "BLOSUM62_11_1", "wfa_0_4_6_2", "all_zero", "no_gap",         "asymmetric_5"};

void check_global(SequencePair pair, Scheme const & s, std::string const & words)
{
    PairSet const set{{std::move(pair)}, s.scoring};
    auto const full = oracle(set, s.scoring, {});
    auto setups = fast_setups();
    for (auto & options : setups)
        options.tuning.furthest = -1; // which would leave nothing to the band
    setups.push_back({.threads = 1, .tuning = {.max_trace_bytes = 1, .band = 1}}); // a band for short pairs, too
    for (auto const & options : setups)
        for (Output const output : {Output::cigar, Output::score})
            check(set, s, {Mode{}, output, CigarStyle::eqx}, options, full, words);
}

class BandTest : public testing::TestWithParam<std::string> {};

TEST_P(BandTest, FewChanges)
{
    Scheme const & s = scheme(GetParam());
    for (std::uint64_t seed = 51; seed < 55; ++seed) {
        Random random{seed};
        std::string const query = random_sequence(random, 1800, s.letters);
        check_global({query, mutated(random, query, s.letters, 0.01 * static_cast<double>(seed - 50))}, s,
                     "FewChanges seed=" + std::to_string(seed));
    }
}

TEST_P(BandTest, LargeIndelsReplacementsAndCopies)
{
    Scheme const & s = scheme(GetParam());
    for (std::uint64_t seed = 61; seed < 66; ++seed) {
        Random random{seed};
        std::string const query = random_sequence(random, 1700, s.letters);
        std::string const changed = restructured(random, query, s.letters, 1 + static_cast<int>(seed % 4), 500);
        check_global({query, mutated(random, changed, s.letters, 0.01)}, s, "LargeIndels seed=" + std::to_string(seed));
    }
}

// So similar that the first, narrow band is wide enough.
TEST_P(BandTest, BandProvesItself)
{
    Scheme const & s = scheme(GetParam());
    for (std::uint64_t seed = 56; seed < 60; ++seed) {
        Random random{seed};
        std::string const query = random_sequence(random, 1800, s.letters);
        std::string target = query;
        target.erase(400 * (seed - 55), seed - 56);
        target[900] = target[901];
        PairSet const set{{{query, target}}, s.scoring};
        auto const full = oracle(set, s.scoring, {});
        for (std::size_t const trace_bytes : {1, 100000})
            for (int const threads : {1, 2})
                for (Output const output : {Output::cigar, Output::end, Output::score})
                    check(set, s, {Mode{}, output, CigarStyle::eqx},
                          {.threads = threads, .tuning = {.max_trace_bytes = trace_bytes, .band = 1}}, full,
                          "BandProvesItself seed=" + std::to_string(seed));
    }
}

// Longer, so that the narrow band also keeps boundaries of columns.  Two stretches change places: the path makes a
// detour inside the narrow band or just beyond, where the score of the stretches without gaps proves little more than
// the band.
TEST_P(BandTest, NarrowBandKeepsBoundaries)
{
    Scheme const & s = scheme(GetParam());
    if (!is_thorough() && (s.name == "leaves_16_bits" || s.name == "no_gap"))
        GTEST_SKIP() << "takes long, as these scores know no band; shorter pairs show the same";
    for (std::uint64_t const stretch : {20, 45, 56}) {
        Random random{100 + stretch};
        std::string const query = random_sequence(random, 9500, s.letters);
        std::string target = query;
        std::rotate(target.begin() + 5000, target.begin() + 5000 + static_cast<std::ptrdiff_t>(stretch),
                    target.begin() + 5000 + 2 * static_cast<std::ptrdiff_t>(stretch));
        target.erase(stretch < 50 ? 8000 : 1000, stretch % 3 * 200);
        PairSet const set{{{query, target}, {target, query}}, s.scoring};
        Request const request{Mode{}, Output::cigar, CigarStyle::eqx};
        auto const full = run(set, s.scoring, request, {.tuning = {.band = -1}});
        for (auto options : fast_setups())
            for (std::size_t const trace_bytes : {0, 1}) {
                options.tuning.band = 1;
                options.tuning.max_trace_bytes = trace_bytes;
                check(set, s, request, options, full,
                      "NarrowBandKeepsBoundaries seed=" + std::to_string(100 + stretch));
            }
    }
}

// So long that a path through words in common tells the score that proves the band; some of these make the best path go
// far from its diagonal, and come back.
TEST(LongBandTest, WordsTellTheScore)
{
    for (std::string const name : {"dna_2_4_4_2", "wfa_0_4_6_2", "BLOSUM62_11_1"})
        for (std::uint64_t const seed : {81, 82}) {
            Scheme const & s = scheme(name);
            Random random{seed};
            std::string const query = random_sequence(random, 70'000, s.letters);
            std::string target = mutated(random, query, s.letters, seed == 81 ? 0.06 : 0.02);
            if (seed == 82) {
                target.insert(20'000, random_sequence(random, 1500, s.letters));
                target.erase(50'000, 2500);
            }
            PairSet const set{{{query, target}, {target, query}}, s.scoring};
            Request request{Mode{}, Output::cigar, CigarStyle::eqx};
            auto const full = run(set, s.scoring, request, {.tuning = {.band = -1, .furthest = -1}});
            for (int const threads : {1, 3})
                for (std::int64_t const below : {INT64_MAX, std::int64_t{0}, std::int64_t{1000}}) {
                    request.min_score = below == INT64_MAX ? no_min_score : full[0].score - below;
                    check(set, s, request, {.threads = threads, .tuning = {.furthest = -1}}, full,
                          "WordsTellTheScore seed=" + std::to_string(seed));
                }
        }
}

// One insertion at the begin and one deletion at the end: the path runs beside the diagonal all the way.
TEST_P(BandTest, ShiftedCopy)
{
    Scheme const & s = scheme(GetParam());
    for (std::uint64_t const shift : {1, 7, 63, 64, 65, 200, 700}) {
        Random random{70 + shift};
        std::string const core = random_sequence(random, 1500, s.letters);
        std::string const extra = random_sequence(random, shift, s.letters);
        check_global({core + extra, extra + core}, s, "ShiftedCopy shift=" + std::to_string(shift));
        check_global({extra + core, core + extra}, s, "ShiftedCopy back shift=" + std::to_string(shift));
    }
}

// A repeat whose number of copies differs: which copies are aligned is a tie over the whole repeat.
TEST_P(BandTest, RepeatNumberDiffers)
{
    Scheme const & s = scheme(GetParam());
    for (std::uint64_t const unit : {1, 2, 3, 31, 171}) {
        Random random{80 + unit};
        std::string const copy = random_sequence(random, unit, s.letters);
        std::string repeat;
        while (repeat.size() < 900)
            repeat += copy;
        std::string const left = random_sequence(random, 400, s.letters),
                          right = random_sequence(random, 300, s.letters);
        std::string const fewer = repeat.substr(0, repeat.size() - unit * std::max<std::uint64_t>(1, 90 / unit));
        check_global({left + repeat + right, left + fewer + right}, s,
                     "RepeatNumberDiffers unit=" + std::to_string(unit));
        check_global({left + fewer + right, left + repeat + right}, s,
                     "RepeatNumberDiffers unit=-" + std::to_string(unit));
    }
}

// Lengths that differ a lot need a wide band from the start.
TEST_P(BandTest, UnequalLengths)
{
    Scheme const & s = scheme(GetParam());
    Random random{90};
    std::string const query = random_sequence(random, 2500, s.letters);
    check_global({query, query.substr(0, 800)}, s, "UnequalLengths prefix");
    check_global({query, query.substr(1700)}, s, "UnequalLengths suffix");
    check_global({query.substr(0, 400) + query.substr(2100), query}, s, "UnequalLengths middle");
    check_global({query.substr(900, 700), query}, s, "UnequalLengths infix");
}

INSTANTIATE_TEST_SUITE_P(All, BandTest, testing::ValuesIn(schemes), [](auto const & info) { return info.param; });

// The narrow band misses the best path by one diagonal, and its own score proves no more than that: letters repeat
// after a period, but change so often that it just pays to shift the sequences by the period.
TEST(NarrowBandTest, BestPathRunsBesideIt)
{
    for (char const * const name : {"dna_2_4_4_2", "dna_1_3_3_2", "edit", "linear_1_1_0_2"}) {
        Scheme const & s = scheme(name);
        std::uint64_t const m = 1800, narrow = m / 512 + 32, period = narrow + 1; // PairAligner::find_band
        std::int64_t const match = s.scoring.match(), change = match + s.scoring.mismatch();
        GapCost const gap = s.scoring.gap();
        std::int64_t const shift = 2 * gap.open + static_cast<std::int64_t>(period) * (match + 2 * gap.extend);
        auto const changes = static_cast<std::uint64_t>(shift / change + 1);
        Random random{77};
        std::string letters = random_sequence(random, period, s.letters);
        for (std::uint64_t k = 0; k < m; ++k) {
            bool const changed = k * changes / m != (k + 1) * changes / m;
            std::string const last{letters[k]};
            letters += changed ? s.letters[(s.letters.find(last) + 1) % s.letters.size()] : last[0];
        }
        SequencePair pair{letters.substr(0, m), letters.substr(period)};
        PairSet const set{{pair}, s.scoring};
        std::int64_t const all = static_cast<std::int64_t>(m) * match;
        ASSERT_EQ(oracle(set, s.scoring, {})[0].score, all - shift) << name;
        path::BandProof const proof{set.view(0), s.scoring};
        ASSERT_EQ(proof.half_width(all - static_cast<std::int64_t>(changes) * change), period) << name;
        check_global(std::move(pair), s, std::string{"BestPathRunsBesideIt seed=77 "} + name);
    }
}

} // namespace
} // namespace nwgpu::test
