// SPDX-License-Identifier: BSD-3-Clause
// nwgpu align: read a batch, align it, write it, until the input ends.
#include "commands.hpp"

#include "engine.hpp"
#include "failure.hpp"
#include "writer.hpp"

#include <algorithm>
#include <cstdio>

namespace cli {

namespace {

constexpr std::uint64_t max_messages = 10; // about failed pairs; the output and the exit code tell of all

void check_usage(AlignOptions const & options)
{
    if (options.query == "-" && options.target == "-")
        throw Failure("only one of QUERY and TARGET can be standard input");
    check_not_input(options.output, {options.query, options.target, options.pairs_file});
}

void print_plan(AlignOptions const & options, Pairing & pairing, Engine & engine)
{
    nwgpu_estimate sum{};
    Batch batch;
    std::string first_plan;
    while (pairing.next(batch)) {
        nwgpu_estimate const estimate = engine.estimate(batch);
        if (sum.pairs == 0)
            first_plan = estimate.plan;
        sum.pairs += estimate.pairs;
        sum.cells += estimate.cells;
        sum.seconds += estimate.seconds;
        sum.host_bytes = std::max(sum.host_bytes, estimate.host_bytes);
        sum.device_bytes = std::max(sum.device_bytes, estimate.device_bytes);
    }
    constexpr double mega = 1 << 20;
    std::printf("pairs          %llu\ncells          %.4g\nseconds        %.3g\nhost memory    %.1f MiB\n"
                "device memory  %.1f MiB\nmachine        %s\n",
                static_cast<unsigned long long>(sum.pairs), static_cast<double>(sum.cells), sum.seconds,
                static_cast<double>(sum.host_bytes) / mega, static_cast<double>(sum.device_bytes) / mega,
                engine.backend().c_str());
    if (options.report.verbose)
        std::printf("%s\n", first_plan.c_str());
    if (std::fflush(stdout) != 0)
        throw system_failure("standard output");
}

class Run {
public:
    Run(Pairing & pairing, Engine & engine, Writer & writer, Progress & progress) :
        pairing_(pairing), engine_(engine), writer_(writer), progress_(progress)
    {}

    int execute()
    {
        bool stopped = false;
        try {
            for (double from = 0; pairing_.next(batch_); from = pairing_.fraction())
                align_batch(from);
        } catch (Interrupted const &) {
            stopped = true;
        }
        writer_.close();
        if (failed_ > max_messages)
            progress_.warning(text(failed_, " pairs failed in all"));
        progress_.summary(rows_, engine_.backend());
        if (stopped) {
            progress_.warning(text("interrupted; the ", rows_, " alignments before are complete"));
            return exit_interrupted;
        }
        return failed_ > 0 ? exit_pairs_failed : exit_ok;
    }

private:
    void align_batch(double from)
    {
        for (std::uint64_t i = 0; i < batch_.forward_count; ++i)
            writer_.admit(batch_.queries->name(i), batch_.first_query + i, batch_.queries->length(i));
        if (progress_.verbose())
            progress_.expect(engine_.estimate(batch_).seconds);
        progress_.begin_batch(from, pairing_.fraction());
        Rows const rows = engine_.align(batch_);
        progress_.end_batch(count_cells(batch_));
        for (std::uint64_t i = 0; i < rows.size(); ++i) {
            Alignment const row = rows.row(i);
            writer_.write(row);
            if (!row.ok() && ++failed_ <= max_messages)
                progress_.warning(text("pair '", row.query_name, "' x '", row.target_name, "': ", rows.message(i)));
        }
        writer_.flush();
        rows_ += rows.size();
    }

    Pairing & pairing_;
    Engine & engine_;
    Writer & writer_;
    Progress & progress_;
    Batch batch_;
    std::uint64_t rows_ = 0, failed_ = 0;
};

} // namespace

int align_command(AlignOptions const & options)
{
    check_usage(options);
    Progress progress(options.report);
    SequenceReader queries(options.query), targets(options.target);
    Scoring const scoring(options.scoring, detect_alphabet(queries.first().letters(0), targets.first().letters(0)));
    if (options.both_strands && !scoring.alphabet().dna())
        throw Failure("--both-strands is for DNA; these sequences are proteins (--dna says otherwise)");
    progress.detail(scoring.describe());
    queries.use_alphabet(scoring.alphabet());
    targets.use_alphabet(scoring.alphabet());

    std::string const format = output_format(options.output, "tsv");
    auto const pairing = make_pairing(options, queries, targets, is_sam_format(format));
    Engine engine(options.engine, scoring, progress);
    if (options.plan) {
        print_plan(options, *pairing, engine);
        return exit_ok;
    }
    auto const writer = make_writer(
        {options.output, format, scoring, options.engine.score_only, options.both_strands, pairing->all_targets()});
    return Run(*pairing, engine, *writer, progress).execute();
}

} // namespace cli
