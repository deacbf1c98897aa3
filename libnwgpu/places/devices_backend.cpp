// SPDX-License-Identifier: BSD-3-Clause
#include "places/devices_backend.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "backend/invalid_letters.hpp"
#include "backend/monitor.hpp"
#include "places/alone.hpp"
#include "places/device_rows.hpp"
#include "places/kept_by_devices.hpp"
#include "places/pairs_call.hpp"
#include "places/rounds.hpp"
#include "places/rows_call.hpp"

namespace nwgpu::places {

namespace {

class DevicesBackend final : public Backend {
public:
    DevicesBackend(std::vector<Device> devices, Speed const & speed, RowRules const & rows,
                   std::function<void(std::string const &)> warn) :
        speed_{speed}, row_rules_{rows}, warn_{std::move(warn)}
    {
        for (Device & device : devices)
            devices_.push_back({std::move(device)});
    }

    std::string name() const override
    {
        return std::to_string(devices_.size()) + "x" + devices_.front().engine->name();
    }
    int threads() const override
    {
        int sum = 0;
        for (UsedDevice const & device : devices_)
            sum += device.engine->threads();
        return sum;
    }
    void trim() override
    {
        for (UsedDevice & device : devices_)
            device.engine->trim();
    }

    bool takes_letters(Scoring const & scoring, Request const & request) override
    {
        return devices_[first_alive()].engine->takes_letters(scoring, request);
    }
    // Whichever device writes them; each has threads of its own, which those of the call would be in the way of.
    ResultMemory result_memory() override
    {
        ResultMemory memory = devices_[first_alive()].engine->result_memory();
        memory.has_short_turns = false;
        return memory;
    }

    bool gains_by_common_targets(Scoring const & scoring, Request const & request) override
    {
        return devices_.front().engine->gains_by_common_targets(scoring, request);
    }
    double kept_part(CodedSequences const & sequences) override { return least_kept_part(alive(), sequences); }

    Estimate estimate(Piece const & piece) override
    {
        UsedDevice & first = devices_[first_alive()];
        Deal const deal{piece, devices_.size(), speed_};
        if (piece.pairs.size() == 1)
            if (RowDeal const rows = deal_rows_of(piece, piece.pairs[0], deal); !rows.parts.empty())
                return estimate_by_rows(first.engine->estimate(piece), piece.batch.view(piece.pairs[0]), rows,
                                        "devices");
        if (is_for_one(piece, deal))
            return first.engine->estimate(piece);
        Backend & engine = with_fewest_letters(alive(), piece);
        Piece part = part_of(piece, devices_.size());
        Estimate sum = engine.estimate(part);
        auto const count = std::min(devices_.size(), piece.pairs.size());
        double longest = 0;
        std::vector<std::uint64_t> share; // like that of each device, whose call has its own begin and end
        for (std::uint64_t k = 0; k < piece.pairs.size(); ++k) {
            longest = std::max(longest, static_cast<double>(piece.batch.view(piece.pairs[k]).cells()));
            if (k % count == 0)
                share.push_back(piece.pairs[k]);
        }
        part.pairs = share;
        sum.seconds = std::max(engine.estimate(part).seconds,
                               sum.cells > 0 ? sum.seconds * longest / static_cast<double>(sum.cells) : sum.seconds);
        sum.host_bytes += (count - 1) * sum.host_bytes + piece.pairs.size() * Deal::bytes_per_pair;
        sum.plan = "dealt out to " + std::to_string(count) + " devices: " + sum.plan;
        return sum;
    }

    void check_memory(Piece const & piece) override
    {
        devices_.front().engine->check_memory(piece.pairs.size() == 1 ? piece : part_of(piece, devices_.size()));
    }

    void align(Piece const & piece, Monitor & monitor, Answers & answers) override
    {
        Deal deal{piece, devices_.size(), speed_, &monitor.team()};
        if (!is_for_rows(piece, deal.longest_seconds(), deal))
            return align_whole(piece, deal, monitor, answers);
        std::vector<std::uint64_t> pairs{piece.pairs.begin(), piece.pairs.end()}, whole;
        if (piece.batch.are_letters()) // rows take codes
            pairs = code_pairs(piece.batch, pairs, answers);
        for (std::uint64_t const p : pairs)
            if (!deal_rows_of(piece, p, deal).parts.empty())
                align_by_rows({piece.batch, {&p, 1}, piece.scoring, piece.request, piece.max_host_bytes}, monitor,
                              answers);
            else
                whole.push_back(p);
        if (whole.empty())
            return;
        Piece const rest{piece.batch, whole, piece.scoring, piece.request, piece.max_host_bytes};
        Deal rest_deal{rest, devices_.size(), speed_, &monitor.team()};
        align_whole(rest, rest_deal, monitor, answers);
    }

    RowEngine * row_engine() override { return rows_of_alive(); }

private:
    // Null where the devices left take no rows.
    DeviceRows * rows_of_alive()
    {
        std::vector<RowDevice> alive;
        for (UsedDevice & device : devices_)
            if (RowEngine * const engine = device.engine->row_engine(); engine && !device.lost)
                alive.push_back({engine, device.team.get()});
        if (alive.empty())
            return nullptr;
        if (!rows_ || rows_->size() != alive.size())
            rows_.emplace(std::move(alive), row_rules_);
        return &*rows_;
    }
    // Whether a pair that takes so long may be.
    bool is_for_rows(Piece const & piece, double seconds, Deal const & deal)
    {
        DeviceRows const * const rows = rows_of_alive();
        return rows && takes_rows(*rows, piece.request) &&
               is_worth_rows(seconds, deal.seconds(), rows->size(), row_rules_);
    }
    // How the rows of a pair are dealt out; no parts: they are not.
    RowDeal deal_rows_of(Piece const & piece, std::uint64_t p, Deal const & deal)
    {
        if (!is_for_rows(piece, deal.seconds_of(p), deal))
            return {};
        PairView const pair = piece.batch.view(p);
        return rows_of_alive()->deal(pair.m, pair.n, &piece.scoring);
    }

    // The piece has one pair.
    void align_by_rows(Piece const & piece, Monitor & monitor, Answers & answers)
    {
        DeviceRows & engine = *rows_of_alive();
        std::string const & folder = piece.request.checkpoint.folder;
        bool const was_there = !folder.empty() && checkpoint::holds_slabs(folder);
        if (!was_there && engine.align_if_similar(piece, monitor, answers))
            return;
        monitor.throw_if_stopped();
        std::uint64_t const done = monitor.done();
        try {
            World alone{std::make_unique<Alone>()};
            alone.meet(Member::here(name(), threads(), engine.pace()), {});
            Roster roster{alone, warn_};
            std::uint64_t calls = 0;
            std::string lack;
            RowDeal const whole{{{0, 0, piece.batch.view(piece.pairs[0]).m}}}; // whose panels the devices choose
            auto answer = folder.empty()
                              ? RowsCall{alone, calls, roster, monitor, engine.known_score(piece, monitor)}.run(
                                    engine, piece, whole)
                              : Rounds{alone, calls, roster, row_rules_, monitor}.run(engine, piece, lack);
            if (answer)
                return AnswerWriter{&answers}.put(piece.pairs[0], *answer);
        } catch (Error const & error) {
            if (!ends_a_place(error.status))
                throw;
            warn_(std::string{"one device goes on with a pair that was dealt out by rows: "} + error.what());
        }
        monitor.go_back_to(done);
        Request request = piece.request;
        request.checkpoint.resume = request.checkpoint.resume || !was_there; // what is there now is this call's own
        for (;;)
            try {
                return align_on_first({piece.batch, piece.pairs, piece.scoring, request, piece.max_host_bytes}, monitor,
                                      answers);
            } catch (Error const & error) {
                if (error.status != Status::device_lost || devices_[first_alive()].lost)
                    throw;
            }
    }

    void align_whole(Piece const & piece, Deal & deal, Monitor & monitor, Answers & answers)
    {
        if (is_for_one(piece, deal))
            return align_on_first(piece, monitor, answers);
        PairsCall{devices_, piece, monitor, answers, speed_, warn_}.align(deal);
    }

    void align_on_first(Piece const & piece, Monitor & monitor, Answers & answers)
    {
        UsedDevice & device = devices_[first_alive()];
        try {
            device.engine->align(piece, monitor, answers);
        } catch (Error const & error) {
            device.lost = error.status == Status::device_lost;
            throw;
        }
    }

    bool is_for_one(Piece const & piece, Deal const & deal) const
    {
        return piece.pairs.size() <= 1 || !piece.request.checkpoint.folder.empty() ||
               deal.seconds() < speed_.least_seconds;
    }
    std::size_t first_alive() const
    {
        for (std::size_t k = 0; k < devices_.size(); ++k)
            if (!devices_[k].lost)
                return k;
        return 0; // says itself that it is lost
    }
    std::vector<Backend *> alive() const // engines that work, one at least
    {
        std::vector<Backend *> engines{devices_[first_alive()].engine.get()};
        for (UsedDevice const & device : devices_)
            if (!device.lost && device.engine.get() != engines[0])
                engines.push_back(device.engine.get());
        return engines;
    }

    std::vector<UsedDevice> devices_;
    std::optional<DeviceRows> rows_; // of those that are alive
    Speed const speed_;
    RowRules const row_rules_;
    std::function<void(std::string const &)> const warn_;
};

} // namespace

std::unique_ptr<Backend> make_devices_backend(std::vector<Device> devices, Speed const & speed, RowRules const & rows,
                                              std::function<void(std::string const &)> warn)
{
    return std::make_unique<DevicesBackend>(std::move(devices), speed, rows, std::move(warn));
}

} // namespace nwgpu::places
