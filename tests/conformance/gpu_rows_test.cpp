// SPDX-License-Identifier: BSD-3-Clause
// Pairs whose rows are dealt out to GPUs, or to GPUs and CPUs: the oracle's answer, whatever the shares, panels and
// kernels are.
#include <gtest/gtest.h>

#include "align/auto_backend.hpp"
#include "cuda/engine.hpp"
#include "support/engines.hpp"
#include "support/row_world.hpp"

namespace nwgpu::test {
namespace {

using namespace std::chrono_literals;

class GpuRowsTest : public OnEachEngine<> {};
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(GpuRowsTest); // without CUDA
INSTANTIATE_TEST_SUITE_P(All, GpuRowsTest, on_cuda(), ParameterNames{});

// An engine that must not have the pair alone.
class RowsOnly final : public Backend {
public:
    explicit RowsOnly(std::unique_ptr<Backend> engine) : engine_{std::move(engine)} {}
    std::string name() const override { return engine_->name(); }
    int threads() const override { return engine_->threads(); }
    void trim() override {}
    Estimate estimate(Piece const & piece) override { return engine_->estimate(piece); }
    void check_memory(Piece const & piece) override { engine_->check_memory(piece); }
    void align(Piece const &, Monitor &, Answers &) override
    {
        throw Error{Status::internal, "rank 0 has the pair alone"};
    }
    RowEngine * row_engine() override { return engine_->row_engine(); }

private:
    std::unique_ptr<Backend> const engine_;
};

// Of each rank: a GPU with a tuning, or the CPU.
RowWorld::MakeEngine engines(std::vector<std::optional<cuda::Tuning>> const & tunings)
{
    return [tunings](int rank, std::shared_ptr<Team> const & team) {
        auto const & tuning = tunings[static_cast<std::size_t>(rank)];
        auto engine = tuning ? cuda::make_engine({.max_device_bytes = std::uint64_t{1} << 30, .tuning = *tuning})
                             : cpu::make_engine({.team = team});
        return std::make_unique<RowsOnly>(std::move(engine));
    };
}

constexpr cuda::Tuning small_strips{.rows_per_half = 2};

Request every_cell(Mode const & mode, Output output)
{
    Request request{mode, output, CigarStyle::eqx};
    request.every_cell = true;
    return request;
}

std::string describe(std::vector<std::optional<cuda::Tuning>> const & tunings)
{
    std::string text;
    for (auto const & tuning : tunings)
        text += tuning ? " gpu:" + std::to_string(tuning->rows_per_half) : " cpu";
    return text;
}

TEST_P(GpuRowsTest, EqualTheOracle)
{
    for (std::uint64_t seed = 7800; seed < 7830 && !testing::Test::HasFailure(); ++seed) {
        Random random{seed};
        int const size = static_cast<int>(random.between(2, 3)), gpu = static_cast<int>(random.below(2));
        std::vector<std::optional<cuda::Tuning>> tunings(static_cast<std::size_t>(size));
        for (int rank = 0; rank < size; ++rank)
            if (rank == gpu || random.chance(0.6))
                tunings[static_cast<std::size_t>(rank)] = cuda::Tuning{
                    .rows_per_half = random.pick(std::vector{-1, 2, 4}), .width = random.chance(0.2) ? 64 : 0};
        Scheme const & s = random.pick(all_schemes());
        Mode const & mode = random.pick(all_modes());
        std::uint64_t const m = random.between(513, 900), n = random.between(1, 1200), panel = random.between(1, n);
        // Panels of a GPU are seldom so narrow; few of them are enough here.
        std::uint64_t const cols = std::max(panel, n / 6 + 1);
        PairSet const set{{random_pair(random, random.pick(all_models()), m, n, s.letters)}, s.scoring};
        std::string const words =
            "GpuRows seed=" + std::to_string(seed) + describe(tunings) + " panel=" + std::to_string(cols);
        auto const full = oracle(set, s.scoring, mode);
        RowWorld world{size, all_rows(1, cols), engines(tunings), seed, random.chance(0.3) ? 300us : 0us};
        for (Output const output : {Output::cigar, random.chance(0.5) ? Output::score : Output::end}) {
            std::uint64_t const before = world.ranks().sent(1);
            check(set, s, every_cell(mode, output), world.backend(), full, words);
            EXPECT_GT(world.ranks().sent(1), before) << words << ": rank 1 has done nothing";
        }
    }
}

// Two devices of one process.
TEST_P(GpuRowsTest, OfDevicesEqualTheOracle)
{
    for (std::uint64_t seed = 7900; seed < 7912 && !testing::Test::HasFailure(); ++seed) {
        Random random{seed};
        Scheme const & s = random.pick(all_schemes());
        Mode const & mode = random.pick(all_modes());
        std::uint64_t const m = random.between(600, 1500), n = random.between(1, 1500), panel = n / 4 + 1;
        PairSet const set{{random_pair(random, random.pick(all_models()), m, n, s.letters)}, s.scoring};
        auto const full = oracle(set, s.scoring, mode);
        std::vector<std::unique_ptr<Backend>> made;
        for (int k = 0; k < 2; ++k)
            made.push_back(engines({cuda::Tuning{.rows_per_half = random.pick(std::vector{-1, 2, 4})}})(0, nullptr));
        auto const backend = stacked(std::move(made), all_rows(1, panel));
        for (Output const output : {Output::cigar, random.chance(0.5) ? Output::score : Output::end})
            check(set, s, every_cell(mode, output), *backend, full,
                  "GpuRowsDevices seed=" + std::to_string(seed) + " panel=" + std::to_string(panel));
    }
}

// Devices of one process that wait for each other: each has several parts of the rows, in turn with the others.
TEST_P(GpuRowsTest, OfDevicesInRoundsEqualTheOracle)
{
    int const chips = cuda::device_count();
    if (chips < 2)
        GTEST_SKIP() << "there is one device";
    int in_rounds = 0;
    for (std::uint64_t seed = 8000; seed < 8024 && !testing::Test::HasFailure(); ++seed) {
        Random random{seed};
        Scheme const & s = random.pick(all_schemes());
        Mode const & mode = random.chance(0.4) ? Mode{.local = true} : random.pick(all_modes());
        int const count = static_cast<int>(random.between(2, std::min(chips, 3)));
        std::uint64_t const m = random.between(1600, 3000), n = random.between(1, 2000);
        places::RowRules rules = all_rows(1, n / random.between(1, 9) + 1);
        rules.round_rows = random.between(512, 1200);
        PairSet const set{
            {random_pair(random, random.pick(all_models()), m, n, s.letters, random.chance(0.5) ? 0.02 : 0.2)},
            s.scoring};
        std::string const words = "GpuRowsRounds seed=" + std::to_string(seed);
        auto const full = oracle(set, s.scoring, mode);
        std::vector<std::unique_ptr<Backend>> made;
        for (int k = 0; k < count; ++k)
            made.push_back(std::make_unique<RowsOnly>(
                cuda::make_engine({.device = k,
                                   .max_device_bytes = std::uint64_t{1} << 30,
                                   .tuning = {.rows_per_half = random.pick(std::vector{-1, 2, 4})}})));
        auto const backend = stacked(std::move(made), rules);
        for (Output const output : {Output::cigar, random.chance(0.5) ? Output::score : Output::end}) {
            std::string const plan = estimate(*backend, set.batch(), s.scoring, every_cell(mode, output)).plan;
            in_rounds += plan.find(" rounds") != std::string::npos;
            check(set, s, every_cell(mode, output), *backend, full, words);
        }
    }
    EXPECT_GT(in_rounds, 24); // of 48 calls
}

// The same of ranks, some of which have two devices.
TEST_P(GpuRowsTest, OfRanksInRoundsEqualTheOracle)
{
    int const chips = cuda::device_count();
    if (chips < 2)
        GTEST_SKIP() << "there is one device";
    for (std::uint64_t seed = 8100; seed < 8116 && !testing::Test::HasFailure(); ++seed) {
        Random random{seed};
        Scheme const & s = random.pick(all_schemes());
        Mode const & mode = random.chance(0.4) ? Mode{.local = true} : random.pick(all_modes());
        std::uint64_t const m = random.between(1600, 3000), n = random.between(1, 2000);
        places::RowRules rules = all_rows(1, n / random.between(1, 9) + 1);
        rules.round_rows = random.between(512, 1200);
        bool const has_pair = chips > 2 && random.chance(0.5);
        RowWorld::MakeEngine const make = [&](int rank, std::shared_ptr<Team> const &) -> std::unique_ptr<Backend> {
            auto const on = [](int device) {
                return std::make_unique<RowsOnly>(cuda::make_engine(
                    {.device = device, .max_device_bytes = std::uint64_t{1} << 30, .tuning = {.rows_per_half = 2}}));
            };
            if (rank == 0 || !has_pair)
                return on(rank);
            std::vector<std::unique_ptr<Backend>> two;
            two.push_back(on(1));
            two.push_back(on(2));
            return stacked(std::move(two), rules);
        };
        PairSet const set{{random_pair(random, random.pick(all_models()), m, n, s.letters, 0.05)}, s.scoring};
        std::string const words = "GpuRowsRankRounds seed=" + std::to_string(seed);
        auto const full = oracle(set, s.scoring, mode);
        RowWorld world{2, rules, make, seed, random.chance(0.3) ? 300us : 0us};
        for (Output const output : {Output::cigar, random.chance(0.5) ? Output::score : Output::end})
            check(set, s, every_cell(mode, output), world.backend(), full, words);
    }
}

std::unique_ptr<Backend> small_gpu() { return cuda::make_engine({.tuning = small_strips}); }

// A rank that has a GPU and a CPU takes rows with the GPU; without it, which it learns late, with the CPU.
TEST_P(GpuRowsTest, OfAnAutomaticChoice)
{
    Scheme const & s = scheme("dna_2_4_4_2");
    Random random{7950};
    PairSet const set{{random_pair(random, Model::noisy, 900, 700, s.letters, 0.1)}, s.scoring};
    auto const full = oracle(set, s.scoring, {});
    for (bool const is_there : {true, false}) {
        std::atomic<int> made{0};
        RowWorld::MakeEngine const automatic = [&](int, std::shared_ptr<Team> const & team) {
            auto const make_gpu = [&]() -> std::unique_ptr<Backend> {
                ++made;
                return is_there ? small_gpu() : throw Error{Status::no_device, "unplugged"};
            };
            return std::make_unique<RowsOnly>(make_auto_backend(
                cpu::make_engine({.team = team}), "gpu", make_gpu, [](std::string const &) {},
                small_gpu()->row_engine()->pace()));
        };
        RowWorld world{3, all_rows(1, 200), automatic};
        EXPECT_EQ(made, 0);
        check(set, s, every_cell({}, Output::cigar), world.backend(), full, "GpuRowsAutomatic seed=7950");
        EXPECT_EQ(made, 3);
    }
}

// GPUs skip cells, and CPUs, which do not, take their lines, raised beside high scores.
TEST_P(GpuRowsTest, LinesJumpWhereCellsAreSkipped)
{
    for (std::uint64_t seed = 8300; seed < 8306 && !testing::Test::HasFailure(); ++seed) {
        Random random{seed};
        Scheme const & s = *random.pick(std::vector{&scheme("dna_2_4_4_2"), &scheme("BLOSUM62_11_1")});
        std::vector<std::string> stretches;
        for (std::size_t const length : {std::size_t{600}, random.between(90, 220), random.between(60, 150)})
            stretches.push_back(random_sequence(random, length, s.letters));
        auto const sequence = [&] {
            std::string text;
            for (int k = 0; k < 6; ++k)
                text += random.pick(stretches) + random_sequence(random, random.between(20, 300), s.letters);
            return text;
        };
        PairSet const set{{{sequence(), sequence()}}, s.scoring};
        std::uint64_t const panel = set.view(0).n / random.between(1, 5) + 1;
        std::vector<std::optional<cuda::Tuning>> tunings(3);
        for (auto & tuning : tunings)
            if (random.chance(0.5))
                tuning = cuda::Tuning{.rows_per_half = random.pick(std::vector{2, 4})};
        tunings[random.below(2)] = small_strips; // above another one
        std::string const words =
            "GpuRowsJumps seed=" + std::to_string(seed) + describe(tunings) + " panel=" + std::to_string(panel);
        auto const full = oracle(set, s.scoring, {.local = true});
        RowWorld world{3, all_rows(1, panel), engines(tunings), seed};
        check(set, s, {Mode{.local = true}, Output::cigar, CigarStyle::eqx}, world.backend(), full, words);
    }
}

// Strips that skip all of their columns begin where those end, and so does what a share tells the next one.
TEST_P(GpuRowsTest, PartsThatAreSkippedWhole)
{
    if (cuda::device_count() < 2)
        GTEST_SKIP() << "there is one device";
    Scheme const & s = scheme("dna_2_4_4_2");
    Random random{7954};
    std::string const word = random_sequence(random, 1000, "AC");
    PairSet const set{{{word + random_sequence(random, 5500, "GT"), word}}, s.scoring};
    Mode const local{.local = true};
    places::RowRules rules = all_rows(1, 150);
    rules.round_rows = 512;
    std::vector<std::unique_ptr<Backend>> made;
    for (int k = 0; k < 2; ++k)
        made.push_back(std::make_unique<RowsOnly>(
            cuda::make_engine({.device = k, .max_device_bytes = std::uint64_t{1} << 30, .tuning = small_strips})));
    check(set, s, {local, Output::cigar, CigarStyle::eqx}, *stacked(std::move(made), rules),
          oracle(set, s.scoring, local), "GpuRowsSkipped seed=7954");
}

// Equal best scores in the shares of two GPUs, and in two panels of one.
TEST_P(GpuRowsTest, EqualEndsInDifferentShares)
{
    Scheme const & s = scheme("dna_2_4_4_2");
    Random random{7952};
    auto const between = [&](std::size_t length) { return random_sequence(random, length, "AC"); };
    auto const beside = [&](std::size_t length) { return random_sequence(random, length, "GT"); };
    std::string const word = random_sequence(random, 60, "ACGT"), other = random_sequence(random, 60, "ACGT");
    std::string query = between(150);
    for (std::string const & next : {word, word, other, word})
        query += next + between(200);
    Mode const local{.local = true}, last_column{.free_query_begin = true, .free_query_end = true};
    RowWorld world{3, all_rows(1, 150), engines({small_strips, cuda::Tuning{.rows_per_half = -1}, small_strips})};
    for (auto const & [target, mode] : {std::pair{beside(120) + word + beside(80), local},
                                        {beside(100) + other + beside(200) + word, local},
                                        {beside(110) + word + beside(90) + other, local},
                                        {word, last_column}}) {
        PairSet const set{{{query, target}}, s.scoring};
        auto const full = oracle(set, s.scoring, mode);
        EXPECT_EQ(full[0].score, 120);
        check(set, s, every_cell(mode, Output::cigar), world.backend(), full, "GpuRowEnds seed=7952 " + name(mode));
    }
}

// A call that is ended, in a kernel or in a wait for a line, leaves the ranks ready; a rank without memory leaves the
// pair to rank 0.
TEST_P(GpuRowsTest, ACallThatEndsEarlyLeavesTheRanksReady)
{
    Scheme const & s = scheme("dna_2_4_4_2");
    Random random{7953};
    PairSet const set{{random_pair(random, Model::noisy, 900, 700, s.letters, 0.1)}, s.scoring};
    auto const full = oracle(set, s.scoring, {});
    auto const make = [](int rank, std::shared_ptr<Team> const &) {
        return cuda::make_engine({.max_device_bytes = rank == 2 ? 1u << 17 : 1u << 26, .tuning = small_strips});
    };
    PairSet const large{{random_pair(random, Model::uniform, 5000, 6000, s.letters)}, s.scoring};
    RowWorld world{2, all_rows(1, 1000), make};
    int left = 2;
    try {
        align(world.backend(), large.batch(), s.scoring, every_cell({}, Output::score),
              [&](std::uint64_t, std::uint64_t) { return --left > 0; });
        EXPECT_GT(left, 0) << "the call goes on"; // a GPU may have ended it before it was asked twice
    } catch (Error const & error) {
        EXPECT_EQ(error.status, Status::cancelled) << error.what();
    }
    check(set, s, every_cell({}, Output::cigar), world.backend(), full, "GpuRowsEnded seed=7953");
    RowWorld poor{3, all_rows(1, 200), make};
    check(set, s, every_cell({}, Output::cigar), poor.backend(), full, "GpuRowsEnded seed=7953");
}

} // namespace
} // namespace nwgpu::test
