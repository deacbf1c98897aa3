// SPDX-License-Identifier: BSD-3-Clause
// Stages that work at the same time.
#include "align_run.hpp"

#include "app.hpp"
#include "background.hpp"
#include "failure.hpp"
#include "workers.hpp"

#include <algorithm>
#include <future>
#include <span>
#include <utility>
#include <vector>

namespace cli {

namespace {

constexpr std::uint64_t max_messages = 10; // about failed pairs; the output and the exit code tell of all

// Three stages: read, align, write.  Batches of pairs as long as reads are go to the engine's workers, which also make
// what is written of them.  Others are aligned one after the other, each by all threads, while the next one is read and
// the last one written.
class Run {
public:
    Run(Pairing & pairing, std::unique_ptr<Batch> first, Engine & engine, std::optional<Circular> circular,
        Ranking ranking, bool ranked, std::unique_ptr<Writer> writer, std::string output, Progress & progress) :
        pairing_(pairing),
        first_(std::move(first)),
        engine_(engine),
        circular_(std::move(circular)),
        progress_(progress),
        ranking_(std::move(ranking)),
        ranked_(ranked),
        writer_(std::move(writer)),
        output_(std::move(output))
    {}

    int execute()
    {
        return run_stages(
            reader_, behind_, [this] { return align_all(); }, [this] { writer_.reset(); });
    }

private:
    using BatchPtr = std::unique_ptr<Batch>;

    struct Aligned {
        BatchPtr batch; // the rows are views into it
        Rows rows{};
        std::vector<Alignment> alignments{}; // of the rows, judged
        std::uint64_t count = 0;             // of the rows
        std::uint64_t cells = 0;
        double to = 0; // share of the input that was read behind the batch
        Ranking::Counts counts{};
        std::vector<std::uint64_t> failed{}; // rows
        std::unique_ptr<Writer::Made> made{};
    };

    int align_all()
    {
        bool stopped = false;
        try {
            read_and_align();
        } catch (Interrupted const &) {
            stopped = true;
        } catch (...) {
            finish_workers(); // what is wrong with batches before is told
            begin_output();   // and with targets
            throw;
        }
        try {
            finish_workers();
        } catch (Interrupted const &) {
            stopped = true;
        }
        behind_.wait();
        begin_output();
        write_queries();
        writer_->close();
        for (std::string const & note : {ranking_.note(), writer_->note()})
            if (!note.empty())
                progress_.note(note);
        if (failed_ > max_messages)
            progress_.warning(text(failed_, " pairs failed in all"));
        progress_.summary(rows_, engine_.backend());
        if (stopped) {
            progress_.warning(text("interrupted; the ", rows_, " alignments before are complete, in ", output_));
            throw Interrupted();
        }
        return failed_ > 0 ? exit_pairs_failed : exit_ok;
    }

    // Once, before all that is written: results wait for a header, if all targets are to be read for it.
    void begin_output()
    {
        if (std::exchange(output_began_, true))
            return;
        try {
            writer_->begin();
        } catch (Interrupted const &) {
            leave_interrupted("nothing was written");
        }
    }

    // A fault of targets is told before one of what workers do.
    void finish_workers()
    {
        try {
            workers_.finish();
        } catch (...) {
            begin_output();
            throw;
        }
    }

    void read_and_align()
    {
        if (engine_.workers() == 1)
            begin_output(); // what is wrong with targets is told before long alignments begin
        else
            workers_.let_wait(writer_->waits_for_begin());
        double from = 0;
        while (std::optional<BatchPtr> batch = reader_.next([this] { return workers_.failed(); })) {
            double const to = (*batch)->fraction;
            if (engine_.workers() == 1)
                align_batch(std::move(*batch), from);
            else
                give_to_workers(std::move(*batch), from);
            from = to;
        }
    }

    // Of batches whose results are not written yet: two per worker, or one large one that is read, one that is aligned,
    // one that lines are made of, and a margin.
    std::uint64_t most_letters_at_work() const
    {
        BatchSize const size = engine_.batch_size();
        return std::max(2 * static_cast<std::uint64_t>(engine_.workers()) * size.letters, 4 * size.letters_of_long);
    }

    // All that the reader's thread touches is the pairing and the first batch: the writer may go while it runs.
    std::optional<BatchPtr> read()
    {
        if (first_)
            return std::move(first_);
        auto batch = std::make_unique<Batch>();
        return pairing_.next(*batch) ? std::optional(std::move(batch)) : std::nullopt;
    }

    void admit(Batch const & batch)
    {
        if (batch.queries == admitted_) // a list's batches have all queries
            return;
        writer_->admit(*batch.queries, batch.forward_count, batch.first_query);
        admitted_ = batch.queries;
    }

    void check(Batch const & batch) const
    {
        for (std::uint64_t i = 0; i < batch.forward_count; ++i)
            writer_->check_query(batch.queries->name(i), batch.queries->length(i));
    }

    void align_batch(BatchPtr batch, double from)
    {
        // Names that the format cannot have are told before long alignments begin; those of many take their time.
        constexpr std::uint64_t many_queries = 4096;
        bool const many = batch->forward_count >= many_queries;
        auto const check_and_admit = [this](Batch const & of) {
            check(of);
            admit(of);
        };
        if (!many)
            check_and_admit(*batch);
        if (progress_.verbose())
            progress_.expect(engine_.estimate(*batch).seconds);
        progress_.begin_batch(from, batch->fraction);
        if (circular_)
            batch = circular_->rotate(std::move(batch));
        std::future<void> admitted;
        if (many)
            admitted = std::async([&] { check_and_admit(batch->given ? *batch->given : *batch); });
        Rows rows = engine_.align(*batch);
        if (many)
            admitted.get();
        progress_.end_batch(count_cells(*batch));
        behind_.push({std::move(batch), std::move(rows)});
    }

    void give_to_workers(BatchPtr batch, double from)
    {
        if (!std::exchange(workers_began_, true))
            progress_.begin_batch(from, batch->fraction);
        admit(*batch);
        std::uint64_t const letters = (batch->own_queries ? batch->queries->total_letters() : 0) +
                                      (batch->own_targets ? batch->targets->total_letters() : 0);
        std::uint64_t const of_pairs = batch->letters;
        workers_.push(std::move(batch), std::max(letters, of_pairs));
    }

    // By worker k; write() does the rest.
    Aligned align(int k, BatchPtr batch)
    {
        check(*batch);
        Aligned aligned{std::move(batch)};
        aligned.rows = engine_.align(*aligned.batch, k);
        judge(aligned);
        bool const has_parts = ranked_ && (aligned.batch->began_before || aligned.batch->goes_on); // of queries
        if (has_parts)
            return aligned;
        rank(aligned.alignments, false);
        aligned.made = writer_->make(aligned.alignments);
        if (aligned.made && aligned.failed.empty()) { // nobody looks at them again
            aligned.alignments = {};
            aligned.rows = {};
            aligned.batch = {};
        }
        return aligned;
    }

    void judge(Aligned & aligned) const
    {
        aligned.count = aligned.rows.size();
        aligned.cells = count_cells(*aligned.batch);
        aligned.to = aligned.batch->fraction;
        aligned.alignments.reserve(aligned.count);
        for (std::uint64_t i = 0; i < aligned.count; ++i) {
            Alignment & row = aligned.alignments.emplace_back(aligned.rows.row(i));
            ranking_.judge(row, aligned.counts);
            if (row.failed())
                aligned.failed.push_back(i);
        }
    }

    void write(Aligned aligned)
    {
        bool const by_worker = engine_.workers() > 1;
        if (by_worker && !output_began_) {
            begin_output();
            workers_.let_wait(1);
        }
        if (!by_worker)
            judge(aligned);
        rows_ += aligned.count;
        ranking_.add(aligned.counts);
        for (std::uint64_t const i : aligned.failed)
            if (++failed_ <= max_messages) {
                Alignment const & row = aligned.alignments[i];
                progress_.warning(
                    text("pair '", row.query_name, "' x '", row.target_name, "': ", aligned.rows.message(i)));
            }
        bool const goes_on = ranked_ && aligned.batch && aligned.batch->goes_on;
        double const to = aligned.to;
        std::uint64_t const cells = aligned.cells;
        if (aligned.made) {
            writer_->write(*aligned.made);
        } else {
            waiting_.insert(waiting_.end(), aligned.alignments.begin(), aligned.alignments.end());
            held_.push_back(std::move(aligned)); // the rows of a query may be views into several batches
            write_queries(goes_on);
        }
        if (by_worker)
            progress_.count_batch(cells, to);
        if (goes_on)
            return;
        held_.clear();
        writer_->flush();
    }

    // All of each query; goes_on: but the last one. Returns how many alignments these are.  looked_at: so many are
    // known to be of one query.
    std::size_t rank(std::span<Alignment> rows, bool goes_on, std::size_t looked_at = 0) const
    {
        std::size_t begin = 0;
        for (std::size_t end = looked_at; ranked_ && begin < rows.size(); begin = end) {
            while (end < rows.size() && rows[end].query_number == rows[begin].query_number)
                ++end;
            if (goes_on && end == rows.size())
                break;
            ranking_.rank(rows.subspan(begin, end - begin));
        }
        return ranked_ ? begin : rows.size();
    }

    // Writes what waits; goes_on: but for the last query.
    void write_queries(bool goes_on = false)
    {
        std::size_t const complete = rank(waiting_, goes_on, looked_at_);
        writer_->write_all(std::span(waiting_).first(complete));
        waiting_.erase(waiting_.begin(), waiting_.begin() + static_cast<std::ptrdiff_t>(complete));
        looked_at_ = waiting_.size();
    }

    Pairing & pairing_;
    BatchPtr first_;
    Engine & engine_;
    std::optional<Circular> const circular_;
    Progress & progress_;
    Ranking ranking_;
    bool const ranked_; // the alignments of a query are looked at together
    std::vector<Aligned> held_;
    std::vector<Alignment> waiting_; // rows that are not written yet
    std::size_t looked_at_ = 0;      // of them: all of one query
    std::unique_ptr<Writer> writer_;
    std::string const output_; // for messages
    std::uint64_t rows_ = 0, failed_ = 0;
    bool workers_began_ = false, output_began_ = false;
    std::shared_ptr<SequenceSet const> admitted_;
    // Last, because their threads use the others.
    ReadAhead<BatchPtr> reader_{[this] { return read(); }, engine_.workers() > 1 ? std::size_t{4} : 1};
    WriteBehind<Aligned> behind_{[this](Aligned aligned) { write(std::move(aligned)); }};
    Workers<BatchPtr, Aligned> workers_{engine_.workers(), most_letters_at_work(),
                                        [this](int k, BatchPtr batch) { return align(k, std::move(batch)); },
                                        [this](Aligned aligned) { write(std::move(aligned)); }};
};

} // namespace

int align_batches(Pairing & pairing, std::unique_ptr<Batch> first, Engine & engine, std::optional<Circular> circular,
                  Ranking ranking, bool ranked, std::unique_ptr<Writer> writer, std::string output, Progress & progress)
{
    return Run(pairing, std::move(first), engine, std::move(circular), std::move(ranking), ranked, std::move(writer),
               std::move(output), progress)
        .execute();
}

} // namespace cli
