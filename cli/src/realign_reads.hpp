// SPDX-License-Identifier: BSD-3-Clause
// Mapped reads that `nwgpu realign` aligns in one call, from the records as they were read to those that are written.
#pragma once

#include "engine.hpp"
#include "reference.hpp"
#include "sam_file.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace cli {

// What is the same for all reads.
struct RealignRules {
    Scoring const & scoring;
    LetterEquality const & equal;
    sam_hdr_t * header; // the input's
    std::string cigar_style;
    std::string read_group; // that records get; empty: they keep theirs
    hts_pos_t margin;       // letters of the reference on both sides of where a read is mapped
};

class ReadsToRealign {
public:
    explicit ReadsToRealign(RealignRules const & rules) : rules_(rules) {}
    ReadsToRealign(ReadsToRealign const &) = delete; // reads point into this object
    ReadsToRealign & operator=(ReadsToRealign const &) = delete;

    // In the order of the output.  Throws Failure where a read ends behind its reference.
    void add(SamRecordPtr record, Reference const & reference);
    std::size_t size() const { return reads_.size(); }
    // Of what is aligned, reads and reference, and the bytes of records that are not.
    std::uint64_t letters() const { return letters_; }

    // The rest is called once each, in this order, by any thread.
    void prepare();
    // align(batch) returns its rows.
    void align(std::function<Rows(Batch const &)> const & align);
    // Records get their new alignments; letters and rows are gone.  May be left out.
    void rebuild();
    // write(old, now) of each record; `now` may be the old one.
    void for_each(std::function<void(bam1_t const *, bam1_t const *)> const & write);

    std::uint64_t cells() const { return cells_; }
    std::uint64_t aligned() const { return aligned_; }
    // Records without a place, SEQ or with introns.
    std::uint64_t kept() const { return kept_; }
    // Of each read that stays as it is because its alignment failed.
    std::vector<std::string> const & messages() const { return messages_; }

private:
    // Engines are quicker with sequences that have no N and the like.
    struct Part {
        std::shared_ptr<SequenceSet> letters = std::make_shared<SequenceSet>(),
                                     windows = std::make_shared<SequenceSet>();
        Batch batch{};
        Rows rows{}; // views into it
    };
    struct Read {
        SamRecordPtr record, now{}; // as it was read; with its new alignment, if it has one
        std::string_view window{};  // of the reference; empty: the record passes through
        hts_pos_t window_begin = 0;
        Part * part = nullptr;
        std::uint64_t row = 0; // of the part
    };
    void find_window(Read & read, Reference const & reference);
    void take_letters(Read & read);
    bool is_ambiguous(std::string_view letters) const;
    void rebuild(Read & read);
    void take_alignment(Read & read);

    RealignRules const & rules_;
    std::vector<Read> reads_;
    Part plain_, ambiguous_;
    bool are_rebuilt_ = false;
    std::uint64_t letters_ = 0, cells_ = 0, aligned_ = 0, kept_ = 0;
    std::vector<std::string> messages_;
    SamRecordPtr spare_; // one that was written, whose memory is used again
};

} // namespace cli
