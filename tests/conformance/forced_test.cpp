// SPDX-License-Identifier: BSD-3-Clause
// Each way an engine can go, forced: score width, full trace or kept boundaries, tile width, proven band or not, lanes
// or not.  All give the oracle's answer; a score width that is not proven for a scheme is refused, never tried.
#include <gtest/gtest.h>

#include <algorithm>

#include "cuda/kernels/kernels.hpp"
#include "support/engines.hpp"

namespace nwgpu::test {
namespace {

struct Forced {
    std::string scheme;
    int narrowest_global, narrowest_local; // score widths that the scheme allows: 8, 16, 32 or 64
};

std::string name_of(Forced const & forced) { return forced.scheme; }

class ForcedWays : public OnEachEngine<Forced> {};           // of both engines
class ForcedTest : public testing::TestWithParam<Forced> {}; // of the CPU's

bool refused(PairSet const & set, Scheme const & s, Mode const & mode, EngineSetup const & options)
{
    BatchResult const result = align(options, set.batch(), s.scoring, {mode, Output::cigar, CigarStyle::eqx});
    for (Status const status : result.status)
        EXPECT_EQ(status, result.status[0]) << describe(options);
    return result.status.at(0) == Status::invalid_argument;
}

// Lengths beyond a strip and a tile of the narrow instruction sets, and a few small ones.
std::vector<SequencePair> pairs_of(std::uint64_t seed, std::string_view letters,
                                   std::vector<Model> const & long_ones = {Model::mutated, Model::two_letters,
                                                                           Model::structured, Model::homopolymer})
{
    Random random{seed};
    std::vector<SequencePair> pairs;
    for (Model const model : long_ones)
        pairs.push_back(random_pair(random, model, random.between(400, 900), random.between(700, 1400), letters));
    for (Model const model : all_models())
        pairs.push_back(random_pair(random, model, random.between(1, 90), random.between(1, 90), letters));
    return pairs;
}

// Every width that is proven, each with all trace bits or kept boundaries, and tiles of several widths.
void add_widths(std::vector<EngineSetup> & ways, PairSet const & set, Scheme const & s, Mode const & mode,
                Forced const & forced)
{
    for (std::string const & isa : cpu::available_isas())
        for (int const width : {8, 16, 32, 64}) {
            EngineSetup setup{.threads = 1, .isa = isa, .tuning = {.score_width = width, .lanes = -1}};
            bool const proven = width >= (mode.local ? forced.narrowest_local : forced.narrowest_global);
            EXPECT_EQ(refused(set, s, mode, setup), !proven) << s.name << " " << name(mode) << " " << describe(setup);
            bool const emulated = isa.starts_with("emu"); // slow, and the same code
            for (std::uint64_t const trace_bytes : {0, 1, 30000})
                for (std::uint64_t const tile_cols : {0, 1, 100})
                    if (proven && (!emulated || (trace_bytes == 1 && tile_cols == 100))) {
                        setup.tuning.max_trace_bytes = trace_bytes;
                        setup.tuning.tile_cols = tile_cols;
                        ways.push_back(setup);
                    }
        }
}

// Every kernel, with kept boundaries in tiles of 256 and less.
void add_kernels(std::vector<EngineSetup> & ways)
{
    for (int const rows : cuda::packed_rows)
        ways.push_back(on_gpu({.rows_per_half = rows, .max_traced_cells = 1}));
    ways.push_back(on_gpu({.rows_per_half = -1, .max_traced_cells = 1}));
    for (std::uint64_t const traced : {0, 1})
        ways.push_back(on_gpu({.rows_per_half = -1, .width = 64, .max_traced_cells = traced}));
}

TEST_P(ForcedWays, EqualOracle)
{
    Scheme const & s = scheme(value().scheme);
    // In CI each of the long pairs with every other scheme.
    bool const even = (&s - all_schemes().data()) % 2 == 0;
    PairSet const set{is_thorough() ? pairs_of(1, s.letters)
                      : even        ? pairs_of(1, s.letters, {Model::mutated, Model::homopolymer})
                                    : pairs_of(1, s.letters, {Model::two_letters, Model::structured}),
                      s.scoring};
    std::vector<Mode> modes{global, local, fitting, overlap};
    if (kind() == BackendKind::cuda)
        modes.insert(modes.end(), {extend, extend_left});
    for (Mode const & mode : modes) {
        auto const full = oracle(set, s.scoring, mode);
        std::vector<EngineSetup> ways;
        if (kind() == BackendKind::cuda)
            add_kernels(ways);
        else
            add_widths(ways, set, s, mode, value());
        for (EngineSetup const & way : ways)
            for (Output const output : {Output::cigar, Output::score, Output::end})
                if (output == Output::cigar || way.isa.starts_with("emu") ||
                    (way.tuning.tile_cols == 0 && way.tuning.max_trace_bytes == 0))
                    check(set, s, {mode, output, CigarStyle::eqx}, way, full, "ForcedWays seed=1");
        if (HasFailure())
            return;
    }
}

TEST_P(ForcedTest, BandForPairsOfAnySize)
{
    Scheme const & s = scheme(GetParam().scheme);
    if (GetParam().narrowest_global > 8)
        GTEST_SKIP() << "the band needs 8-bit differences";
    std::vector<SequencePair> pairs = pairs_of(2, s.letters);
    Random random{2};
    for (int p = 0; p < 60; ++p) {
        std::string const query = random_sequence(random, random.between(1, 700), s.letters);
        std::string target = mutated(random, query, s.letters, 0.01 * static_cast<double>(p % 8));
        if (p % 3 == 0)
            target = restructured(random, target, s.letters, 1, 60);
        pairs.push_back({query, target});
    }
    PairSet const set{std::move(pairs), s.scoring};
    auto const full = oracle(set, s.scoring, {});
    for (std::string const & isa : cpu::available_isas())
        for (int const band : {-1, 1})
            for (std::uint64_t const trace_bytes : {0, 1}) {
                EngineSetup const options{
                    .threads = 1, .isa = isa, .tuning = {.max_trace_bytes = trace_bytes, .band = band, .lanes = -1}};
                for (Output const output : {Output::cigar, Output::score})
                    check(set, s, {Mode{}, output, CigarStyle::eqx}, options, full, "BandForPairsOfAnySize seed=2");
            }
}

TEST_P(ForcedTest, LanesForAnyNumberOfPairs)
{
    Scheme const & s = scheme(GetParam().scheme);
    for (std::uint64_t const count : {1, 5, 40}) {
        Random random{count};
        std::vector<SequencePair> pairs;
        for (std::uint64_t p = 0; p < count; ++p)
            pairs.push_back(
                random_pair(random, random.pick(all_models()), random.below(260), random.below(260), s.letters));
        PairSet const set{std::move(pairs), s.scoring};
        for (Mode const & mode : {Mode{}, Mode{.local = true}, fitting, overlap}) {
            auto const full = oracle(set, s.scoring, mode);
            for (std::string const & isa : cpu::available_isas())
                for (int const lanes : {-1, 1})
                    for (Output const output : {Output::cigar, Output::score, Output::end})
                        check(set, s, {mode, output, CigarStyle::eqx},
                              {.threads = 1, .isa = isa, .tuning = {.lanes = lanes}}, full,
                              "LanesForAnyNumberOfPairs count=" + std::to_string(count));
        }
    }
}

// The proof of the band is tight here: the only optimal path shifts by `period` letters and back, which is one diagonal
// more than a band one narrower would hold, and the path on the diagonal scores just less.
TEST_P(ForcedTest, BandNotOneTooNarrow)
{
    Scheme const & s = scheme(GetParam().scheme);
    if (GetParam().narrowest_global > 8 || !s.scoring.is_uniform())
        GTEST_SKIP() << "the band needs 8-bit differences, the test match and mismatch";
    std::int64_t const match = s.scoring.match(), mismatch = s.scoring.mismatch(), length = 420, period = 50;
    std::int64_t const shifted_loss = 2 * s.scoring.gap().open + period * (match + 2 * s.scoring.gap().extend);
    if (match + mismatch == 0)
        return;
    std::int64_t const about = shifted_loss / (match + mismatch);
    for (std::int64_t changes = std::max<std::int64_t>(0, about - 2); changes <= std::min(about + 4, length - period);
         ++changes) {
        Random random{static_cast<std::uint64_t>(changes)};
        std::string word = random_sequence(random, period, s.letters);
        while (static_cast<std::int64_t>(word.size()) < length + period)
            word += word[word.size() - period];
        for (std::int64_t change = 0; change < changes; ++change) { // each one lasts: a mismatch on the diagonal
            std::uint64_t at = static_cast<std::uint64_t>(period + change * length / changes);
            char other = s.letters[random.below(s.letters.size())];
            while (other == word[at])
                other = s.letters[random.below(s.letters.size())];
            for (; at < word.size(); at += period)
                word[at] = other;
        }
        PairSet const set{{{word.substr(0, length), word.substr(period, length)}}, s.scoring};
        auto const full = oracle(set, s.scoring, {});
        for (std::string const & isa : cpu::available_isas())
            check(set, s, {Mode{}, Output::cigar, CigarStyle::eqx},
                  {.threads = 1, .isa = isa, .tuning = {.band = 1, .lanes = -1}}, full,
                  "BandNotOneTooNarrow changes=" + std::to_string(changes));
    }
}

// Pairs that threads share, on grids finer than the engine would choose.
TEST(ForcedThreadsTest, ThreadsShareAPair)
{
    Random random{3};
    for (char const * scheme_name : {"dna_2_4_4_2", "leaves_16_bits"}) {
        Scheme const & s = scheme(scheme_name);
        PairSet const set{{random_pair(random, Model::structured, 4600, 4800, "ACGT")}, s.scoring};
        for (Mode const & mode : {Mode{}, Mode{.local = true}, fitting}) {
            auto const full = oracle(set, s.scoring, mode);
            for (int const threads : {2, 3})
                for (std::uint64_t const tile_cols : {0, 100})
                    for (int const band : {-1, 0})
                        check(set, s, {mode, Output::cigar, CigarStyle::eqx},
                              {.threads = threads,
                               .tuning = {.max_trace_bytes = 100000, .tile_cols = tile_cols, .band = band}},
                              full, "ThreadsShareAPair seed=3");
        }
    }
}

std::vector<Forced> const schemes{Forced{"dna_2_4_4_2", 8, 8},      Forced{"edit", 8, 8},
                                  Forced{"extend_0", 8, 8},         Forced{"linear_1_1_0_1", 8, 8},
                                  Forced{"subsequence", 8, 8},      Forced{"any_byte", 8, 8},
                                  Forced{"BLOSUM62_11_1", 8, 8},    Forced{"asymmetric_5", 8, 8},
                                  Forced{"leaves_8_bits", 32, 32},  Forced{"around_127", 32, 32},
                                  Forced{"leaves_16_bits", 32, 32}, Forced{"match_2_20", 32, 32},
                                  Forced{"all_2_30", 64, 64}};
std::vector<Forced> other_schemes()
{
    std::vector<Forced> others;
    for (Scheme const & s : all_schemes())
        if (std::ranges::find(schemes, s.name, &Forced::scheme) == schemes.end())
            others.push_back({s.name});
    return others;
}

INSTANTIATE_TEST_SUITE_P(All, ForcedTest, testing::ValuesIn(schemes),
                         [](auto const & info) { return info.param.scheme; });
INSTANTIATE_TEST_SUITE_P(All, ForcedWays, on_each_engine(testing::ValuesIn(schemes)), ParameterNames{});
INSTANTIATE_TEST_SUITE_P(Others, ForcedWays, on_cuda(testing::ValuesIn(other_schemes())), ParameterNames{});

} // namespace
} // namespace nwgpu::test
