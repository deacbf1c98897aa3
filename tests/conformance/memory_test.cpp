// SPDX-License-Identifier: BSD-3-Clause
// What a pair takes beyond its letters is no more than the estimate: memory is counted where it is allocated.
#include <gtest/gtest.h>

#include <ctime>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "conformance/counted.hpp"
#include "support/cases.hpp"
#include "support/folder.hpp"

namespace nwgpu::test {
namespace {

struct Lengths {
    std::uint64_t m, n;
};

// What a call takes at most, with its letters, which are there already.
std::size_t peak_of(EngineSetup const & setup, PairSet const & set, Scoring const & scoring, Request const & request,
                    BatchResult & result)
{
    auto const engine = cpu::make_engine(setup);
    std::size_t const before = peak = allocated.load();
    result = align(*engine, set.batch(), scoring, request, {}, setup.max_host_bytes);
    return peak - before + set.batch().queries.bytes() + set.batch().targets.bytes();
}

std::uint64_t letter_bytes(PairSet const & set) { return set.batch().queries.bytes() + set.batch().targets.bytes(); }

class MemoryTest : public testing::TestWithParam<std::int64_t> {
protected:
    // Costs so large that scores take 8, 16 or 32 bits.
    Scoring const scoring_ = Scoring::uniform(2 * GetParam(), 4 * GetParam(), {4 * GetParam(), 2 * GetParam()});

    void keeps_to_the_estimate(SequencePair const & pair, Mode const & mode, cpu::Tuning const & tuning = {.lanes = -1})
    {
        PairSet const set{{pair}, scoring_};
        for (int const threads : {1, 2})
            for (std::uint64_t const limit : {0, 2'000'000})
                for (Output const output : {Output::score, Output::cigar}) {
                    Request const request{mode, output, CigarStyle::eqx};
                    EngineSetup const setup{.threads = threads, .max_host_bytes = limit, .tuning = tuning};
                    std::uint64_t bytes = 0;
                    try {
                        bytes = estimate(setup, set.batch(), scoring_, request).host_bytes;
                    } catch (Error const & error) {
                        EXPECT_EQ(error.status, Status::memory_limit) << error.what();
                        continue;
                    }
                    BatchResult result;
                    EXPECT_LE(peak_of(setup, set, scoring_, request, result), bytes)
                        << pair.query.size() << " x " << pair.target.size() << ", " << threads << " threads, limit "
                        << limit << ", " << name(mode) << (output == Output::cigar ? ", cigar" : ", score")
                        << ", costs times " << GetParam();
                }
    }
};

TEST_P(MemoryTest, Parts)
{
    for (auto const [m, n] : {Lengths{1, 1000}, {20, 104000}, {64, 2600}, {1100, 20000}, {2500, 9000}}) {
        Random random{5};
        std::string const target = random_sequence(random, n, "ACGT");
        SequencePair const pair{mutated(random, target.substr(n - m, m), "ACGT", 0.1), target};
        for (Mode const & mode : {Mode{}, Mode{.local = true}, Mode{.extend = true}, Mode{.extend_left = true},
                                  Mode{.free_target_begin = true, .free_target_end = true}})
            keeps_to_the_estimate(pair, mode);
    }
}

TEST_P(MemoryTest, SimilarPairs)
{
    for (double const rate : {0.0005, 0.03}) {
        Random random{6};
        std::string const target = random_sequence(random, 10000, "ACGT");
        SequencePair const pair{mutated(random, target, "ACGT", rate), target};
        keeps_to_the_estimate(pair, {});
        keeps_to_the_estimate(pair, {.local = true});
    }
}

// Long reads within another sequence, which are computed from landmarks.
TEST_P(MemoryTest, ReadsWithin)
{
    for (auto const [m, n] : {Lengths{1100, 1100}, {2500, 3000}, {6000, 7000}})
        for (double const rate : {0.002, 0.01}) {
            Random random{8};
            std::string const target = random_sequence(random, n, "ACGT"),
                              read = mutated(random, target.substr((n - m) / 2, m), "ACGT", rate);
            SequencePair const pair{read.substr(0, n), target};
            for (Mode const & mode : {Mode{.local = true}, Mode{.free_target_begin = true, .free_target_end = true}})
                keeps_to_the_estimate(pair, mode, {});
        }
}

INSTANTIATE_TEST_SUITE_P(All, MemoryTest, testing::Values(1, 300, 20000),
                         [](auto const & info) { return "costs_times_" + std::to_string(info.param); });

// A call under limits, most of them near the least that is accepted: all it allocates stays below the estimate and the
// limit, and the answers are those without a limit.
class LimitedCall {
public:
    // `words` go into the reproducer line.
    LimitedCall(std::vector<SequencePair> pairs, Scoring const & scoring, Request const & request, int threads,
                std::string const & words) :
        set_{std::move(pairs), scoring}, scoring_{scoring}, request_{request}, words_{words}
    {
        peak_ = peak_of({.threads = 1}, set_, scoring_, request_, full_);
        options_.threads = threads;
    }

    std::size_t peak_without_limit() const { return peak_; }
    std::size_t runs() const { return full_.runs.size(); }

    // The least one in steps of a 64th, and some others up to `most`.
    void check_up_to(std::uint64_t most, Random & random)
    {
        std::uint64_t limit = letter_bytes(set_) + 1000, estimate = 0;
        while (limit < most && !accepts(limit, estimate))
            limit += limit / 64;
        for (int k = 0; k < 3 && limit < most; ++k) {
            check(limit);
            limit = random.between(limit, most);
        }
    }

    // Whether it is accepted.
    bool check(std::uint64_t limit)
    {
        std::uint64_t estimate = 0;
        if (!accepts(limit, estimate))
            return false;
        std::string const words = words_ + " " + describe(options_);
        BatchResult result;
        std::size_t const most = peak_of(options_, set_, scoring_, request_, result);
        EXPECT_LE(most, limit) << words;
        if (request_.top > 1 && result.status != full_.status)
            return true; // further alignments may not fit
        EXPECT_EQ(result.status, full_.status) << words;
        EXPECT_EQ(result.score, full_.score) << words;
        EXPECT_EQ(result.span, full_.span) << words;
        EXPECT_TRUE(result.runs == full_.runs) << words;
        if (request_.top == 1) { // of several alignments the estimate has the first
            EXPECT_LE(most, estimate) << words;
        }
        return true;
    }

private:
    bool accepts(std::uint64_t limit, std::uint64_t & estimate)
    {
        options_.max_host_bytes = limit;
        try {
            estimate = test::estimate(options_, set_.batch(), scoring_, request_).host_bytes;
            return true;
        } catch (Error const & error) {
            EXPECT_EQ(error.status, Status::memory_limit) << words_ << " " << describe(options_) << error.what();
            return false;
        }
    }

    PairSet set_;
    Scoring const & scoring_;
    Request const request_;
    EngineSetup options_;
    std::string const words_;
    BatchResult full_;
    std::size_t peak_ = 0;
};

// One pair, or some that threads share.
void check_random_call(std::uint64_t seed)
{
    Random random{seed};
    Scheme const & scheme = random.pick(all_schemes());
    static std::vector<Mode> const usual{Mode{}, Mode{.local = true}}; // half of what people run
    Request request{random.pick(random.chance(0.5) ? usual : all_modes()), static_cast<Output>(random.between(0, 3)),
                    static_cast<CigarStyle>(random.between(0, 1))};
    if (random.chance(0.2))
        request.mode.ties = static_cast<Ties>(random.between(1, 2));
    else if (random.chance(0.2) && request.mode.local)
        request.top = static_cast<std::uint32_t>(random.between(2, 4));
    if (request.top == 1 && random.chance(0.2))
        request.mode.band = Diagonals{-static_cast<std::int64_t>(random.between(0, 3000)), 10000};
    std::uint64_t const count = random.chance(0.6) ? 1 : random.between(2, 6);
    auto const length = [&](std::uint64_t most) { return random.between(1, random.between(1, most)); };
    std::vector<SequencePair> pairs;
    for (std::uint64_t p = 0; p < count; ++p)
        pairs.push_back(random_pair(random, random.pick(all_models()), length(3000), length(10000), scheme.letters,
                                    random.chance(0.5) ? 0.1 : 0.002));
    std::string const words = "NWGPU_TEST_SEED=" + std::to_string(seed) + " NWGPU_TEST_PAIRS=1: " + scheme.name + " " +
                              name(request.mode) + " " + name(request.output) + " pairs=" + std::to_string(count) +
                              " first=" + std::to_string(pairs[0].query.size()) + "x" +
                              std::to_string(pairs[0].target.size()) + (request.mode.band ? " band" : "") +
                              " ties=" + std::to_string(static_cast<int>(request.mode.ties)) +
                              " top=" + std::to_string(request.top);
    int const threads = static_cast<int>(random.between(1, 3));
    LimitedCall{std::move(pairs), scheme.scoring, request, threads, words}.check_up_to(2'000'000, random);
}

TEST(Memory, RandomLimits)
{
    auto const number = [](char const * variable, std::uint64_t otherwise) {
        char const * const text = std::getenv(variable);
        return text ? std::strtoull(text, nullptr, 10) : otherwise;
    };
    std::uint64_t const seed = number("NWGPU_TEST_SEED", 1),
                        calls = number("NWGPU_TEST_PAIRS", is_thorough() ? 150 : 50);
    for (std::uint64_t k = 0; k < calls && !testing::Test::HasFailure(); ++k)
        check_random_call(seed + k);
}

// Pairs that furthest-reaching points give up: what they took is given back before strips begin.
TEST(Memory, NotSimilarEnough)
{
    for (Scoring const & scoring : {Scoring::uniform(2, 4, {4, 2}), Scoring::uniform(0, 1, {0, 1})})
        for (std::uint64_t const letters : {2000, 10'000, 40'000}) {
            Random random{letters};
            std::string const target = random_sequence(random, letters, "ACGT");
            std::string const query = target.substr(0, letters / 2) + random_sequence(random, letters / 2, "ACGT");
            for (Output const output : {Output::score, Output::cigar}) {
                std::string const words = "letters=" + std::to_string(letters) + " " + name(output);
                LimitedCall call{{{query, target}}, scoring, {Mode{}, output, CigarStyle::eqx}, 1, words};
                call.check_up_to(10'000'000, random);
            }
        }
}

// Long pairs that are cut at landmarks, if the limit leaves room for these.
TEST(Memory, Landmarks)
{
    Scoring const scoring = Scoring::uniform(2, 4, {4, 2});
    Random random{20261128};
    for (Mode const & mode : {Mode{}, Mode{.local = true}, Mode{.free_target_begin = true, .free_target_end = true}})
        for (int const threads : {1, 3})
            for (double const rate : {0.002, 0.05}) {
                std::vector<SequencePair> pairs;
                for (std::uint64_t const letters : {40'000, 15'000, 3000}) {
                    std::string target = random_sequence(random, letters, "ACGT");
                    std::string query = mutated(random, target, "ACGT", rate, 0.001);
                    query.insert(query.size() / 3, random_sequence(random, letters / 10, "ACGT")); // a large box
                    if (mode.free_target_begin)
                        target = random_sequence(random, 500, "ACGT") + target + random_sequence(random, 500, "ACGT");
                    pairs.push_back({query, target});
                }
                std::string const words = name(mode) + " threads=" + std::to_string(threads);
                LimitedCall call{std::move(pairs), scoring, {mode, Output::cigar, CigarStyle::eqx}, threads, words};
                call.check_up_to(60'000'000, random);
            }
}

// A limit that has room for them does not cost the time of all cells, nor does one that has room for few pairs at a
// time.
TEST(Memory, LandmarksUnderALimit)
{
    struct Case {
        int threads;
        std::uint64_t pairs, letters, limit;
    };
    Scoring const scoring = Scoring::uniform(2, 4, {4, 2});
    Request const request{Mode{}, Output::cigar, CigarStyle::eqx};
    for (Case const & of : {Case{1, 1, 200'000, 200'000'000}, {16, 20, 100'000, 400'000'000}}) {
        Random random{7};
        std::vector<SequencePair> pairs;
        for (std::uint64_t k = 0; k < of.pairs; ++k) {
            std::string const target = random_sequence(random, of.letters, "ACGT");
            pairs.push_back({mutated(random, target, "ACGT", 0.06), target});
        }
        PairSet const set{std::move(pairs), scoring};
        auto const seconds = [&](std::uint64_t limit) { // of all threads
            BatchResult result;
            std::clock_t const begin = std::clock();
            std::size_t const most =
                peak_of({.threads = of.threads, .max_host_bytes = limit}, set, scoring, request, result);
            double const taken = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
            EXPECT_LE(most, limit > 0 ? limit : UINT64_MAX);
            return taken;
        };
        double const without = seconds(0), with = seconds(of.limit);
        EXPECT_LT(with, 4 * std::max(0.02, without))
            << of.threads << " threads, " << without << " s without a limit; bands take eight times as long, or more";
    }
}

// CIGARs of as many runs as there can be, 1=1I1D1=1I1D ..., and of just so many that memory for them was doubled last.
TEST(Memory, ShortRuns)
{
    Scoring const scoring = Scoring::uniform(6, 4, {0, 1});
    for (auto const & [units, ties] : {std::pair{342, Ties::first}, {342, Ties::gaps_first}, {43691, Ties::first}})
        for (bool const local : {false, true}) {
            SequencePair pair;
            for (int k = 0; k < units; ++k) {
                pair.query += "AC";
                pair.target += "AG";
            }
            Random random{1};
            Request const request{Mode{.local = local, .ties = ties}, Output::cigar, CigarStyle::eqx};
            LimitedCall call{{pair},
                             scoring,
                             request,
                             1,
                             "units=" + std::to_string(units) + " ties=" + std::to_string(static_cast<int>(ties))};
            EXPECT_GE(call.runs(), 3 * static_cast<std::uint64_t>(units) - 2);
            call.check_up_to(8'000'000, random);
        }
}

// A long run that could be resumed.  Its slabs are as high as the time between two of them allows.
TEST(Memory, Checkpoints)
{
    Random random{8};
    std::string const target = random_sequence(random, 60'000, "ACGT");
    SequencePair const pair{mutated(random, target, "ACGT", 0.05), target};
    Scoring const scoring = Scoring::uniform(2, 4, {4, 2});
    TemporaryFolder const folder;
    for (double const seconds : {0., 60.})
        for (std::uint64_t const limit : {0, 20'000'000}) {
            Request request{Mode{.local = true}, Output::cigar, CigarStyle::eqx};
            request.checkpoint = {folder / "slabs", false, seconds};
            PairSet const set{{pair}, scoring};
            EngineSetup const setup{.threads = 1, .max_host_bytes = limit};
            std::uint64_t const bytes = estimate(setup, set.batch(), scoring, request).host_bytes;
            BatchResult result;
            std::size_t const most = peak_of(setup, set, scoring, request, result);
            EXPECT_LE(most, bytes) << "seconds=" << seconds << " limit=" << limit;
            if (limit > 0) {
                EXPECT_LE(most, limit) << "seconds=" << seconds;
            }
        }
}

struct LongCall {
    char const * name;
    std::uint64_t letters; // of each sequence
    std::int64_t times;    // all costs
    Request request;
};

class LinearMemory : public testing::TestWithParam<LongCall> {};

// Paths through long pairs: 300 bytes per letter of both sequences, and 64 where no more are allowed.
TEST_P(LinearMemory, BytesPerLetter)
{
    auto const & [name, letters, times, request] = GetParam();
    Random random{7};
    std::string const target = random_sequence(random, letters, "ACGT");
    SequencePair const pair{mutated(random, target, "ACGT", 0.05, 0.1).substr(0, letters), target};
    std::uint64_t const both = pair.query.size() + pair.target.size();
    Scoring const scoring = Scoring::uniform(2 * times, 4 * times, {4 * times, 2 * times});
    LimitedCall call{{pair}, scoring, request, 2, name};
    EXPECT_LE(call.peak_without_limit(), 300 * both);
    EXPECT_TRUE(call.check(64 * both));
}

Request const local_path{Mode{.local = true}, Output::cigar, CigarStyle::eqx},
    extension{Mode{.extend = true}, Output::cigar, CigarStyle::eqx};

INSTANTIATE_TEST_SUITE_P(
    All, LinearMemory,
    testing::Values(
        LongCall{"local", 200'000, 1, local_path}, LongCall{"local_16_bits", 20'000, 300, local_path},
        LongCall{"local_32_bits", 20'000, 20'000, local_path}, LongCall{"extend", 200'000, 1, extension},
        LongCall{"extend_16_bits", 20'000, 300, extension},
        LongCall{"extend_left", 200'000, 1, {Mode{.extend_left = true}, Output::cigar}},
        LongCall{"extend_other_ties", 30'000, 1, {Mode{.ties = Ties::gaps_first, .extend = true}, Output::cigar}},
        LongCall{"global", 200'000, 1, {Mode{}, Output::cigar, CigarStyle::eqx}},
        LongCall{"several", 100'000, 1, {Mode{.local = true}, Output::cigar, CigarStyle::eqx, 2}},
        LongCall{"other_ties", 30'000, 1, {Mode{.local = true, .ties = Ties::gaps_first}, Output::cigar}},
        LongCall{"band", 30'000, 1, {Mode{.band = Diagonals{-10'000, 10'000}}, Output::cigar}}),
    [](auto const & info) { return std::string{info.param.name}; });

} // namespace
} // namespace nwgpu::test
