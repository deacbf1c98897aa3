// SPDX-License-Identifier: BSD-3-Clause
// nwgpu realign: the aligned part of each mapped read is aligned again with the reference letters where it is mapped.
// Clips stay clips; records that cannot be realigned pass through, in their place.
#include "commands.hpp"

#include "background.hpp"
#include "engine.hpp"
#include "failure.hpp"
#include "mapped_read.hpp"
#include "read_input.hpp"
#include "realign_output.hpp"
#include "writer.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace cli {

namespace {

constexpr std::size_t batch_records = std::size_t{1} << 16; // also bounds a run of records that pass through
constexpr std::uint64_t max_messages = 10;

// Reads that are aligned in one call.
struct Part {
    std::shared_ptr<SequenceSet> letters = std::make_shared<SequenceSet>(), windows = std::make_shared<SequenceSet>();
    Batch batch;
    Rows rows; // views into it
};

// One record; `row` is its place in its part.
struct Read {
    SamRecordPtr record{bam_init1()};
    Part * part = nullptr; // nothing: it passes through
    std::uint64_t row = 0;
    hts_pos_t window_begin = 0;
};

struct Reads {
    std::vector<Read> all;
    Part plain, ambiguous; // without N and the like; engines are quicker with such sequences
};
using ReadsPtr = std::unique_ptr<Reads>;

class Realignment {
public:
    Realignment(RealignOptions const & options, Progress & progress) :
        progress_(progress),
        margin_(options.margin),
        cigar_style_(options.engine.cigar_style),
        scoring_(options.scoring, AlphabetKind::dna),
        equal_(true),
        input_(options.reads, options.reference),
        reference_(options.reference, scoring_.alphabet(), input_.header(), input_.is_cram()),
        engine_(options.engine, std::nullopt, scoring_, progress),
        output_(shown_output(options.output)),
        scratch_(bam_init1())
    {
        OutputFormat const format = output_format(options.output, "sam");
        if (!is_sam_format(format.name))
            throw Failure("realign writes sam, bam or cram, not " + format.name);
        SamHeaderPtr header(sam_hdr_dup(input_.header()));
        if (!header)
            throw std::bad_alloc();
        // Reads may begin elsewhere now, so a sorted file need not stay sorted.
        if (sam_hdr_count_lines(header.get(), "HD") == 1)
            sam_hdr_update_hd(header.get(), "SO", "unsorted");
        read_group_ = add_read_group(header.get(), options.output);
        add_program_line(header.get(), options.output);
        sam_hdr_t const * const shared = header.get();
        auto out = std::make_unique<SamOutput>(options.output.path, format, std::move(header), options.reference,
                                               engine_.threads());
        out_ = std::make_unique<RealignOutput>(std::move(out), shared, input_.grouped(), engine_.threads());
    }

    int execute()
    {
        return run_stages(
            reader_, behind_, [this] { return align_all(); }, [this] { out_.reset(); });
    }

private:
    int align_all()
    {
        bool stopped = false;
        try {
            while (std::optional<ReadsPtr> reads = reader_.next()) {
                align(**reads);
                behind_.push(std::move(*reads));
            }
        } catch (Interrupted const &) {
            stopped = true;
        }
        behind_.wait();
        out_->close();
        progress_.summary(aligned_, engine_.backend());
        if (kept_ > 0)
            progress_.detail(text(kept_, " records without a place, SEQ or with introns were left as they were"));
        if (failed_ > max_messages)
            progress_.warning(text(failed_, " reads failed in all"));
        if (stopped) {
            progress_.warning("interrupted; the reads before are complete, in " + output_);
            throw Interrupted();
        }
        return failed_ > 0 ? exit_pairs_failed : exit_ok;
    }

    // Records until a batch is full.
    std::optional<ReadsPtr> read_batch()
    {
        auto reads = std::make_unique<Reads>();
        std::uint64_t const batch_letters = engine_.batch_size().letters;
        std::uint64_t letters = 0;
        while (reads->all.size() < batch_records && letters < batch_letters) {
            Read read;
            if (!input_.read(read.record.get()))
                break;
            if (can_be_realigned(read.record.get()))
                letters += prepare(read, *reads);
            reads->all.push_back(std::move(read));
        }
        if (reads->all.empty())
            return std::nullopt;
        for (Part * const part : {&reads->plain, &reads->ambiguous}) {
            Batch & batch = part->batch;
            batch.forward_count = part->letters->size();
            for (std::uint64_t i = 0; i < batch.forward_count; ++i)
                batch.pairs.push_back({i, i});
            batch.queries = std::move(part->letters);
            batch.targets = std::move(part->windows);
        }
        return reads;
    }

    // Returns the letters of both sequences.
    std::uint64_t prepare(Read & read, Reads & reads) const
    {
        bam1_t const * const record = read.record.get();
        bam1_core_t const & core = record->core;
        std::span<std::uint8_t const> const sequence = reference_.sequence(core.tid);
        auto const length = static_cast<hts_pos_t>(sequence.size());
        hts_pos_t const end = bam_endpos(record);
        if (core.pos < 0 || end > length)
            throw Failure(text("read '", bam_get_qname(record), "' is mapped beyond the end of its reference"));
        auto const margin = std::min<hts_pos_t>(margin_, length);
        read.window_begin = std::max<hts_pos_t>(0, core.pos - margin);
        hts_pos_t const window_end = std::min(length, end + margin);

        Clips const clips = read_clips(record);
        std::string const query =
            sequence_letters(record, clips.soft_begin, std::int64_t{core.l_qseq} - clips.soft_end);
        std::string_view const window{reinterpret_cast<char const *>(sequence.data()) + read.window_begin,
                                      static_cast<std::size_t>(window_end - read.window_begin)};
        bool const ambiguous = is_ambiguous(query) || is_ambiguous(window);
        Part & part = ambiguous ? reads.ambiguous : reads.plain;
        part.letters->add_letters(query);
        part.letters->add_record(bam_get_qname(record));
        part.windows->add_letters(window);
        part.windows->add_record(sam_hdr_tid2name(input_.header(), core.tid));
        if (ambiguous)
            part.letters->set_ambiguous();
        read.part = &part;
        read.row = part.letters->size() - 1;
        return query.size() + window.size();
    }

    bool is_ambiguous(std::string_view letters) const
    {
        return cli::is_ambiguous({reinterpret_cast<std::uint8_t const *>(letters.data()), letters.size()},
                                 scoring_.alphabet());
    }

    void align(Reads & reads)
    {
        progress_.begin_batch(-1, -1);
        for (Part * const part : {&reads.plain, &reads.ambiguous})
            if (!part->batch.pairs.empty())
                part->rows = engine_.align(part->batch);
        progress_.end_batch(count_cells(reads.plain.batch) + count_cells(reads.ambiguous.batch));
    }

    void write(Reads const & reads)
    {
        for (Read const & read : reads.all) {
            bam1_t * now = read.record.get();
            if (read.part != nullptr)
                now = realigned(read, read.part->rows);
            else
                ++kept_;
            set_read_group(now, read_group_);
            out_->write(read.record.get(), now);
        }
    }

    // The new record, or, where that failed, the old one.
    bam1_t * realigned(Read const & read, Rows const & rows)
    {
        Alignment alignment = rows.row(read.row);
        trim_end_deletions(alignment, scoring_.values());
        if (!alignment.ok() || alignment.target_begin == alignment.target_end) {
            if (++failed_ <= max_messages)
                progress_.warning(text("read '", alignment.query_name, "' left as it was: ",
                                       alignment.ok() ? "nothing of it aligns" : rows.message(read.row)));
            return read.record.get();
        }
        rebuild_record(scratch_.get(), read.record.get(), alignment, read.window_begin, equal_, cigar_style_);
        ++aligned_;
        return scratch_.get();
    }

    Progress & progress_;
    hts_pos_t const margin_;
    std::string const cigar_style_;
    Scoring const scoring_;
    LetterEquality const equal_;
    ReadInput input_;
    Reference reference_;
    Engine engine_;
    std::string read_group_;
    std::string const output_; // for messages
    std::unique_ptr<RealignOutput> out_;
    SamRecordPtr scratch_;
    std::uint64_t aligned_ = 0, kept_ = 0, failed_ = 0;
    // Last, because their threads use the others.
    ReadAhead<ReadsPtr> reader_{[this] { return read_batch(); }};
    WriteBehind<ReadsPtr> behind_{[this](ReadsPtr reads) { write(*reads); }};
};

} // namespace

int realign_command(RealignOptions const & options)
{
    check_not_input(options.output, {options.reads, options.reference});
    if (options.margin > 0 && !make_mode(options.engine.mode, options.engine.free_ends).free_target())
        throw Failure("--margin needs free target ends, else each read would be stretched over the wider window: "
                      "add --mode semiglobal, overlap or local");
    Progress progress(options.report);
    return Realignment(options, progress).execute();
}

} // namespace cli
