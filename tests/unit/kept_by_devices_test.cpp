// SPDX-License-Identifier: BSD-3-Clause
// Predictions for several devices count the copies of the one that has kept the fewest letters.
#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <vector>

#include "places/devices_backend.hpp"
#include "support/engines.hpp"
#include "support/stand_in.hpp"

namespace nwgpu::places {
namespace {

TEST(KeptByDevices, TheOneWithTheFewestLettersCounts)
{
    std::vector<test::StandIn *> engines;
    std::vector<Device> devices;
    for (int k = 0; k < 3; ++k) {
        auto engine = std::make_unique<test::StandIn>();
        engine->kept = k == 0 ? 1 : k == 1 ? 0.5 : 0.25;
        engine->seconds = 16 - 8 * engine->kept;
        engines.push_back(engine.get());
        devices.push_back({std::move(engine), std::make_shared<Team>(1)});
    }
    auto const backend = make_devices_backend(std::move(devices), {0, 0, 1, 1000}, {}, [](std::string const &) {});
    Scoring const scoring = Scoring::uniform(1, 1, {1, 1});
    test::PairSet const set{std::vector<test::SequencePair>(400, {"ACGTACGTAC", "ACGTACGTAC"}), scoring};
    Request const request;
    std::vector<std::uint64_t> all(set.count());
    for (std::uint64_t p = 0; p < all.size(); ++p)
        all[p] = p;
    Batch const batch = set.batch();
    auto const seconds = [&](std::size_t pairs) {
        return backend->estimate({batch, std::span{all}.first(pairs), scoring, request}).seconds;
    };
    EXPECT_EQ(backend->kept_part(batch.queries), 0.25);
    EXPECT_DOUBLE_EQ(seconds(400), 16 - 8 * 0.25) << "of its share's";
    EXPECT_DOUBLE_EQ(seconds(4), 8) << "little work is the first one's, which has all letters";
    engines[2]->thrown = Status::device_lost;
    // Until it gets some: its thread may come when the others have done all.
    auto const end = std::chrono::steady_clock::now() + std::chrono::seconds{20};
    while (engines[2]->pairs.empty() && std::chrono::steady_clock::now() < end)
        test::align(*backend, batch, scoring, request);
    EXPECT_EQ(backend->kept_part(batch.queries), 0.5) << "the third one is lost";
    EXPECT_DOUBLE_EQ(seconds(400), 16 - 8 * 0.5);
}

} // namespace
} // namespace nwgpu::places
