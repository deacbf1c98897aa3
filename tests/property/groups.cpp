// SPDX-License-Identifier: BSD-3-Clause
// Random groups of pairs; see groups.hpp.
#include "groups.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string_view>

namespace nwgpu::test {

namespace {

std::uint64_t from_environment(char const * variable, std::uint64_t otherwise)
{
    char const * const text = std::getenv(variable);
    return text ? std::strtoull(text, nullptr, 10) : otherwise;
}

std::uint64_t random_length(Random & random, std::uint64_t longest)
{
    if (random.chance(0.2)) {
        std::uint64_t const edge = random.pick(edge_lengths());
        return edge <= longest ? edge : edge % (longest + 1);
    }
    return random.below(random.chance(0.5) ? longest / 4 + 1 : longest + 1);
}

} // namespace

bool on_a_gpu()
{
    char const * const text = std::getenv("NWGPU_TEST_ENGINE");
    return text && std::string_view{text} == "cuda";
}

std::string Group::words() const
{
    return (on_a_gpu() ? "NWGPU_TEST_ENGINE=cuda " : "") + ("NWGPU_TEST_SEED=" + std::to_string(seed)) +
           " NWGPU_TEST_PAIRS=1";
}

Group random_group(std::uint64_t seed, std::uint64_t longest)
{
    Random random{seed};
    BackendKind const kind = on_a_gpu() ? BackendKind::cuda : BackendKind::cpu;
    Group group{
        seed, &random.pick(all_schemes()), random.pick(all_modes()), random.pick(engine_setups(true, kind)), {}};
    if (random.chance(0.2))
        group.mode = Mode{}; // global and local are two of 17 modes and half of what people run
    else if (random.chance(0.2))
        group.mode = Mode{.local = true};
    if (random.chance(0.6)) { // force ways that pairs of these lengths would not go
        static std::vector<std::uint64_t> const traces{0, 1, 5000}, tiles{0, 1, 7, 100};
        static std::vector<int> const widths{0, 0, 64}, choices{-1, 0, 1, 1};
        group.options.tuning = {random.pick(widths), random.pick(traces), random.pick(tiles), random.pick(choices),
                                random.pick(choices)};
        if (random.chance(0.5)) {
            static std::vector<std::int64_t> const points{-1, 1, 100, 5000, std::int64_t{1} << 40};
            group.options.tuning.furthest = random.pick(points);
        }
    } else if (random.chance(0.5)) {
        group.options.tuning.bits = random.chance(0.5) ? 1 : -1;
        group.options.tuning.bands = random.chance(0.7) ? 1 : -1;
    }
    static std::vector<std::uint64_t> const counts{1, 3, 16, 33, 64, 100, 140}, gpu_counts{1, 33, 140, 1000, 3000};
    std::uint64_t const count = random.pick(on_a_gpu() ? gpu_counts : counts);
    bool const equal_lengths = random.chance(0.3);
    std::uint64_t const m = random_length(random, longest), n = random_length(random, longest);
    for (std::uint64_t p = 0; p < count; ++p)
        group.pairs.push_back(random_pair(random, random.pick(all_models()),
                                          equal_lengths ? m : random_length(random, longest),
                                          equal_lengths ? n : random_length(random, longest), group.scheme->letters,
                                          0.02 * static_cast<double>(random.between(1, 15))));
    return group;
}

void for_groups(double share, std::uint64_t longest, std::function<void(Group const &)> const & test)
{
    static std::uint64_t const wanted = from_environment("NWGPU_TEST_PAIRS", is_thorough() ? 120000 : 40000);
    std::uint64_t seed = from_environment("NWGPU_TEST_SEED", 1000000);
    auto const pairs = static_cast<std::uint64_t>(share * static_cast<double>(wanted)) + 1;
    for (std::uint64_t seen = 0; seen < pairs && !testing::Test::HasFailure(); ++seed) {
        Group const group = random_group(seed, longest);
        seen += group.pairs.size();
        test(group);
    }
}

} // namespace nwgpu::test
