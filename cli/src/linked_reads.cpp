// SPDX-License-Identifier: BSD-3-Clause
// Records find each other by the name of the read, and parts of a read by the place that they had.
#include "linked_reads.hpp"

#include "failure.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <functional>

namespace cli {

namespace {

constexpr std::uint16_t read_number = BAM_FREAD1 | BAM_FREAD2;
constexpr std::uint16_t not_primary = BAM_FSECONDARY | BAM_FSUPPLEMENTARY;

std::string cigar_text(std::vector<std::uint32_t> const & cigar, bool soft)
{
    std::string out;
    for (std::uint32_t const run : cigar) {
        char const op = bam_cigar_opchr(run);
        out += std::to_string(bam_cigar_oplen(run)) + (soft && op == 'H' ? 'S' : op);
    }
    return out.empty() ? "*" : out;
}

// The tag anew, or not at all where its text is empty.
void set_text(bam1_t * record, char const * tag, std::string const & value)
{
    std::uint8_t * const found = bam_aux_get(record, tag);
    if (value.empty() && found != nullptr)
        bam_aux_del(record, found);
    else if (!value.empty() && bam_aux_update_str(record, tag, static_cast<int>(value.size() + 1), value.c_str()) != 0)
        throw Failure(text("cannot add ", tag, " to the SAM output"));
}

// The 5' end of a read: what some aligners measure TLEN from.
hts_pos_t five_prime(std::uint16_t flag, hts_pos_t begin, hts_pos_t end)
{
    return (flag & BAM_FREVERSE) != 0 ? end : begin;
}

} // namespace

bool LinkedReads::tells_of_others(bam1_t const * record)
{
    return (record->core.flag & BAM_FPAIRED) != 0 || bam_aux_get(record, "SA") != nullptr ||
           bam_aux_get(record, "MC") != nullptr;
}

std::uint64_t LinkedReads::key(bam1_t const * record) { return std::hash<std::string_view>()(bam_get_qname(record)); }

void LinkedReads::add(bam1_t const * old, bam1_t const * now)
{
    if ((now->core.flag & BAM_FUNMAP) != 0)
        return;
    std::uint8_t const * const edits = bam_aux_get(now, "NM");
    std::uint32_t const * const cigar = bam_get_cigar(now);
    places_.emplace(key(now), Place{now->core.tid,
                                    now->core.flag,
                                    old->core.pos,
                                    bam_endpos(old),
                                    now->core.pos,
                                    bam_endpos(now),
                                    edits != nullptr ? bam_aux2i(edits) : -1,
                                    {cigar, cigar + now->core.n_cigar}});
}

void LinkedReads::follow(bam1_t * record, sam_hdr_t * header) const
{
    if ((record->core.flag & BAM_FPAIRED) != 0)
        follow_mate(record);
    if (bam_aux_get(record, "SA") != nullptr)
        follow_parts(record, header);
}

LinkedReads::Place const * LinkedReads::own_place(bam1_t const * record) const
{
    auto const [begin, end] = places_.equal_range(key(record));
    for (auto at = begin; at != end; ++at)
        if (Place const & place = at->second;
            place.flag == record->core.flag && place.tid == record->core.tid && place.begin == record->core.pos)
            return &place;
    return nullptr;
}

LinkedReads::Place const * LinkedReads::mate_place(bam1_t const * record) const
{
    bam1_core_t const & core = record->core;
    auto const [begin, end] = places_.equal_range(key(record));
    for (auto at = begin; at != end; ++at)
        if (Place const & place = at->second; (place.flag & not_primary) == 0 &&
                                              (place.flag & read_number) == (~core.flag & read_number) &&
                                              place.tid == core.mtid && place.old_begin == core.mpos)
            return &place;
    return nullptr;
}

void LinkedReads::follow_mate(bam1_t * record) const
{
    bam1_core_t & core = record->core;
    Place const * const own = (core.flag & BAM_FUNMAP) == 0 ? own_place(record) : nullptr;
    if ((core.flag & BAM_FMUNMAP) != 0) { // such a mate stands where this read is
        if (own != nullptr && core.mtid == core.tid && core.mpos == own->old_begin)
            core.mpos = own->begin;
        return;
    }
    Place const * const mate = mate_place(record);
    if (mate == nullptr)
        return;
    if (bam_aux_get(record, "MC") != nullptr)
        set_text(record, "MC", cigar_text(mate->cigar, false));
    if (own == nullptr && core.tid == core.mtid && core.pos == core.mpos)
        core.pos = mate->begin; // an unmapped read, beside its mate
    core.mpos = mate->begin;
    if (own == nullptr || own->tid != mate->tid || core.isize == 0)
        return;
    // The length over all, or between the 5' ends: the one that it was before.
    hts_pos_t const all = std::max(own->old_end, mate->old_end) - std::min(own->old_begin, mate->old_begin);
    if (core.isize == all || core.isize == -all) {
        hts_pos_t const now = std::max(own->end, mate->end) - std::min(own->begin, mate->begin);
        bool const first = own->begin != mate->begin ? own->begin < mate->begin : core.isize > 0;
        core.isize = first ? now : -now;
    } else {
        core.isize += five_prime(mate->flag, mate->begin, mate->end) -
                      five_prime(mate->flag, mate->old_begin, mate->old_end) -
                      five_prime(own->flag, own->begin, own->end) + five_prime(own->flag, own->old_begin, own->old_end);
    }
}

// SA is a list of rname,pos,strand,CIGAR,mapQ,NM; each with its semicolon.
void LinkedReads::follow_parts(bam1_t * record, sam_hdr_t * header) const
{
    char const * const tag = bam_aux2Z(bam_aux_get(record, "SA"));
    std::string_view rest = tag != nullptr ? tag : "";
    std::string parts;
    while (!rest.empty()) {
        std::size_t const end = std::min(rest.find(';'), rest.size());
        parts += new_part(record, header, rest.substr(0, end));
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    set_text(record, "SA", parts);
}

// "" for what is not the form of SA.
std::string LinkedReads::new_part(bam1_t const * record, sam_hdr_t * header, std::string_view old) const
{
    std::array<std::string, 6> fields;
    std::size_t count = 0;
    for (char const letter : old) {
        if (letter == ',' && ++count == fields.size())
            return "";
        if (letter != ',')
            fields[count] += letter;
    }
    hts_pos_t position = 0;
    std::from_chars(fields[1].data(), fields[1].data() + fields[1].size(), position);
    if (count + 1 != fields.size() || position < 1)
        return "";
    auto const [begin, end] = places_.equal_range(key(record));
    for (auto at = begin; at != end; ++at) {
        Place const & place = at->second;
        if (place.old_begin + 1 != position || (place.flag & read_number) != (record->core.flag & read_number) ||
            ((place.flag & BAM_FREVERSE) != 0) != (fields[2] == "-") ||
            fields[0] != sam_hdr_tid2name(header, place.tid))
            continue;
        fields[1] = std::to_string(place.begin + 1);
        fields[3] = cigar_text(place.cigar, true);
        if (place.edits >= 0)
            fields[5] = std::to_string(place.edits);
        break;
    }
    std::string part = fields[0];
    for (std::size_t i = 1; i < fields.size(); ++i)
        part += "," + fields[i];
    return part + ";";
}

} // namespace cli
