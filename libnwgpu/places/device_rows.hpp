// SPDX-License-Identifier: BSD-3-Clause
// The devices of one process as one engine that takes shares of rows: each device has some of a share's rows, and the
// boundary below them flows on to the next one.  A whole pair is a share, too.
#pragma once

#include <vector>

#include "backend/row_share.hpp"
#include "places/row_deal.hpp"

namespace nwgpu {
class Team;
}

namespace nwgpu::places {

struct RowDevice {
    RowEngine * engine = nullptr;
    Team * team = nullptr; // for its host work
};

class DeviceRows final : public RowEngine {
public:
    // At least one device; they live longer than this and its shares.
    DeviceRows(std::vector<RowDevice> devices, RowRules const & rules);

    std::size_t size() const { return devices_.size(); }
    bool suits(Request const & request) const override { return devices_.front().engine->suits(request); }
    RowPace pace() const override;
    bool align_if_similar(Piece const & piece, Monitor & monitor, Answers & answers) override
    {
        return devices_.front().engine->align_if_similar(piece, monitor, answers);
    }
    std::int64_t known_score(Piece const & piece, Monitor & monitor) override
    {
        return devices_.front().engine->known_score(piece, monitor);
    }
    std::unique_ptr<RowShare> share(RowTask const & task) override;
    WalkedRows walk_saved(Piece const & piece, checkpoint::Folder & folder, path::Cursor const & from,
                          Monitor & monitor) override
    {
        return devices_.front().engine->walk_saved(piece, folder, from, monitor);
    }

    // Of m rows; ranks stand for devices.  `whole`: of the pair, where these are all of its rows; else null.
    RowDeal deal(std::uint64_t m, std::uint64_t n, Scoring const * whole) const;

private:
    std::vector<RowDevice> const devices_;
    RowRules const rules_;
};

} // namespace nwgpu::places
