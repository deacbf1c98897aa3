// SPDX-License-Identifier: BSD-3-Clause
// The options of `nwgpu align` and `nwgpu realign`, group by group; docs/man/nwgpu.1 tells the same at length.
#include "options.hpp"

#include "bench_suites.hpp"
#include "mode.hpp"
#include "presets.hpp"
#include "writer.hpp"

#include <CLI/CLI.hpp>

#include <cmath>
#include <string_view>

namespace cli {

namespace {

constexpr std::int32_t max_cost = 1 << 30; // the library's limit, see nwgpu_scoring

// CLI11's help, without the ranges, choices and exclusions that the descriptions tell anyway.
class Help : public CLI::Formatter {
public:
    Help() { column_width(26); }
    std::string make_option_opts(CLI::Option const * option) const override
    {
        std::string const type = option->get_type_name();
        return type.empty() || option->get_positional() ? "" : " " + type.substr(0, type.find(':'));
    }
};

// "1.5G" as bytes.  K, M, G and T are powers of 1024; an i, a B or both may follow.
std::string size_in_bytes(std::string const & given)
{
    std::size_t end = 0;
    double bytes = -1;
    try {
        bytes = std::stod(given, &end);
    } catch (std::exception const &) {
    }
    std::string unit = CLI::detail::to_lower(given.substr(end));
    if (!unit.empty() && unit.back() == 'b')
        unit.pop_back();
    if (unit.size() == 2 && unit.back() == 'i')
        unit.pop_back();
    std::string_view const units = "kmgt";
    if (std::size_t const power = units.find(unit); unit.size() == 1 && power != units.npos)
        bytes *= std::exp2(10.0 * static_cast<double>(power + 1));
    else if (!unit.empty())
        bytes = -1;
    if (!(bytes >= 0 && bytes < 0x1p63))
        throw CLI::ValidationError("'" + given + "' is not a size such as 500M or 1.5G");
    return std::to_string(static_cast<std::uint64_t>(bytes));
}

void add_scoring(CLI::App & command, ScoringOptions & options)
{
    CLI::Range const cost(0, max_cost);
    auto const group = "Scoring";
    auto * const match = command.add_option("-A,--match", options.match, "Score of a match [2]");
    auto * const mismatch = command.add_option("-B,--mismatch", options.mismatch, "Cost of a mismatch [4]");
    auto * const open = command.add_option("-O,--gap-open", options.gap_open,
                                           "Cost of a gap; a gap of k letters costs O + k*E [4; 11 with a matrix]");
    auto * const extend =
        command.add_option("-E,--gap-extend", options.gap_extend, "Cost of each gap letter [2; 1 with a matrix]");
    for (auto * const option : {match, mismatch, open, extend})
        option->check(cost)->type_name("INT")->group(group);
    command
        .add_option("--matrix", options.matrix, "Scoring matrix: built-in name or NCBI text file [protein: BLOSUM62]")
        ->excludes(match)
        ->excludes(mismatch)
        ->type_name("NAME|FILE")
        ->group(group);
    command
        .add_option("--ambiguous", options.ambiguous,
                    "Cost of an ambiguous DNA letter, such as N, against any letter; match: it equals itself, and "
                    "mismatches others [1]")
        ->type_name("COST")
        ->group(group);
    command.add_flag("--mask", options.mask, "Read letters outside the alphabet as N (DNA) or X (protein)")
        ->group(group);
}

void add_alphabet(CLI::App & command, ScoringOptions & options)
{
    auto * const dna = command.add_flag("--dna", options.dna, "Sequences are DNA or RNA [detected]")->group("Scoring");
    command.add_flag("--protein", options.protein, "Sequences are proteins [detected]")
        ->excludes(dna)
        ->group("Scoring");
}

void add_engine(CLI::App & command, EngineOptions & options)
{
    auto const group = "Alignment";
    auto * const mode = command
                            .add_option("--mode", options.mode,
                                        "global, local, semiglobal, overlap, extend, extend-left or\n"
                                        "extend-to-end [global]")
                            ->check(CLI::IsMember(mode_names()))
                            ->type_name("MODE")
                            ->group(group);
    command
        .add_option("--free-ends", options.free_ends,
                    "Ends without gap cost, any of query-begin,query-end,target-begin,target-end")
        ->delimiter(',')
        ->allow_extra_args(false)
        ->check(CLI::IsMember(free_end_names()))
        ->excludes(mode)
        ->type_name("ENDS")
        ->group(group);
    command
        .add_option("--cigar-style", options.cigar_style,
                    "eqx (= and X) or m (M) [eqx; m for records of reads: see the manual]")
        ->check(CLI::IsMember({"eqx", "m"}))
        ->type_name("STYLE")
        ->group(group);
    command.add_flag("--verify", options.verify, "Score each CIGAR anew and compare")->group(group);
    command.add_option("-t,--threads", options.threads, "CPU threads [all]")
        ->check(CLI::Range(0, 65536))
        ->type_name("INT")
        ->group("Machine");
    command
        .add_option("--device", options.device,
                    "auto, cpu, cuda, cuda:N, or several GPUs to share the pairs: cuda:0,1, or all [auto]")
        ->type_name("DEVICE")
        ->group("Machine");
    command
        .add_flag("--mpi", options.mpi,
                  "Share pairs, and the rows of a long one, with the other ranks that mpirun or srun has started")
        ->group("Machine");
    command
        .add_option("--max-memory", options.max_memory, "Host memory an alignment may take, e.g. 500M, 16G [no limit]")
        ->transform(size_in_bytes)
        ->type_name("SIZE")
        ->group("Machine");
    command
        .add_option("--max-device-memory", options.max_device_memory, "GPU memory an alignment may take [what is free]")
        ->transform(size_in_bytes)
        ->type_name("SIZE")
        ->group("Machine");
}

void add_output(CLI::App & command, OutputOptions & options, std::vector<std::string> const & formats)
{
    auto const group = "Output";
    command.add_option("-o,--output", options.path, "Output file; - is standard output [-]")
        ->type_name("FILE")
        ->group(group);
    std::string names;
    for (auto const & format : formats)
        names += (names.empty() ? "" : "|") + format;
    command.add_option("--format", options.format, names + " [by the suffix of -o, else " + formats.front() + "]")
        ->check(CLI::IsMember(formats))
        ->type_name("FORMAT")
        ->group(group);
    command
        .add_option("--compression-level", options.compression_level,
                    "Of BAM, CRAM and .gz: 0 (none) to 9 (smallest); 1 takes a fraction of the time of the usual one "
                    "[BAM: 1; else htslib's]")
        ->check(CLI::Range(0, 9))
        ->type_name("INT")
        ->group(group);
    command.add_option("--rg", options.read_group, "Read group line of SAM output, e.g. 'ID:a\\tSM:b'")
        ->type_name("TEXT")
        ->group(group);
}

void add_limits(CLI::App & command, LimitOptions & options)
{
    char const * const group = "Limits (alignments below them are unmapped in SAM, absent from PAF, marked in tsv)";
    command.add_option("--min-score", options.min_score, "Score")->type_name("INT")->group(group);
    command.add_option("--min-identity", options.min_identity, "Equal letters per column, 0 to 1")
        ->check(CLI::Range(0.0, 1.0))
        ->type_name("SHARE")
        ->group(group);
    command.add_option("--min-coverage", options.min_coverage, "Share of the query that is aligned, 0 to 1")
        ->check(CLI::Range(0.0, 1.0))
        ->type_name("SHARE")
        ->group(group);
}

void add_long_run(CLI::App & command, EngineOptions & options)
{
    char const * const group = "Long runs";
    auto * const checkpoint =
        command
            .add_option("--checkpoint", options.checkpoint,
                        "Save from time to time in this folder what is needed to go on after the run was killed; one "
                        "pair, removed at the end")
            ->type_name("DIR")
            ->group(group);
    command.add_flag("--resume", options.resume, "Go on where the run that used this checkpoint ended, if it did")
        ->needs(checkpoint)
        ->group(group);
    command.add_option("--checkpoint-interval", options.checkpoint_seconds, "Seconds of work between two savings [60]")
        ->needs(checkpoint)
        ->check(CLI::PositiveNumber)
        ->type_name("SECONDS")
        ->group(group);
    command.add_option("--deadline", options.deadline_seconds, "Stop after so many seconds, as if interrupted")
        ->check(CLI::PositiveNumber)
        ->type_name("SECONDS")
        ->group(group);
    command
        .add_flag("--every-cell", options.every_cell,
                  "Compute all of the matrix, also what cannot matter: the same answer, for comparing speed")
        ->group(group);
}

void add_report(CLI::App & command, ReportOptions & options)
{
    auto * const verbose =
        command.add_flag("-v,--verbose", options.verbose, "Say more on standard error")->group("Output");
    command.add_flag("-q,--quiet", options.quiet, "Only errors on standard error, no progress bar")
        ->excludes(verbose)
        ->group("Output");
}

} // namespace

void add_align_options(CLI::App & command, AlignOptions & options)
{
    command.formatter(std::make_shared<Help>());
    command.add_option("QUERY", options.query, "FASTA, FASTQ, SAM, BAM or CRAM file; - is standard input")->required();
    command.add_option("TARGET", options.target, "The same; one target goes with every query; none with --pair self");
    auto * const pair =
        command
            .add_option("--pair", options.pair,
                        "zip: first with first, second with second...; all: each query with each target; "
                        "best: all, but only each query's best target; self: each two of QUERY, once")
            ->check(CLI::IsMember({"zip", "all", "best", "self"}))
            ->type_name("HOW")
            ->group("Pairs");
    command.add_option("--pairs", options.pairs_file, "The pairs: lines of query name, tab, target name")
        ->excludes(pair)
        ->type_name("TSV")
        ->group("Pairs");
    command
        .add_flag("--both-strands", options.both_strands, "Also align each query's reverse complement; keep the better")
        ->group("Pairs");
    command.add_flag("--one-strand", options.one_strand, "Not so, whatever a preset says")
        ->excludes("--both-strands")
        ->group("Pairs");
    command
        .add_option("--circular", options.circular,
                    "The query, or the target, has no begin: it is rotated so that the score is the best")
        ->check(CLI::IsMember({"query", "target"}))
        ->type_name("query|target")
        ->group("Pairs");
    command
        .add_option(
            "-x,--preset", options.preset,
            "Parameters of edit, needle, water, blastn, blastp, minimap2, wfa, hifi, ont or sr (see the manual); "
            "other options win")
        ->check(CLI::IsMember(preset_names()))
        ->type_name("NAME")
        ->group("Scoring");
    add_scoring(command, options.scoring);
    add_alphabet(command, options.scoring);
    add_engine(command, options.engine);
    command.add_flag("--score-only", options.engine.score_only, "Scores without alignments (tsv)")->group("Alignment");
    command
        .add_option("--top", options.engine.top,
                    "With --mode local: so many alignments a pair, none of which align the same two letters [1]")
        ->check(CLI::Range(1u, UINT32_MAX))
        ->type_name("INT")
        ->group("Alignment");
    command
        .add_option("--band", options.engine.band,
                    "Only paths whose target position less query position stays within LOWER,UPPER")
        ->delimiter(',')
        ->expected(2)
        ->allow_extra_args(false)
        ->type_name("LOWER,UPPER")
        ->group("Alignment");
    command
        .add_option("--algorithm", options.engine.algorithm,
                    "A published algorithm in place of the engine: NAME or NAME:parameter=value,...; "
                    "`nwgpu algorithms` lists them")
        ->type_name("NAME")
        ->group("Machine");
    add_limits(command, options.limits);
    add_long_run(command, options.engine);
    command.add_flag("--plan", options.plan, "Print the predicted time and memory and stop")->group("Machine");
    add_output(command, options.output, format_names());
    command.add_flag("--cs", options.output.cs, "Add the cs tag to PAF")->group("Output");
    command.add_option("--columns", options.output.columns, "Columns of tsv and json, e.g. query,target,identity")
        ->delimiter(',')
        ->allow_extra_args(false)
        ->type_name("NAMES")
        ->group("Output");
    command.add_flag("--sort", options.output.sort, "Sort SAM, BAM and CRAM by coordinate; BAM and CRAM get an index")
        ->group("Output");
    command.add_flag("-y,--comments", options.comments, "Copy tags in comments of FASTQ and FASTA (MM, ML...) to SAM")
        ->group("Output");
    command.add_option("--width", options.output.width, "pair: letters of a line [50]")
        ->check(CLI::Range(1, 1 << 20))
        ->type_name("INT")
        ->group("Output");
    command.add_option("--name-width", options.output.name_width, "pair: letters of a name, 0 for all of it [13]")
        ->check(CLI::Range(0, 1 << 20))
        ->type_name("INT")
        ->group("Output");
    add_report(command, options.report);
    command.footer(
        "Examples:\n"
        "  nwgpu align read.fa reference.fa                        one pair, or many queries with one target\n"
        "  nwgpu align --pair zip --format pair cow.faa pig.faa    the i-th with the i-th, for reading\n"
        "  nwgpu align --mode semiglobal --both-strands -o out.bam reads.fq.gz amplicon.fa\n"
        "  nwgpu align --mode extend --pair zip reads.fa after.fa  from both begins to the best end anywhere\n"
        "  nwgpu align --plan chr1_a.fa chr1_b.fa                  time and memory, nothing else\n"
        "  nwgpu align --checkpoint run1 --resume chr1_a.fa chr1_b.fa   start, or go on after a crash\n"
        "\nExit codes: 0 done, 1 wrong usage, input or output, 2 some pairs failed, 130 interrupted.");
}

void add_bench_options(CLI::App & command, BenchOptions & options)
{
    command.formatter(std::make_shared<Help>());
    command.add_flag("--list", options.list, "List what the suites measure, and stop");
    std::vector<std::string> suites = suite_names();
    suites.push_back("all");
    auto * const suite = command
                             .add_option("--suite", options.suite,
                                         "A paper's experiment again: thesis, rowscan, scaling, swat, cudalign; all")
                             ->check(CLI::IsMember(suites))
                             ->type_name("NAME");
    command
        .add_option("--algorithm", options.algorithms,
                    "Published algorithms (NAME or NAME:parameter=value), or engine; may be repeated")
        ->allow_extra_args(false)
        ->excludes(suite)
        ->type_name("NAME");
    command
        .add_option("--lengths", options.lengths,
                    "Letters of both sequences, 5000 or 1024x65536, or several [1000,5000; with --suite all]")
        ->delimiter(',')
        ->type_name("LENGTHS");
    command.add_option("--repeat", options.repeat, "Take the best of so many, or of those that 5 seconds allow [2]")
        ->check(CLI::Range(1, 1000))
        ->type_name("INT");
    command.add_option("--time", options.time, "Repeat until so many seconds are over, for steady energy [0]")
        ->check(CLI::Range(0.0, 3600.0))
        ->type_name("SECONDS");
    command.add_flag("--score-only", options.score_only, "Without paths");
    command.add_option("--tsv", options.tsv, "Write the table to this file, too")->type_name("FILE");
    command.add_option("--json", options.json, "Write it as JSON")->type_name("FILE");
    command.add_option("-t,--threads", options.threads, "CPU threads [all]")
        ->check(CLI::Range(0, 65536))
        ->type_name("INT");
    command.footer("Examples:\n"
                   "  nwgpu bench --algorithm engine --algorithm cpu1-st-row --lengths 1000,20000\n"
                   "  nwgpu bench --suite all --tsv all.tsv --json all.json\n"
                   "\nWhat is timed is one call of the library, transfers and path included.");
}

void add_realign_options(CLI::App & command, RealignOptions & options)
{
    command.formatter(std::make_shared<Help>());
    command.add_option("READS", options.reads, "SAM, BAM or CRAM file; - is standard input")->required();
    command.add_option("REF.fa", options.reference, "The reference of the reads: FASTA, plain, gzip or bgzf")
        ->required();
    add_scoring(command, options.scoring);
    add_engine(command, options.engine);
    command
        .add_option("--margin", options.margin,
                    "Widen the reference window by so many letters on either side (needs a mode with free target ends)")
        ->check(CLI::NonNegativeNumber)
        ->type_name("INT")
        ->group("Alignment");
    add_output(command, options.output, {"sam", "bam", "cram"});
    add_report(command, options.report);
    command.footer("Examples:\n"
                   "  nwgpu realign mapped.bam ref.fa | samtools sort -o realigned.bam\n"
                   "  nwgpu realign --mode semiglobal --margin 20 -o out.cram mapped.cram ref.fa\n"
                   "\nExit codes: 0 done, 1 wrong usage, input or output, 2 some reads failed, 130 interrupted.");
}

} // namespace cli
