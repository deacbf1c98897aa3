// SPDX-License-Identifier: BSD-3-Clause
// SAM, BAM and CRAM.  Free query ends become soft clips, free target ends move POS; a query without an aligned
// target letter, and a failed pair, become unmapped records.
#include "failure.hpp"
#include "name_table.hpp"
#include "packed_records.hpp"
#include "pieces.hpp"
#include "sam_file.hpp"
#include "sam_header.hpp"
#include "sam_lines.hpp"
#include "sorted_output.hpp"
#include "writer.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <vector>

namespace cli {

namespace {

constexpr std::size_t max_query_name = 254;

bool is_query_name(std::string_view name)
{
    return name.size() <= max_query_name &&
           std::all_of(name.begin(), name.end(), [](char c) { return c >= '!' && c <= '~' && c != '@'; });
}

class SamWriter : public Writer {
public:
    explicit SamWriter(WriterSetup const & setup) :
        format_(setup.format),
        path_(setup.output.path),
        sort_(setup.output.sort),
        packs_(format_.name == "bam" && !sort_),
        makes_lines_(format_.name == "sam" && !sort_),
        protein_(!setup.scoring.alphabet().dna()),
        equal_(!protein_),
        threads_(setup.threads),
        targets_(setup.targets),
        header_(sam_hdr_init())
    {
        if (protein_ && format_.name != "sam")
            throw Failure(format_.name + " cannot hold protein letters: use --format sam, paf or tsv");
        if (setup.output.sort && protein_)
            throw Failure("--sort is for DNA");
        if (!header_ || sam_hdr_add_line(header_.get(), "HD", "VN", "1.6", "SO",
                                         setup.output.sort ? "coordinate" : "unsorted", nullptr) != 0)
            throw std::bad_alloc();
        if (setup.output.read_group.empty() && !setup.read_groups.empty() &&
            sam_hdr_add_lines(header_.get(), setup.read_groups.c_str(), setup.read_groups.size()) != 0)
            throw Failure("the read groups of the input cannot be added to the SAM header");
        read_group_ = add_read_group(header_.get(), setup.output);
        add_program_line(header_.get(), setup.output);
    }

    void begin() override
    {
        check_targets(*targets_, format_.name, threads_);
        std::vector<std::string> const as_bam =
            packs_ ? bam_header(*header_, *targets_, threads_) : std::vector<std::string>{};
        if (!packs_)
            header_ = with_targets(*header_, *targets_, threads_);
        SamHeaderPtr const shared(sort_ ? sam_hdr_dup(header_.get()) : nullptr);
        out_ = std::make_unique<SamOutput>(path_, format_, std::move(header_), "", threads_, as_bam);
        if (sort_) {
            out_->make_index();
            sorted_ = std::make_unique<SortedOutput>(*out_, shared.get(), threads_);
        }
    }

    // Packed records take a third of the memory.
    std::uint64_t waits_for_begin() const override { return (packs_ ? 3 : 1) * Writer::waits_for_begin(); }

    void check_query(std::string_view name, std::uint64_t length) const override
    {
        if (!is_query_name(name))
            throw Failure(text("query '", name,
                               "': SAM names have 1 to 254 letters, blanks and @ are not allowed; use "
                               "--format paf or tsv"));
        check_length(format_.name, "query", name, length);
    }

    // The names are kept: a second record of one name must be of the same query (--pair all, --pairs).
    void admit(SequenceSet const & queries, std::uint64_t count, std::uint64_t number) override
    {
        std::uint64_t const added = queries_.add_all(count, number, [&](std::uint64_t i) { return queries.name(i); });
        if (added < count)
            throw Failure(text("two queries are named '", queries.name(added),
                               "': SAM needs unique names; use --format paf or tsv"));
    }

    void write(Alignment const & a) override { write_all({&a, 1}); }

    void write_all(std::span<Alignment const> alignments) override
    {
        auto const size_of = [](Alignment const & a) {
            return sizeof(bam1_t) + 2 * a.query.size() + 4 * a.cigar.size();
        };
        for_pieces(
            alignments, threads_, size_of, [this](std::span<Alignment const> piece) { return make(piece); },
            [this](std::unique_ptr<Made> const & made) { write(*made); });
    }

    std::unique_ptr<Made> make(std::span<Alignment const> alignments) const override
    {
        Scratch scratch;
        if (packs_) {
            PackedRecords packed(format_.level);
            for_each_record(alignments, scratch, [&](Alignment const &) { packed.add(*scratch.record); });
            return std::make_unique<Bytes>(packed.finish());
        }
        if (makes_lines_) {
            SamLines lines;
            for_each_record(alignments, scratch, [&](Alignment const & a) {
                lines.add(*scratch.record, a.placed() ? a.target_name : "*", protein_ ? sam_protein(a) : "");
            });
            return std::make_unique<Bytes>(lines.take());
        }
        auto records = std::make_unique<Records>();
        for_each_record(alignments, scratch, [&](Alignment const &) { records->add(*scratch.record); });
        return records;
    }

    void write(Made & made) override
    {
        if (packs_)
            return out_->write_packed(static_cast<Bytes &>(made).bytes);
        if (makes_lines_)
            return out_->write_lines(static_cast<Bytes &>(made).bytes);
        static_cast<Records &>(made).for_each([&](bam1_t const & record) {
            if (sorted_)
                sorted_->write(&record);
            else
                out_->write(&record);
        });
    }

    void flush() override {}
    void close() override
    {
        if (sorted_)
            sorted_->finish();
        out_->close();
    }
    std::string note() const override
    {
        return has_u_ ? "SAM, BAM and CRAM have no U: it is written as T in SEQ and MD" : "";
    }

private:
    // In two pieces of memory, since another thread gives them back.
    class Records : public Made {
    public:
        void add(bam1_t const & record)
        {
            records_.push_back(record);
            data_.insert(data_.end(), record.data, record.data + record.l_data);
            data_.resize(padded(data_.size())); // what htslib reads in fours
        }
        template <typename Visit>
        void for_each(Visit const & visit)
        {
            std::uint8_t * data = data_.data();
            for (bam1_t & record : records_) {
                record.data = data;
                record.m_data = static_cast<std::uint32_t>(record.l_data);
                bam_set_mempolicy(&record, BAM_USER_OWNS_STRUCT | BAM_USER_OWNS_DATA);
                visit(record);
                data += padded(static_cast<std::size_t>(record.l_data));
            }
        }

    private:
        static std::size_t padded(std::size_t bytes) { return (bytes + 7) / 8 * 8; }

        std::vector<bam1_t> records_;
        std::vector<std::uint8_t> data_;
    };
    // As the file has them.
    struct Bytes : public Made {
        explicit Bytes(std::string bytes_) : bytes(std::move(bytes_)) {}
        std::string bytes;
    };
    struct Scratch { // of one thread
        SamRecordPtr record{bam_init1()};
        std::vector<std::uint32_t> cigar;
        std::string quality, letters;
    };

    template <typename Visit> // when the record of an alignment is made
    void for_each_record(std::span<Alignment const> alignments, Scratch & scratch, Visit const & visit) const
    {
        for (Alignment const & a : alignments)
            if (!a.redundant) {
                make_record(a, scratch);
                visit(a);
            }
    }

    void make_record(Alignment const & a, Scratch & scratch) const
    {
        bam1_t * const record = scratch.record.get();
        if (record == nullptr)
            throw std::bad_alloc();
        bool const mapped = a.placed();
        std::uint16_t flag = mapped ? 0 : BAM_FUNMAP;
        if (a.reverse)
            flag |= BAM_FREVERSE;
        if (a.secondary)
            flag |= BAM_FSECONDARY;
        if (mapped)
            make_cigar(a, scratch.cigar);
        else
            scratch.cigar.clear();
        scratch.quality.assign(a.quality.begin(), a.quality.end());
        for (char & letter : scratch.quality)
            letter = static_cast<char>(letter - '!');
        // bam1_t has four bits a letter, so protein letters do not go through it.
        std::size_t const letters = protein_ ? 0 : a.query.size();
        char const * const sequence = without_u(a.query, scratch.letters);
        if (bam_set1(record, a.query_name.size(), a.query_name.data(), flag,
                     mapped ? static_cast<std::int32_t>(a.target_number) : -1, // @SQ lines are in that order
                     mapped ? static_cast<hts_pos_t>(a.target_begin) : -1, mapped ? a.mapq : 0, scratch.cigar.size(),
                     scratch.cigar.data(), -1, -1, 0, letters, sequence,
                     scratch.quality.empty() || protein_ ? nullptr : scratch.quality.data(), a.tags.size()) < 0)
            throw Failure(text("query '", a.query_name, "': the record does not fit into ", format_.name,
                               "; use --format paf or tsv"));
        std::ranges::copy(a.tags, bam_get_aux(record));
        record->l_data += static_cast<int>(a.tags.size());
        if (mapped)
            set_alignment_tags(record, a, equal_);
        set_read_group(record, read_group_);
    }

    static void make_cigar(Alignment const & a, std::vector<std::uint32_t> & cigar)
    {
        cigar.clear();
        auto const clip = [&](std::uint64_t length) {
            for (std::uint64_t part; length > 0; length -= part) {
                part = std::min(length, bam_length_limit - 1); // what one run can hold
                cigar.push_back(static_cast<std::uint32_t>(part) << 4 | BAM_CSOFT_CLIP);
            }
        };
        clip(a.query_begin);
        cigar.insert(cigar.end(), a.cigar.begin(), a.cigar.end());
        clip(a.query.size() - a.query_end);
    }

    // BAM has four bits a letter and none for U: htslib would make it N.
    char const * without_u(std::span<std::uint8_t const> query, std::string & with_t) const
    {
        auto const * const letters = reinterpret_cast<char const *>(query.data());
        if (protein_ || query.empty() ||
            (std::memchr(letters, 'U', query.size()) == nullptr && std::memchr(letters, 'u', query.size()) == nullptr))
            return letters;
        has_u_ = true;
        with_t.assign(letters, query.size());
        std::ranges::replace_if(
            with_t, [](char letter) { return (letter | 32) == 'u'; }, 'T');
        return with_t.data();
    }

    // SEQ has no '*' within, so a stop codon is written as X.
    static std::string sam_protein(Alignment const & a)
    {
        std::string letters(a.query.begin(), a.query.end());
        std::replace(letters.begin(), letters.end(), '*', 'X');
        return letters;
    }

    OutputFormat const format_;
    std::string const path_;
    bool const sort_;
    bool const packs_, makes_lines_; // no record needs the header: as the file has them where they are made
    bool const protein_;
    LetterEquality const equal_;
    int const threads_;
    std::shared_ptr<TargetList const> const targets_;
    SamHeaderPtr header_; // without targets, until they are known
    std::string read_group_;
    std::unique_ptr<SamOutput> out_;       // null: not begun
    std::unique_ptr<SortedOutput> sorted_; // before out_, if it is asked for
    NameTable queries_;                    // numbers by names: admit() alone uses it
    mutable std::atomic<bool> has_u_ = false;
};

} // namespace

std::unique_ptr<Writer> make_sam_writer(WriterSetup const & setup) { return std::make_unique<SamWriter>(setup); }

} // namespace cli
