// SPDX-License-Identifier: BSD-3-Clause
// Pairs dealt out by rows to several GPUs, with a checkpoint: stopped at some moment, resumed by others, or by the CPU;
// the oracle's answer.
#include <gtest/gtest.h>

#include <filesystem>
#include <optional>

#include "base/error.hpp"
#include "cuda/engine.hpp"
#include "support/engines.hpp"
#include "support/folder.hpp"
#include "support/row_world.hpp"

namespace nwgpu::test {
namespace {

class GpuRoundsTest : public OnEachEngine<> {};
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(GpuRoundsTest); // without CUDA
INSTANTIATE_TEST_SUITE_P(All, GpuRoundsTest, on_cuda(), ParameterNames{});

std::unique_ptr<Backend> gpu(int device, int rows_per_half)
{
    return cuda::make_engine(
        {.device = device, .max_device_bytes = std::uint64_t{1} << 30, .tuning = {.rows_per_half = rows_per_half}});
}

// Some places that can go on with a checkpoint.
struct Places {
    enum Kind { devices, ranks, cpu } kind = devices;
    int count = 1; // GPUs
    int rows_per_half = 2;
    places::RowRules rules;

    std::string words() const
    {
        return std::string{kind == devices ? " devices"
                           : kind == ranks ? " ranks"
                                           : " cpu"} +
               " " + std::to_string(count) + " half=" + std::to_string(rows_per_half) +
               " round=" + std::to_string(rules.round_rows) + " panel=" + std::to_string(rules.panel_cols);
    }
    // work(the backend)
    template <class Work>
    void with(std::uint64_t seed, Work const & work) const
    {
        if (kind == cpu)
            return work(*cpu::make_engine({.threads = 1}));
        if (kind == ranks) {
            RowWorld world{count, rules,
                           [&](int rank, std::shared_ptr<Team> const &) { return gpu(rank, rows_per_half); }, seed};
            return work(world.backend());
        }
        std::vector<std::unique_ptr<Backend>> made;
        for (int k = 0; k < count; ++k)
            made.push_back(gpu(k, rows_per_half));
        work(*stacked(std::move(made), rules));
    }
};

Places random_places(Random & random, std::uint64_t n, bool on_gpus)
{
    Places places;
    int const chips = std::min(3, cuda::device_count());
    places.kind = !on_gpus && random.chance(0.3) ? Places::cpu : random.chance(0.6) ? Places::devices : Places::ranks;
    places.count = static_cast<int>(random.between(on_gpus ? 2 : 1, chips));
    if (places.count == 1 && places.kind == Places::ranks)
        places.kind = Places::devices;
    places.rows_per_half = random.pick(std::vector{-1, 2, 4});
    places.rules = all_rows(1, n / random.between(1, 6) + 1);
    places.rules.round_rows = random.between(512, 1200);
    return places;
}

std::uint64_t slabs_in(std::string const & folder)
{
    std::uint64_t count = 0;
    std::error_code error;
    for (auto const & entry : std::filesystem::directory_iterator{folder, error})
        count += entry.path().extension() == ".nwgpu";
    return count;
}

TEST_P(GpuRoundsTest, EqualTheOracle)
{
    if (cuda::device_count() < 2)
        GTEST_SKIP() << "there is one device";
    int left_something = 0;
    for (std::uint64_t seed = 8200; seed < 8224 && !testing::Test::HasFailure(); ++seed) {
        Random random{seed};
        Scheme const & s = random.pick(all_schemes());
        Mode const & mode = random.chance(0.4) ? Mode{.local = true} : random.pick(all_modes());
        std::uint64_t const m = random.between(2600, 4500), n = random.between(1, 1500);
        PairSet const set{
            {random_pair(random, random.pick(all_models()), m, n, s.letters, random.chance(0.5) ? 0.02 : 0.2)},
            s.scoring};
        auto const full = oracle(set, s.scoring, mode);
        Output const output = random.pick(std::vector{Output::cigar, Output::cigar, Output::score, Output::end});
        TemporaryFolder const folder;
        Request request{mode, output, CigarStyle::eqx};
        request.every_cell = random.chance(0.7);
        std::string words = "GpuRounds seed=" + std::to_string(seed) + " " + name(mode) + " " + name(output);
        auto stops = random.between(1, 3);
        for (bool resume = false;; resume = true, --stops) {
            request.checkpoint = {folder / "run", resume, 0}; // a round has as few rows as it may
            Places const places = random_places(random, n, !resume);
            words += places.words();
            std::uint64_t const before = slabs_in(folder / "run");
            bool done = true;
            places.with(seed, [&](Backend & backend) {
                if (stops == 0) {
                    check(set, s, request, backend, full, words);
                    return;
                }
                try {
                    align(backend, set.batch(), s.scoring, request,
                          [&](std::uint64_t, std::uint64_t) { return slabs_in(folder / "run") == before; });
                } catch (Error const & error) {
                    EXPECT_EQ(error.status, Status::cancelled) << words << ": " << error.what();
                    done = false;
                }
            });
            if (done) {
                EXPECT_EQ(slabs_in(folder / "run"), 0u) << words << ": the pair is done";
                break;
            }
            left_something += slabs_in(folder / "run") > 0;
        }
    }
    EXPECT_GT(left_something, 10) << "runs that left something to resume";
}

} // namespace
} // namespace nwgpu::test
