// SPDX-License-Identifier: BSD-3-Clause
// nwgpu realign: the aligned part of each mapped read is aligned again with the reference letters where it is mapped.
// Clips stay clips; records that cannot be realigned pass through, in their place.
#include "commands.hpp"

#include "background.hpp"
#include "byte_source.hpp"
#include "engine.hpp"
#include "failure.hpp"
#include "realign_output.hpp"
#include "realign_reads.hpp"
#include "record_file.hpp"
#include "workers.hpp"
#include "writer.hpp"

#include <exception>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace cli {

namespace {

constexpr std::size_t batch_records = std::size_t{1} << 16;
constexpr std::uint64_t max_messages = 10;

using ReadsPtr = std::unique_ptr<ReadsToRealign>;

// Three stages: read, align, write.  On a CPU several batches are aligned at the same time, each by one of the engine's
// workers, which also makes the new records.
class Realignment {
public:
    Realignment(RealignOptions const & options, Progress & progress) :
        progress_(progress),
        scoring_(options.scoring, AlphabetKind::dna),
        equal_(true),
        input_(options.reads, open_bytes(options.reads), options.reference),
        reference_(options.reference, scoring_.alphabet(), input_.header(), input_.is_cram()),
        engine_(options.engine, std::nullopt, scoring_, progress),
        at_a_time_(engine_.suit_similar(options.engine)),
        output_(shown_output(options.output)),
        rules_{scoring_, equal_, input_.header(), options.engine.cigar_style, "", options.margin}
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
        rules_.read_group = add_read_group(header.get(), options.output);
        add_program_line(header.get(), options.output);
        sam_hdr_t const * const shared = header.get();
        auto out = std::make_unique<SamOutput>(options.output.path, format, std::move(header), options.reference,
                                               engine_.host_threads());
        out_ = std::make_unique<RealignOutput>(std::move(out), shared, input_.is_grouped(), engine_.host_threads());
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
            if (at_a_time_ > 1)
                progress_.begin_batch(-1, -1);
            while (std::optional<ReadsPtr> reads = reader_.next([this] { return workers_.failed(); }))
                align(std::move(*reads));
        } catch (Interrupted const &) {
            stopped = true;
        } catch (Failure const &) {
            workers_.finish(); // what is wrong with reads before is told
            behind_.wait();
            out_->write_waiting();
            throw;
        }
        try {
            workers_.finish();
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

    // Records until a batch is full.  A Failure in the input is thrown after the records before it were handed out.
    std::optional<ReadsPtr> read_batch()
    {
        if (failure_)
            std::rethrow_exception(failure_);
        auto reads = std::make_unique<ReadsToRealign>(rules_);
        std::uint64_t const most_letters = engine_.batch_size().letters;
        try {
            while (reads->size() < batch_records && reads->letters() < most_letters && read_record(*reads)) {
            }
        } catch (Failure const &) {
            failure_ = std::current_exception();
        }
        if (reads->size() == 0) {
            if (failure_)
                std::rethrow_exception(failure_);
            return std::nullopt;
        }
        if (at_a_time_ == 1)
            reads->prepare();
        return reads;
    }

    bool read_record(ReadsToRealign & reads)
    {
        SamRecordPtr record(bam_init1());
        if (!record)
            throw std::bad_alloc();
        bool const found = input_.read(record.get());
        if (found)
            reads.add(std::move(record), reference_);
        return found;
    }

    void align(ReadsPtr reads)
    {
        if (at_a_time_ > 1) {
            std::uint64_t const letters = reads->letters();
            workers_.push(std::move(reads), letters);
            return;
        }
        progress_.begin_batch(-1, -1);
        reads->align([this](Batch const & batch) { return engine_.align(batch); });
        progress_.end_batch(reads->cells());
        behind_.push(std::move(reads));
    }

    // By worker k.
    ReadsPtr realign(int k, ReadsPtr reads)
    {
        reads->prepare();
        reads->align([this, k](Batch const & batch) { return engine_.align(batch, k); });
        reads->rebuild();
        return reads;
    }

    void write(ReadsToRealign & reads)
    {
        reads.for_each([this](bam1_t const * old, bam1_t const * now) { out_->write(old, now); });
        aligned_ += reads.aligned();
        kept_ += reads.kept();
        for (std::string const & message : reads.messages())
            if (++failed_ <= max_messages)
                progress_.warning(message);
    }

    void write_of_worker(ReadsToRealign & reads)
    {
        write(reads);
        progress_.count_batch(reads.cells(), -1);
    }

    // Of batches that are not written yet.
    std::uint64_t most_letters_at_work() const
    {
        return 2 * static_cast<std::uint64_t>(at_a_time_) * engine_.batch_size().letters;
    }

    Progress & progress_;
    Scoring const scoring_;
    LetterEquality const equal_;
    RecordFile input_;
    Reference reference_;
    Engine engine_;
    int const at_a_time_;      // batches
    std::string const output_; // for messages
    RealignRules rules_;
    std::unique_ptr<RealignOutput> out_;
    std::uint64_t aligned_ = 0, kept_ = 0, failed_ = 0;
    std::exception_ptr failure_; // of the input, for the next batch
    // Last, because their threads use the others.
    ReadAhead<ReadsPtr> reader_{[this] { return read_batch(); }, at_a_time_ > 1 ? std::size_t{4} : 1};
    WriteBehind<ReadsPtr> behind_{[this](ReadsPtr reads) { write(*reads); }};
    Workers<ReadsPtr, ReadsPtr> workers_{at_a_time_, most_letters_at_work(),
                                         [this](int k, ReadsPtr reads) { return realign(k, std::move(reads)); },
                                         [this](ReadsPtr reads) { write_of_worker(*reads); }};
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
