// SPDX-License-Identifier: BSD-3-Clause
// What ranks tell each other of a pair whose rows are dealt out, as bytes.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "backend/row_share.hpp"
#include "places/bytes.hpp"

namespace nwgpu::places {

// The ranks that have the rows above and below a part; -1: nobody, or nobody who waits for the line.
struct RowNeighbours {
    std::int64_t above = -1, below = -1;
};

// A share on its way to another rank.
struct RowJob {
    Scoring scoring;
    Request request;
    std::uint64_t row = 0, all_rows = 0, panel_cols = 0, max_slab_bytes = 0;
    std::int64_t known_score = 0;
    std::vector<RowRange> parts; // one at least
    std::vector<RowNeighbours> neighbours;
    std::vector<std::uint8_t> query, target; // codes, CodedSequences::padding on both sides

    RowTask task(std::uint64_t max_host_bytes) const;
};
// `neighbours`: of each part.
void put_row_job(ByteWriter & to, RowTask const & task, std::span<RowNeighbours const> neighbours);
// Throws Error communication for bytes that put_row_job() did not write.
RowJob get_row_job(ByteReader & from);

// The columns of a boundary, as narrow as the scores of the pair allow, behind the number of rows above it.
class LineCode {
public:
    explicit LineCode(RowTask const & task);
    void put(ByteWriter & to, std::uint64_t row, std::uint64_t begin, std::span<RowEntry const> entries) const;
    static std::uint64_t row(ByteReader from) { return from.get<std::uint64_t>(); }
    // Throws Error communication if these are not the columns from `begin` on.
    void get(ByteReader from, std::uint64_t begin, std::span<RowEntry> entries) const;

private:
    path::KeptCode<std::int64_t> code_;
    path::KeptCode<std::int32_t> code32_;
    bool in_32_bits_;
};

struct RowQuestion {
    std::uint64_t part = 0; // of the share
    bool from_best = false, with_path = true;
    path::Cursor from;  // without from_best
    bool slabs = false; // in place of a walk
    RowEnd above{};     // for them
};

// From a rank to rank 0: put_failure(), or one of these.
enum class RowAnswer : std::uint64_t { swept, walked, slabs, ended };
void put_swept(ByteWriter & to, std::span<SweptRows const> parts);
void put_walked(ByteWriter & to, WalkedRows const & walked);
struct PartSlabs {
    std::uint64_t part = 0; // of the share
    std::vector<checkpoint::Slab> slabs;
};
void put_slabs(ByteWriter & to, PartSlabs const & answer);
void put_ended(ByteWriter & to); // nothing more comes of this call
// Throws what put_failure() wrote.
RowAnswer get_row_answer(ByteReader & from);
std::vector<SweptRows> get_swept(ByteReader & from, std::size_t parts);
WalkedRows get_walked(ByteReader & from);
PartSlabs get_slabs(ByteReader & from);

} // namespace nwgpu::places
