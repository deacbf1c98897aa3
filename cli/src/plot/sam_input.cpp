// SPDX-License-Identifier: BSD-3-Clause
// SAM, BAM and CRAM.  The letters of the target come from its FASTA file or, where there is none, from MD.
#include "plot/file_input.hpp"

#include "failure.hpp"
#include "sam_file.hpp"

#include <cctype>
#include <charconv>
#include <cstring>
#include <optional>

namespace cli {

namespace {

// The target's letters under an alignment, from the read's and from MD; "" when MD does not fit.
std::string target_by_md(bam1_t const * record, std::string_view query, std::string_view md)
{
    std::string letters;
    std::size_t at = 0, equal = 0; // in md; letters that are the read's still
    auto const read_number = [&] {
        auto const [end, error] = std::from_chars(md.data() + at, md.data() + md.size(), equal);
        at = error == std::errc() ? static_cast<std::size_t>(end - md.data()) : md.size() + 1;
    };
    read_number();
    std::uint64_t i = 0;
    for (std::uint32_t k = 0; k < record->core.n_cigar && at <= md.size(); ++k) {
        std::uint32_t const run = bam_get_cigar(record)[k], length = bam_cigar_oplen(run);
        char const op = bam_cigar_opchr(run);
        if (op == 'I') {
            i += length;
        } else if (op == 'N') {
            letters.append(length, 'N');
        } else if (op == 'D') {
            if (equal != 0 || at + 1 + length > md.size() || md[at] != '^')
                return "";
            letters += md.substr(at + 1, length);
            at += 1 + length;
            read_number();
        } else if (op == 'M' || op == '=' || op == 'X') {
            for (std::uint32_t j = 0; j < length && at <= md.size(); ++j, ++i)
                if (equal > 0) {
                    --equal;
                    letters += query[i];
                } else if (at < md.size() && std::isalpha(static_cast<unsigned char>(md[at])) != 0) {
                    letters += md[at++];
                    read_number();
                } else {
                    return "";
                }
        }
    }
    return at == md.size() && equal == 0 ? letters : "";
}

class SamPicture {
public:
    SamPicture(std::string const & path, hFILE * bytes, std::string const & reference, KnownLetters const & letters,
               PictureBuilder & into) :
        path_(path), letters_(letters), into_(into), equal_(into.dna()), record_(bam_init1())
    {
        file_.reset(hts_hopen(bytes, path_.c_str(), "r"));
        if (!file_) {
            hclose_abruptly(bytes);
            throw system_failure(path_);
        }
        bool const cram = hts_get_format(file_.get())->format == ::cram;
        if (cram && !reference.empty() && hts_set_opt(file_.get(), CRAM_OPT_REFERENCE, reference.c_str()) != 0)
            throw Failure(reference + ": not a reference that CRAM can use (plain or bgzf FASTA)");
        if (hts_check_EOF(file_.get()) == 0)
            throw Failure(path_ + ": truncated file: the end-of-file block is missing");
        header_.reset(sam_hdr_read(file_.get()));
        if (!header_)
            throw Failure(path_ + ": the header cannot be read");
        for (std::int32_t tid = 0; tid < sam_hdr_nref(header_.get()); ++tid)
            into_.target(sam_hdr_tid2name(header_.get(), tid),
                         static_cast<std::uint64_t>(sam_hdr_tid2len(header_.get(), tid)));
    }

    void read()
    {
        std::uint64_t count = 0;
        for (int status = 0; (status = sam_read1(file_.get(), header_.get(), record_.get())) >= -1; ++count) {
            if (status == -1)
                return;
            try {
                if ((record_->core.flag & BAM_FUNMAP) == 0 && record_->core.n_cigar > 0 && record_->core.tid >= 0)
                    add();
            } catch (Failure const & failure) {
                throw Failure(
                    text(path_, ": record ", count + 1, ", '", bam_get_qname(record_.get()), "': ", failure.what()));
            }
        }
        throw Failure(text(path_, ": record ", count + 1, " is damaged or cut off (-v shows htslib's message)"));
    }

private:
    std::string name() const
    {
        int const mate = record_->core.flag & (BAM_FREAD1 | BAM_FREAD2);
        std::string const name = bam_get_qname(record_.get());
        return mate == BAM_FREAD1 ? name + "/1" : mate == BAM_FREAD2 ? name + "/2" : name;
    }

    std::string query_letters(std::uint64_t begin, std::uint64_t length) const
    {
        if (record_->core.l_qseq == 0)
            return "";
        if (begin + length > static_cast<std::uint64_t>(record_->core.l_qseq))
            throw Failure("the CIGAR is longer than what it aligns");
        std::string letters(length, 'N');
        for (std::uint64_t i = 0; i < length; ++i)
            letters[i] = seq_nt16_str[bam_seqi(bam_get_seq(record_.get()), begin + i)];
        return letters;
    }

    std::string target_letters(PlotAlignment const & a, std::uint64_t target_length, std::string_view query) const
    {
        if (letters_.targets.given()) {
            std::string_view const all =
                letters_.targets.letters(sam_hdr_tid2name(header_.get(), record_->core.tid), target_length);
            return std::string(all.substr(a.target_begin, a.target_end - a.target_begin));
        }
        std::uint8_t const * const md = bam_aux_get(record_.get(), "MD");
        return md == nullptr || *md != 'Z' || query.empty()
                   ? ""
                   : target_by_md(record_.get(), query, reinterpret_cast<char const *>(md + 1));
    }

    // Without letters: what NM says of the columns.
    void count_by_nm(PlotAlignment & a) const
    {
        std::uint64_t pairs = 0, gaps = 0;
        for_each_step(a.steps, [&](Step step, std::uint64_t length) {
            (step == Step::insertion || step == Step::deletion ? gaps : pairs) += length;
        });
        std::uint8_t const * const nm = bam_aux_get(record_.get(), "NM");
        auto const edits = nm == nullptr ? gaps : static_cast<std::uint64_t>(bam_aux2i(nm));
        a.columns = pairs + gaps;
        a.equal = pairs - std::min(pairs, edits - std::min(edits, gaps));
    }

    void add()
    {
        bam1_t const * const record = record_.get();
        std::uint64_t before = 0, after = 0, soft = 0, aligned = 0; // letters of the query
        for (std::uint32_t k = 0; k < record->core.n_cigar; ++k) {
            std::uint32_t const run = bam_get_cigar(record)[k], length = bam_cigar_oplen(run);
            char const op = bam_cigar_opchr(run);
            if (op == 'S' || op == 'H')
                (aligned == 0 ? before : after) += length;
            if (op == 'S' && aligned == 0)
                soft += length;
            aligned += op == 'M' || op == '=' || op == 'X' || op == 'I' ? length : 0;
        }
        if (aligned == 0)
            return;
        PlotAlignment a;
        a.reverse = (record->core.flag & BAM_FREVERSE) != 0;
        a.query_begin = a.reverse ? after : before;
        a.query_end = a.query_begin + aligned;
        a.target_begin = static_cast<std::uint64_t>(record->core.pos);
        a.target_end = static_cast<std::uint64_t>(bam_endpos(record));
        auto const target_length = static_cast<std::uint64_t>(sam_hdr_tid2len(header_.get(), record->core.tid));
        if (record->core.pos < 0 || a.target_end > target_length)
            throw Failure("it is mapped beyond the end of its reference");
        a.query = into_.query(name(), before + aligned + after);
        a.target = into_.target(sam_hdr_tid2name(header_.get(), record->core.tid), target_length);
        if (std::uint8_t const * const score = bam_aux_get(record, "AS"); score != nullptr)
            a.score = bam_aux2i(score);
        std::string const query = query_letters(soft, aligned), target = target_letters(a, target_length, query);
        PathReader path(a, equal_, query, target, into_.keep_letters());
        for (std::uint32_t k = 0; k < record->core.n_cigar; ++k)
            if (char const op = bam_cigar_opchr(bam_get_cigar(record)[k]); std::strchr("M=XIDN", op) != nullptr)
                path.run(op, bam_cigar_oplen(bam_get_cigar(record)[k]));
        path.finish();
        if (!a.resolved)
            count_by_nm(a);
        into_.set_target_part(a.target, a.target_begin, target);
        into_.add(std::move(a));
    }

    std::string const & path_;
    KnownLetters const & letters_;
    PictureBuilder & into_;
    LetterEquality const equal_;
    SamFilePtr file_;
    SamHeaderPtr header_;
    SamRecordPtr record_;
};

} // namespace

void read_sam(std::string const & path, hFILE * bytes, std::string const & reference, KnownLetters const & letters,
              PictureBuilder & into)
{
    SamPicture(path, bytes, reference, letters, into).read();
}

} // namespace cli
