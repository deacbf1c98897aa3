// SPDX-License-Identifier: BSD-3-Clause
// Secondary and supplementary records are parts of reads that come, or came, as a whole.
#include "sam_reads.hpp"

#include "failure.hpp"

#include <htslib/kstring.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <new>

namespace cli {

namespace {

// What tells of an alignment, which is made anew.
constexpr std::array<char const *, 20> stale_tags{"NM", "MD", "AS", "SA", "MC", "CG", "UQ", "cs", "cg", "de",
                                                  "dv", "ms", "MQ", "s1", "s2", "tp", "cm", "rl", "nn", "zs"};

// Of letters in four bits, one for each of A, C, G and T: the bits in reverse order.
constexpr std::array<std::uint8_t, 16> complement{0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15};

std::string aux_bytes(bam1_t const * record)
{
    return {reinterpret_cast<char const *>(bam_get_aux(record)), static_cast<std::size_t>(bam_get_l_aux(record))};
}

bool is_tag(std::string_view field)
{
    auto const byte = [&](std::size_t i) { return static_cast<unsigned char>(field[i]); };
    return field.size() >= 5 && std::isalpha(byte(0)) != 0 && std::isalnum(byte(1)) != 0 && field[2] == ':' &&
           std::string_view("AifZHB").find(field[3]) != std::string_view::npos && field[4] == ':';
}

} // namespace

SamReads::SamReads(std::string path, hFILE * bytes) : path_(std::move(path)), file_(path_, bytes), record_(bam_init1())
{
    if (!record_)
        throw std::bad_alloc();
}

bool SamReads::read(SequenceSet & into)
{
    bam1_t * const record = record_.get();
    do {
        if (!file_.read(record))
            return false;
    } while ((record->core.flag & (BAM_FSECONDARY | BAM_FSUPPLEMENTARY)) != 0);
    std::string name = bam_get_qname(record);
    std::int32_t const length = record->core.l_qseq;
    if (length == 0)
        throw Failure(text(path_, ": record ", count(), ", '", name, "', has no SEQ"));
    bool const reverse = (record->core.flag & BAM_FREVERSE) != 0;
    std::string letters(static_cast<std::size_t>(length), 'N'), quality;
    for (std::int32_t i = 0; i < length; ++i) {
        auto const code = bam_seqi(bam_get_seq(record), i);
        if (reverse)
            letters[static_cast<std::size_t>(length - 1 - i)] = seq_nt16_str[complement[code]];
        else
            letters[static_cast<std::size_t>(i)] = seq_nt16_str[code];
    }
    if (bam_get_qual(record)[0] != 0xff) {
        for (std::int32_t i = 0; i < length; ++i)
            quality += static_cast<char>(std::min<int>(bam_get_qual(record)[i], 93) + '!');
        if (reverse)
            std::ranges::reverse(quality);
    }
    if ((record->core.flag & BAM_FPAIRED) != 0 && (record->core.flag & (BAM_FREAD1 | BAM_FREAD2)) != 0)
        name += (record->core.flag & BAM_FREAD1) != 0 ? "/1" : "/2";
    for (char const * const tag : stale_tags)
        if (std::uint8_t * const found = bam_aux_get(record, tag))
            bam_aux_del(record, found);
    into.add_letters(letters);
    into.add_record(name, quality);
    if (bam_get_l_aux(record) > 0)
        into.set_tags(into.size() - 1, aux_bytes(record));
    return true;
}

std::string SamReads::read_groups() const
{
    std::string lines;
    kstring_t line = KS_INITIALIZE;
    for (int i = 0; i < sam_hdr_count_lines(file_.header(), "RG"); ++i)
        if (sam_hdr_find_line_pos(file_.header(), "RG", i, &line) == 0)
            lines += std::string(line.s, line.l) + '\n';
    ks_free(&line);
    return lines;
}

std::string tags_of_comment(std::string_view comment)
{
    std::string fields;
    while (!comment.empty()) {
        std::size_t end = std::min(comment.find('\t'), comment.size());
        // A tag may hold blanks where tabs part the fields.
        if (comment.find('\t') == std::string_view::npos)
            end = std::min(comment.find(' '), comment.size());
        if (is_tag(comment.substr(0, end)))
            fields += '\t' + std::string(comment.substr(0, end));
        comment.remove_prefix(std::min(end + 1, comment.size()));
    }
    if (fields.empty())
        return "";
    std::string line = "x\t4\t*\t0\t0\t*\t*\t0\t0\t*\t*" + fields;
    SamHeaderPtr const header(sam_hdr_init());
    SamRecordPtr const record(bam_init1());
    if (!header || !record)
        throw std::bad_alloc();
    kstring_t input{line.size(), line.size() + 1, line.data()};
    if (sam_parse1(&input, header.get(), record.get()) < 0)
        throw Failure(text("the tags of its comment are faulty:", fields));
    return aux_bytes(record.get());
}

} // namespace cli
