// SPDX-License-Identifier: BSD-3-Clause
// Rank 0's side of one pair whose rows are dealt out: sends the shares, has one of its own, decides where the path
// ends, and asks share after share for it, from the last one back.
#pragma once

#include <chrono>
#include <optional>
#include <vector>

#include "backend/monitor.hpp"
#include "places/row_deal.hpp"
#include "places/row_worker.hpp"
#include "places/world.hpp"

namespace nwgpu::places {

class RowsCall {
public:
    // `number`: of the call, as in the messages.  Ranks that do not answer any more are noted in `lost`.
    RowsCall(World & world, std::uint64_t number, std::vector<bool> & lost, Monitor & monitor);

    // The answer; nothing where a rank lacks memory.  `pair` is the only pair of the piece, and the first part is rank
    // 0's.  Throws Error cancelled, and those of other ranks, with rank and host.
    std::optional<PairResult> run(RowEngine & engine, Piece const & piece, RowDeal const & deal);
    // Of letters and lines on their way, at most.
    static std::uint64_t message_bytes(PairView const & pair, RowDeal const & deal);

private:
    struct Share {
        RowPart part;
        std::optional<SweptRows> swept;
        bool has_ended; // or has not begun, on its rank
    };

    void look(RowWorker & own);
    void take(std::size_t share, ByteReader reader);
    void find_end();
    void take_walk(std::size_t share, WalkedRows && walked);
    void ask(std::size_t share, RowQuestion const & question);
    void finish(path::Cursor const & begin);
    void stop();

    World & world_;
    std::uint64_t const number_;
    std::vector<bool> & lost_;
    Monitor & monitor_;
    Request const * request_ = nullptr;
    PairView pair_;
    GapCost gap_;
    std::vector<Share> shares_;
    std::optional<RowQuestion> for_own_; // share
    std::uint64_t own_done_ = 0;         // cells
    CigarBuilder cigar_;
    PairResult result_;
    bool is_done_ = false, lacks_memory_ = false;
    std::optional<Error> failure_;
    std::chrono::steady_clock::time_point reported_;
};

// `whole`: that of the pair in one place.  `places`: what they are called.
Estimate estimate_by_rows(Estimate whole, PairView const & pair, RowDeal const & deal, std::string const & places);

} // namespace nwgpu::places
