// SPDX-License-Identifier: BSD-3-Clause
// The order is samtools sort's: target, position, strand; unmapped records last; equal ones as they came.
#include "sorted_output.hpp"

#include <algorithm>
#include <new>
#include <tuple>

namespace cli {

namespace {

constexpr std::uint64_t most_bytes = std::uint64_t{512} << 20; // of a piece

auto place(bam1_t const * record)
{
    return std::tuple(static_cast<std::uint32_t>(record->core.tid), record->core.pos,
                      (record->core.flag & BAM_FREVERSE) != 0);
}

} // namespace

SortedOutput::SortedOutput(SamOutput & out, sam_hdr_t const * header, int threads) :
    out_(out), header_(sam_hdr_dup(header)), threads_(threads)
{
    if (!header_)
        throw std::bad_alloc();
}

void SortedOutput::write(bam1_t const * record)
{
    piece_.emplace_back(bam_dup1(record));
    if (!piece_.back())
        throw std::bad_alloc();
    piece_bytes_ += sizeof(bam1_t) + piece_.back()->m_data;
    if (piece_bytes_ < most_bytes)
        return;
    sort_piece();
    pieces_.push_back(std::make_unique<RecordSpool>(header_.get(), threads_));
    for (SamRecordPtr const & each : piece_)
        pieces_.back()->write(each.get());
    pieces_.back()->rewind();
    piece_.clear();
    piece_bytes_ = 0;
}

void SortedOutput::sort_piece()
{
    std::ranges::stable_sort(piece_, {}, [](SamRecordPtr const & record) { return place(record.get()); });
}

void SortedOutput::finish()
{
    sort_piece();
    std::vector<SamRecordPtr> heads; // the next record of each piece that still has one; the last piece is in memory
    for (auto const & piece : pieces_) {
        heads.emplace_back(bam_init1());
        if (!heads.back())
            throw std::bad_alloc();
        if (!piece->read(heads.back().get()))
            heads.back().reset();
    }
    std::size_t next = 0;
    for (;;) {
        std::size_t best = heads.size(); // of equal ones the earlier piece's
        bam1_t const * record = next < piece_.size() ? piece_[next].get() : nullptr;
        for (std::size_t i = heads.size(); i-- > 0;)
            if (heads[i] && (record == nullptr || place(heads[i].get()) <= place(record))) {
                best = i;
                record = heads[i].get();
            }
        if (record == nullptr)
            break;
        out_.write(record);
        if (best == heads.size())
            ++next;
        else if (!pieces_[best]->read(heads[best].get()))
            heads[best].reset();
    }
    piece_.clear();
    pieces_.clear();
}

} // namespace cli
