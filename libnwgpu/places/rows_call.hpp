// SPDX-License-Identifier: BSD-3-Clause
// Rank 0's side of one pair whose rows are dealt out: sends the shares, has one of its own, decides where the path
// ends, and asks share after share for it, from the last one back.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "backend/monitor.hpp"
#include "places/roster.hpp"
#include "places/row_deal.hpp"
#include "places/row_worker.hpp"
#include "places/saved_rows.hpp"
#include "places/world.hpp"

namespace nwgpu::places {

class RowsCall {
public:
    // `number`: of the call, as in the messages; `known_score`: of RowEngine.
    RowsCall(World & world, std::uint64_t number, Roster & roster, Monitor & monitor, std::int64_t known_score);

    // The answer; nothing where a rank lacks memory or is gone.  `pair` is the only pair of the piece, and the first
    // part is rank 0's.  Throws Error cancelled, and those of other ranks, with rank and host. With `saved`: the rows
    // dealt out are those below it; unless they are the last ones they are saved, and the answer is empty.
    std::optional<PairResult> run(RowEngine & engine, Piece const & piece, RowDeal const & deal,
                                  SavedRows * saved = nullptr);
    // Which rank lacks memory, and why; empty: none.
    std::string const & lack() const { return lack_; }
    // Of letters and lines on their way, at most.
    static std::uint64_t message_bytes(PairView const & pair, RowDeal const & deal);

private:
    struct Part {
        RowPart rows;
        std::size_t number; // among the parts of its rank
        SweptRows swept{};
        std::optional<std::vector<checkpoint::Slab>> slabs = std::nullopt; // until all above are there
    };
    struct Share { // of a rank
        int rank;
        std::vector<std::size_t> parts;
        bool is_swept = false, has_ended = true; // or has not begun
    };

    void sweep(RowEngine & engine, Piece const & piece, RowDeal const & deal);
    void look(RowWorker & own);
    Share * share_of(Message const & message);
    RowTask task_of(Share const & share, Piece const & piece, RowDeal const & deal) const;
    void start(Share & share, RowTask const & task);
    void take(Share & share, ByteReader reader);
    void take_slabs(Share const & share, PartSlabs && answer);
    void all_swept();
    void ask_for_slabs();
    void save_slabs();
    void find_end();
    void take_walk(WalkedRows && walked);
    void ask(std::size_t part, RowQuestion question);
    void finish(path::Cursor const & begin);
    void stop();

    World & world_;
    std::uint64_t const number_;
    Roster & roster_;
    Monitor & monitor_;
    std::int64_t const known_score_;
    Request const * request_ = nullptr;
    SavedRows * saved_ = nullptr;
    PairView pair_;
    GapCost gap_;
    std::vector<Part> parts_;            // from the top to the bottom
    std::vector<Share> shares_;          // that of rank 0 first
    std::optional<RowQuestion> for_own_; // share
    std::size_t asked_ = 0;              // part, last
    std::uint64_t own_done_ = 0;         // cells
    std::size_t parts_saved_ = 0;
    std::optional<path::Cursor> in_saved_; // where the path goes on, after these rows
    CigarBuilder cigar_;
    PairResult result_;
    bool is_done_ = false, goes_alone_ = false;
    std::string lack_;
    std::optional<Error> failure_;
    std::chrono::steady_clock::time_point reported_;
};

// `whole`: that of the pair in one place.  `places`: what they are called.
Estimate estimate_by_rows(Estimate whole, PairView const & pair, RowDeal const & deal, std::string const & places);

} // namespace nwgpu::places
