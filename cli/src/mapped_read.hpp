// SPDX-License-Identifier: BSD-3-Clause
// One record of `nwgpu realign`: which part of it is aligned again, and how it looks afterwards.
#pragma once

#include "sam_file.hpp"

#include <string>
#include <string_view>

namespace cli {

struct Clips {
    std::uint32_t hard_begin = 0, soft_begin = 0, soft_end = 0, hard_end = 0;
};
Clips read_clips(bam1_t const * record);

// Mapped, with SEQ, and with letters on both sides.  Reads that skip introns (N) are left alone: an exact alignment
// without introns would tear them.
bool can_be_realigned(bam1_t const * record);

// Letters [begin, end) of SEQ.
std::string sequence_letters(bam1_t const * record, std::int64_t begin, std::int64_t end);

// A read has no letter in a deletion at its end, and many programs refuse such a CIGAR, so the alignment is
// shortened by it, and its score is that of what is left.
void trim_end_deletions(Alignment & alignment, nwgpu_scoring const & costs);

// `record` becomes `old` with a new place, CIGAR, NM, MD and AS.  Tags that told of the old alignment are gone;
// flags, MAPQ, mate, SA, MC, quality and the other tags stay.  The alignment is of the unclipped letters with the
// reference from window_begin on.  Unless `style` is "eqx", M in the old CIGAR stays M in the new one.
void rebuild_record(bam1_t * record, bam1_t const * old, Alignment const & alignment, hts_pos_t window_begin,
                    LetterEquality const & equal, std::string_view style);

} // namespace cli
