// SPDX-License-Identifier: BSD-3-Clause
// nwgpu align: from its options to what reads, aligns and writes.
#include "commands.hpp"

#include "align_plan.hpp"
#include "align_run.hpp"
#include "background.hpp"
#include "failure.hpp"
#include "place_choice.hpp"
#include "presets.hpp"

#include <filesystem>
#include <memory>
#include <optional>
#include <utility>

namespace cli {

namespace {

void check_usage(AlignOptions const & options)
{
    if (options.query == "-" && options.target == "-")
        throw Failure("only one of QUERY and TARGET can be standard input");
    if (options.engine.score_only && (options.limits.min_identity > 0 || options.limits.min_coverage > 0))
        throw Failure("--min-identity and --min-coverage need alignments, not --score-only");
    bool const self = options.pair == "self";
    if (self != options.target.empty())
        throw Failure(self ? "--pair self takes one file" : "TARGET is required");
    for (auto const & [with, name] : {std::pair{!options.engine.band.empty(), "--band"},
                                      {options.engine.top > 1, "--top"},
                                      {!options.engine.checkpoint.empty(), "--checkpoint"},
                                      {options.plan, "--plan"}})
        if (with && !options.circular.empty())
            throw Failure(text("--circular goes without ", name));
    check_not_input(options.output, {options.query, options.target, options.pairs_file});
}

// What a resumed run goes on from.
std::string resume_note(EngineOptions const & options)
{
    std::error_code missing;
    std::uint64_t slabs = 0;
    for (auto const & entry : std::filesystem::directory_iterator(options.checkpoint, missing)) {
        std::string const name = entry.path().filename().string();
        slabs += name.starts_with("slab-") && name.ends_with(".nwgpu");
    }
    return slabs == 0 ? text(options.checkpoint, " holds no checkpoint: the run begins anew")
                      : text("the run goes on from slab ", slabs, " in ", options.checkpoint);
}

// Where a GPU may have the pairs: the first batch, by which that is decided; null: there is none.
std::unique_ptr<Batch> read_and_choose(AlignOptions const & options, InputLetters const & letters, Pairing & pairing,
                                       Engine & engine)
{
    auto first = std::make_unique<Batch>();
    bool is_there = false;
    run_interruptibly([&] { is_there = pairing.next(*first); });
    if (!is_there)
        return nullptr;
    try {
        auto const read = static_cast<double>(first->letters * (options.both_strands ? 2 : 1));
        if (engine.choose_place(*first, first->is_last ? read : expected_letters(options, letters)))
            pairing.resize(engine.batch_size());
    } catch (Interrupted const &) { // as it is told where all else ends, too
    }
    return first;
}

} // namespace

int align_command(AlignOptions const & given)
{
    check_usage(given);
    Progress progress(given.report);
    OutputFormat const format = output_format(given.output, "tsv");
    check_format_options(given.output, format.name);
    if (format.name == "cram" && given.engine.cigar_style == "eqx")
        progress.warning("CRAM does not keep = and X: its readers see M");
    bool const self = given.pair == "self";
    std::optional<SequenceReader> query_reader, target_reader;
    run_interruptibly([&] {
        query_reader.emplace(given.query, given.comments).first();
        if (!self)
            target_reader.emplace(given.target, false, false).first();
    });
    SequenceReader &queries = *query_reader, &targets = self ? queries : *target_reader;
    bool const told = given.scoring.dna || given.scoring.protein;
    AlphabetKind const detected =
        told ? AlphabetKind::detect : detect_alphabet(queries.first().letters(0), targets.first().letters(0));
    AlignOptions const options =
        with_preset(given, given.scoring.dna ? AlphabetKind::dna : detected, is_sam_format(format.name));
    Scoring const scoring(options.scoring, detected);
    if (options.both_strands && !scoring.alphabet().dna())
        throw Failure("--both-strands is for DNA; these sequences are proteins (--dna says otherwise)");
    if (given.circular == "target" && (is_sam_format(format.name) || format.name == "vcf"))
        throw Failure("--circular target: places in " + format.name +
                      " are those of the target as it is; use --circular query");
    if (given.comments && !is_sam_format(format.name))
        throw Failure("--comments goes with --format sam, bam and cram, not " + format.name);
    if (detected == AlphabetKind::dna && !scoring.alphabet().dna())
        progress.warning(text("the sequences look like DNA, matrix ", scoring.matrix_name(), " is of proteins"));
    progress.detail(scoring.describe());
    queries.use_alphabet(scoring.alphabet());
    targets.use_alphabet(scoring.alphabet());

    Engine engine(options.engine, options.limits.min_score, scoring, progress);
    engine.suit(options.engine, options.plan || !options.circular.empty(), queries.first().length(0),
                targets.first().length(0));
    InputLetters const letters{queries.expected_letters(), targets.expected_letters(), queries.first().length(0),
                               targets.first().length(0)};
    bool const ranked = is_ranked_format(format.name);
    std::unique_ptr<Pairing> pairing;
    run_interruptibly([&] {
        pairing = make_pairing(options, queries, targets, needs_targets(format.name), ranked, engine.batch_size());
    });
    if (options.plan) {
        print_plan(options, *pairing, engine);
        return exit_ok;
    }
    // Short reads of two files are read no faster than the CPU aligns them.
    bool const reading_lasts = options.pair == "zip" && engine.batch_size().parse_in_blocks;
    std::unique_ptr<Batch> first;
    if (!reading_lasts && engine.is_undecided())
        first = read_and_choose(options, letters, *pairing, engine);
    if (options.engine.resume)
        progress.note(resume_note(options.engine));
    auto writer = make_writer({options.output, format, scoring, options.engine.score_only, options.both_strands,
                               !options.circular.empty(), self, pairing->target_list(), engine.host_threads(),
                               queries.read_groups()});
    std::optional<Circular> circular;
    if (!options.circular.empty())
        circular.emplace(options.circular == "query", make_mode(options.engine.mode, options.engine.free_ends).mode,
                         scoring, engine, progress);
    return align_batches(*pairing, std::move(first), engine, std::move(circular), Ranking(options.limits, scoring),
                         ranked, std::move(writer), shown_output(options.output), progress);
}

} // namespace cli
