// SPDX-License-Identifier: BSD-3-Clause
// What records of one template say of each other: MC, PNEXT and TLEN of mates, SA of the parts of a read.  When records
// get new places, those of the others have to follow.
#pragma once

#include "sam_file.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace cli {

class LinkedReads {
public:
    // Whether a record tells of others.
    static bool tells_of_others(bam1_t const * record);

    // old: as it was read; now: as it will be written, before follow().
    void add(bam1_t const * old, bam1_t const * now);
    // The record's fields that tell of others, as those are now; others that were not added stay as they are.
    void follow(bam1_t * record, sam_hdr_t * header) const;
    void clear() { places_.clear(); }

private:
    struct Place {
        std::int32_t tid;
        std::uint16_t flag;
        hts_pos_t old_begin, old_end, begin, end;
        std::int64_t edits; // NM; negative: none
        std::vector<std::uint32_t> cigar;
    };
    static std::uint64_t key(bam1_t const * record);
    Place const * own_place(bam1_t const * record) const;
    Place const * mate_place(bam1_t const * record) const;
    void follow_mate(bam1_t * record) const;
    void follow_parts(bam1_t * record, sam_hdr_t * header) const;
    std::string new_part(bam1_t const * record, sam_hdr_t * header, std::string_view old) const;

    std::unordered_multimap<std::uint64_t, Place> places_; // by the name of the read
};

} // namespace cli
