// SPDX-License-Identifier: BSD-3-Clause
// What ranks tell each other of a pair whose rows are dealt out, as bytes.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "backend/row_share.hpp"
#include "places/bytes.hpp"

namespace nwgpu::places {

// A share on its way to another rank.
struct RowJob {
    Scoring scoring;
    Request request;
    std::uint64_t row = 0, all_rows = 0, panel_cols = 0, max_slab_bytes = 0;
    int above = 0, below = -1;               // ranks; nobody waits for the line below the last share of a call
    std::vector<std::uint8_t> query, target; // codes, CodedSequences::padding on both sides

    RowTask task(std::uint64_t max_host_bytes) const;
};
void put_row_job(ByteWriter & to, RowTask const & task, int above, int below);
// Throws Error communication for bytes that put_row_job() did not write.
RowJob get_row_job(ByteReader & from);

// The columns of a boundary.  As narrow as the scores of the pair allow.
class LineCode {
public:
    explicit LineCode(RowTask const & task);
    void put(ByteWriter & to, std::uint64_t begin, std::span<RowEntry const> entries) const;
    // Throws Error communication if these are not the columns from `begin` on.
    void get(ByteReader & from, std::uint64_t begin, std::span<RowEntry> entries) const;

private:
    path::KeptCode<std::int64_t> code_;
    path::KeptCode<std::int32_t> code32_;
    bool in_32_bits_;
};

struct RowQuestion {
    bool from_best = false, with_path = true;
    path::Cursor from;  // without from_best
    bool slabs = false; // in place of a walk
    RowEnd above{};     // for them
};

// From a rank to rank 0: put_failure(), or one of these.
enum class RowAnswer : std::uint64_t { swept, walked, slabs, ended };
void put_swept(ByteWriter & to, SweptRows const & swept);
void put_walked(ByteWriter & to, WalkedRows const & walked);
void put_slabs(ByteWriter & to, std::vector<checkpoint::Slab> const & slabs);
void put_ended(ByteWriter & to); // nothing more comes of this call
// Throws what put_failure() wrote.
RowAnswer get_row_answer(ByteReader & from);
WalkedRows get_walked(ByteReader & from); // SweptRows is plain
std::vector<checkpoint::Slab> get_slabs(ByteReader & from);

} // namespace nwgpu::places
