// SPDX-License-Identifier: BSD-3-Clause
// Ranks as threads of one process, each with an engine of its own, that deal out pairs by rows, however short.
#pragma once

#include <atomic>
#include <chrono>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "backend/row_share.hpp"
#include "base/team.hpp"
#include "cpu/engine.hpp"
#include "places/devices_backend.hpp"
#include "places/ranks_backend.hpp"
#include "places/server.hpp"
#include "support/cases.hpp"
#include "support/ranks.hpp"

namespace nwgpu::test {

// The table of a rank, as the C ABI makes a communicator of it.
class TableCommunicator final : public places::Communicator {
public:
    explicit TableCommunicator(nwgpu_communicator const & table) : table_{table} {}
    int rank() const override { return table_.rank; }
    int size() const override { return table_.size; }
    std::uint64_t fingerprint() const override { return 0; }
    void send(int to, std::span<std::byte const> bytes) override
    {
        check(table_.send(table_.user, to, bytes.data(), bytes.size()));
    }
    std::optional<Waiting> probe() override
    {
        std::int32_t from = -1;
        std::uint64_t bytes = 0;
        check(table_.probe(table_.user, &from, &bytes));
        return from < 0 ? std::nullopt : std::optional{Waiting{from, bytes}};
    }
    void receive(int from, std::span<std::byte> bytes) override
    {
        check(table_.receive(table_.user, from, bytes.data(), bytes.size()));
    }

private:
    static void check(std::int32_t answer)
    {
        if (answer != 0)
            throw Error{Status::communication, "the communicator is broken"};
    }
    nwgpu_communicator const table_;
};

class RowWorld {
public:
    using MakeEngine = std::function<std::unique_ptr<Backend>(int rank, std::shared_ptr<Team> const & team)>;

    // `limits`: of host memory, by rank; none where it is shorter.
    RowWorld(int size, places::RowRules const & rules, MakeEngine const & make, std::uint64_t seed = 1,
             std::chrono::microseconds most_delay = {}, std::vector<std::uint64_t> const & limits = {}) :
        ranks_{size, seed, most_delay},
        failures_(static_cast<std::size_t>(size)),
        dismissed_(static_cast<std::size_t>(size))
    {
        for (int rank = 1; rank < size; ++rank)
            threads_.emplace_back([=, this] { serve(rank, make, limits); });
        world_ = world(0);
        auto engine = make(0, std::make_shared<Team>(1));
        world_->meet(places::Member::here("engine", 1, engine->row_engine()->pace()), "test");
        backend_ = places::make_ranks_backend(world_, std::move(engine), {0, 0, 1e-9, 0}, rules,
                                              [this](std::string const & text) { warnings += text + "\n"; });
    }
    ~RowWorld()
    {
        backend_.reset();
        try {
            world_->end();
        } catch (Error const &) {
        }
        ends_ = true; // of those that did not hear of it, too
        for (std::thread & thread : threads_)
            thread.join();
    }
    RowWorld(RowWorld const &) = delete;

    Backend & backend() { return *backend_; }
    // Ends its service, as its caller can.
    void dismiss(int rank) { dismissed_[static_cast<std::size_t>(rank)] = true; }
    Ranks & ranks() { return ranks_; }
    std::string const & failure(int rank) const { return failures_[static_cast<std::size_t>(rank)]; }
    std::string warnings;

private:
    std::shared_ptr<places::World> world(int rank)
    {
        return std::make_shared<places::World>(std::make_unique<TableCommunicator>(ranks_.table(rank)));
    }
    void serve(int rank, MakeEngine const & make, std::vector<std::uint64_t> const & limits)
    {
        auto const k = static_cast<std::size_t>(rank);
        try {
            auto const world = this->world(rank);
            auto const team = std::make_shared<Team>(1 + rank % 2);
            auto const engine = make(rank, team);
            world->meet(places::Member::here("engine", team->size(), engine->row_engine()->pace()), "test");
            places::Service const service{[](places::Task const &, Progress const &) -> BatchResult {
                                              throw Error{Status::internal, "a whole pair was sent"};
                                          },
                                          engine->row_engine(), team.get(), k < limits.size() ? limits[k] : 0};
            places::serve(*world, service, [this, k] { return !ends_ && !dismissed_[k]; });
        } catch (Error const & error) {
            failures_[k] = error.what();
        }
    }

    Ranks ranks_;
    std::vector<std::string> failures_; // why a rank has ended
    std::atomic<bool> ends_{false};
    std::deque<std::atomic<bool>> dismissed_;
    std::shared_ptr<places::World> world_;
    std::unique_ptr<Backend> backend_;
    std::vector<std::thread> threads_;
};

// Engines of one process, as its devices, that deal out pairs by rows.
inline std::unique_ptr<Backend> stacked(std::vector<std::unique_ptr<Backend>> engines, places::RowRules const & rules)
{
    std::vector<places::Device> devices;
    for (auto & engine : engines)
        devices.push_back({std::move(engine), std::make_shared<Team>(1)});
    return places::make_devices_backend(std::move(devices), {0, 0, 1e-9, 0}, rules, [](std::string const &) {});
}

// Every pair is dealt out, to as many ranks as it has multiples of `unit_rows`.
inline places::RowRules all_rows(std::uint64_t unit_rows, std::uint64_t panel_cols)
{
    return {0, unit_rows, 0, panel_cols};
}

} // namespace nwgpu::test
