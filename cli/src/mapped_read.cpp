// SPDX-License-Identifier: BSD-3-Clause
// Taking BAM records apart and putting them together again.
#include "mapped_read.hpp"

#include "failure.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

namespace cli {

namespace {

// What tells of the old alignment.
constexpr std::array<char const *, 10> stale_tags{"NM", "MD", "AS", "CG", "UQ", "cs", "cg", "de", "dv", "ms"};

void drop_stale_tags(bam1_t * record)
{
    for (char const * const tag : stale_tags)
        if (std::uint8_t * const found = bam_aux_get(record, tag))
            bam_aux_del(record, found);
    // bwa's XS is a score; that of spliced aligners, a letter, is the strand of the transcript.
    std::uint8_t * const found = bam_aux_get(record, "XS");
    if (found != nullptr && *found != 'A')
        bam_aux_del(record, found);
}

bool has_operation(bam1_t const * record, std::uint32_t wanted)
{
    std::uint32_t const * const cigar = bam_get_cigar(record);
    return std::any_of(cigar, cigar + record->core.n_cigar,
                       [wanted](std::uint32_t run) { return bam_cigar_op(run) == wanted; });
}

// = and X become M.
void join_letters(std::vector<std::uint32_t> & cigar)
{
    constexpr std::uint64_t longest = (std::uint64_t{1} << (32 - BAM_CIGAR_SHIFT)) - 1;
    std::size_t kept = 0;
    for (std::uint32_t run : cigar) {
        if (bam_cigar_op(run) == BAM_CEQUAL || bam_cigar_op(run) == BAM_CDIFF)
            run = bam_cigar_gen(bam_cigar_oplen(run), BAM_CMATCH);
        bool const joins = kept > 0 && bam_cigar_op(run) == BAM_CMATCH && bam_cigar_op(cigar[kept - 1]) == BAM_CMATCH;
        if (joins && std::uint64_t{bam_cigar_oplen(cigar[kept - 1])} + bam_cigar_oplen(run) <= longest)
            cigar[kept - 1] += bam_cigar_oplen(run) << BAM_CIGAR_SHIFT;
        else
            cigar[kept++] = run;
    }
    cigar.resize(kept);
}

std::vector<std::uint32_t> with_clips(Clips const & clips, Alignment const & alignment)
{
    std::vector<std::uint32_t> cigar;
    auto const clip = [&](std::uint64_t length, std::uint32_t op) {
        if (length > 0)
            cigar.push_back(static_cast<std::uint32_t>(length) << BAM_CIGAR_SHIFT | op);
    };
    clip(clips.hard_begin, BAM_CHARD_CLIP);
    clip(clips.soft_begin + alignment.query_begin, BAM_CSOFT_CLIP);
    cigar.insert(cigar.end(), alignment.cigar.begin(), alignment.cigar.end());
    clip(clips.soft_end + alignment.query.size() - alignment.query_end, BAM_CSOFT_CLIP);
    clip(clips.hard_end, BAM_CHARD_CLIP);
    return cigar;
}

} // namespace

Clips read_clips(bam1_t const * record)
{
    Clips clips;
    bool inside = false;
    std::uint32_t const * const cigar = bam_get_cigar(record);
    for (std::uint32_t i = 0; i < record->core.n_cigar; ++i) {
        std::uint32_t const length = bam_cigar_oplen(cigar[i]);
        switch (bam_cigar_op(cigar[i])) {
        case BAM_CHARD_CLIP:
            (inside ? clips.hard_end : clips.hard_begin) += length;
            break;
        case BAM_CSOFT_CLIP:
            (inside ? clips.soft_end : clips.soft_begin) += length;
            break;
        default:
            inside = true;
        }
    }
    return clips;
}

bool can_be_realigned(bam1_t const * record)
{
    bam1_core_t const & core = record->core;
    if ((core.flag & BAM_FUNMAP) != 0 || core.tid < 0 || core.l_qseq == 0)
        return false;
    Clips const clips = read_clips(record);
    return !has_operation(record, BAM_CREF_SKIP) &&
           bam_cigar2rlen(static_cast<int>(core.n_cigar), bam_get_cigar(record)) > 0 &&
           std::int64_t{clips.soft_begin} + clips.soft_end < core.l_qseq;
}

std::string sequence_letters(bam1_t const * record, std::int64_t begin, std::int64_t end)
{
    // A byte has two letters.
    static std::array<char[2], 256> const letters_of = [] {
        std::array<char[2], 256> all{};
        for (std::size_t byte = 0; byte < all.size(); ++byte) {
            all[byte][0] = seq_nt16_str[byte >> 4];
            all[byte][1] = seq_nt16_str[byte & 15];
        }
        return all;
    }();
    std::uint8_t const * const bytes = bam_get_seq(record);
    std::string letters(static_cast<std::size_t>(std::max<std::int64_t>(0, end - begin)), '\0');
    char * to = letters.data();
    std::int64_t i = begin;
    if (i < end && i % 2 == 1)
        *to++ = letters_of[bytes[i++ / 2]][1];
    for (; i + 1 < end; i += 2, to += 2)
        std::memcpy(to, letters_of[bytes[i / 2]], 2);
    if (i < end)
        *to = letters_of[bytes[i / 2]][0];
    return letters;
}

void trim_end_deletions(Alignment & alignment, nwgpu_scoring const & costs)
{
    auto const drop = [&](std::uint32_t run) {
        std::int64_t const length = bam_cigar_oplen(run);
        alignment.score += costs.gap_open + length * costs.gap_extend;
        return static_cast<std::uint64_t>(length);
    };
    auto const is_deletion = [](std::uint32_t run) { return bam_cigar_op(run) == BAM_CDEL; };
    auto & cigar = alignment.cigar;
    for (; !cigar.empty() && is_deletion(cigar.front()); cigar = cigar.subspan(1))
        alignment.target_begin += drop(cigar.front());
    for (; !cigar.empty() && is_deletion(cigar.back()); cigar = cigar.first(cigar.size() - 1))
        alignment.target_end -= drop(cigar.back());
}

void rebuild_record(bam1_t * record, bam1_t const * old, Alignment const & alignment, hts_pos_t window_begin,
                    LetterEquality const & equal, std::string_view style)
{
    bam1_core_t const & core = old->core;
    std::vector<std::uint32_t> cigar = with_clips(read_clips(old), alignment);
    if (style != "eqx" && has_operation(old, BAM_CMATCH))
        join_letters(cigar);
    std::string const letters = sequence_letters(old, 0, core.l_qseq);
    std::string const name = bam_get_qname(old);
    auto const tag_bytes = static_cast<std::size_t>(bam_get_l_aux(old));
    hts_pos_t const position = window_begin + static_cast<hts_pos_t>(alignment.target_begin);
    if (bam_set1(record, name.size(), name.c_str(), core.flag, core.tid, position, core.qual, cigar.size(),
                 cigar.data(), core.mtid, core.mpos, core.isize, letters.size(), letters.data(),
                 reinterpret_cast<char const *>(bam_get_qual(old)), tag_bytes) < 0)
        throw Failure(text("read '", name, "': its new record is too long for SAM and BAM"));
    std::memcpy(bam_get_aux(record), bam_get_aux(old), tag_bytes);
    record->l_data += static_cast<int>(tag_bytes);
    drop_stale_tags(record);
    set_alignment_tags(record, alignment, equal);
}

} // namespace cli
