// SPDX-License-Identifier: BSD-3-Clause
// Parses the command line and runs a command; the only place that turns exceptions into exit codes.
#include "app.hpp"

#include "commands.hpp"
#include "failure.hpp"
#include "interrupt.hpp"
#include "world.hpp"

#include <CLI/CLI.hpp>
#include <htslib/hts_log.h>
#include <htslib/sam.h>
#include <nwgpu/nwgpu.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <new>
#include <numeric>
#include <utility>
#include <vector>

namespace cli {

namespace {

int fail(std::string const & message)
{
    std::fprintf(stderr, "nwgpu: error: %s\n", printable(message).c_str());
    return exit_error;
}

// As one string without tabs, for @PG CL.
std::string command_line(int argc, char ** argv)
{
    std::unique_ptr<char, decltype(&std::free)> const joined(stringify_argv(argc, argv), &std::free);
    if (!joined)
        throw std::bad_alloc();
    return joined.get();
}

// Letters to change, insert or remove to make b from a.
std::size_t edits_between(std::string_view a, std::string_view b)
{
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i < a.size(); ++i) {
        std::size_t corner = std::exchange(row[0], i + 1);
        for (std::size_t j = 0; j < b.size(); ++j)
            corner = std::exchange(row[j + 1], std::min({corner + (a[i] != b[j]), row[j] + 1, row[j + 1] + 1}));
    }
    return row.back();
}

std::string unknown_command(CLI::App const & app, std::string const & name)
{
    std::string nearest;
    std::size_t least = 4; // more letters to change are no slip
    for (CLI::App const * const command : app.get_subcommands({}))
        if (std::size_t const edits = edits_between(name, command->get_name()); edits < least) {
            least = edits;
            nearest = command->get_name();
        }
    return text("no command is called '", name, "'", nearest.empty() ? "" : ": did you mean " + nearest + "?",
                " (`nwgpu -h` lists the commands)");
}

int parse_and_run(int argc, char ** argv)
{
    CLI::App app("nwgpu - exact pairwise sequence alignment on CPU and GPU", "nwgpu");
    app.set_version_flag("--version", text("nwgpu ", nwgpu_version_string(), " (", nwgpu_build_info(), ")"));
    app.require_subcommand(1);
    app.footer("`nwgpu COMMAND -h` shows the options of a command, `man nwgpu` everything.");

    AlignOptions align, plot;
    RealignOptions realign;
    BenchOptions bench;
    align.output.command_line = plot.output.command_line = realign.output.command_line = command_line(argc, argv);
    add_align_options(*app.add_subcommand("align", "Align sequences of two FASTA or FASTQ files"), align);
    add_realign_options(*app.add_subcommand("realign", "Align mapped reads again where they are mapped"), realign);
    add_plot_options(*app.add_subcommand("plot", "Draw alignments: a dot plot, a track of identities, a page"), plot);
    bool doctor_of_ranks = false;
    app.add_subcommand("doctor", "Show what this machine offers, and why a GPU is not used")
        ->add_flag("--mpi", doctor_of_ranks, "Also the ranks that mpirun or srun has started, and how far they are");
    app.add_subcommand("algorithms", "List the published algorithms that align --algorithm can run");
    CLI::App & bench_app =
        *app.add_subcommand("bench", "Time published algorithms and the engine, or a paper's experiment");
    add_bench_options(bench_app, bench);

    try {
        app.parse(argc, argv);
    } catch (CLI::Success const & help) { // --help and --version
        app.exit(help);
        std::cout.flush();
        return std::cout.good() ? exit_ok : fail("standard output: cannot be written");
    } catch (CLI::ParseError const & error) {
        if (argc > 1 && argv[1][0] != '-' && app.get_subcommands().empty())
            return fail(unknown_command(app, argv[1]));
        return fail(text(error.what(), " (`nwgpu -h` and `nwgpu COMMAND -h` show the options)"));
    }
    // htslib's own messages are vaguer than ours; with -v they may help.
    bool const verbose = align.report.verbose || plot.report.verbose || realign.report.verbose;
    hts_set_log_level(verbose ? HTS_LOG_WARNING : HTS_LOG_OFF);
    install_interrupt_handler();
    std::string const & arguments = align.output.command_line;
    auto const with_ranks = [&](EngineOptions & engine, ReportOptions const & report, auto const & command) {
        if (engine.mpi)
            return run_in_world(engine, report, arguments, command);
        refuse_several_ranks();
        return command();
    };
    if (app.got_subcommand("align"))
        return with_ranks(align.engine, align.report, [&] { return align_command(align); });
    if (app.got_subcommand("plot"))
        return plot_command(plot);
    if (app.got_subcommand("realign"))
        return with_ranks(realign.engine, realign.report, [&] { return realign_command(realign); });
    if (app.got_subcommand("algorithms"))
        return algorithms_command();
    if (app.got_subcommand("bench")) {
        if (!bench.suite.empty() && bench_app.count("--lengths") == 0)
            bench.lengths.clear(); // all of the suite
        return bench_command(bench);
    }
    return doctor_of_ranks ? doctor_of_world(arguments) : doctor_command();
}

} // namespace

int report_error(std::string const & who)
{
    std::string const begin = who.empty() ? who : who + ": ";
    try {
        throw;
    } catch (Failure const & failure) {
        return fail(begin + failure.what());
    } catch (Interrupted const &) {
        return exit_interrupted;
    } catch (std::bad_alloc const &) {
        return fail(begin + "out of memory");
    } catch (std::exception const & error) {
        return fail(begin + error.what());
    }
}

int run(int argc, char ** argv)
{
    try {
        return parse_and_run(argc, argv);
    } catch (...) {
        return report_error();
    }
}

} // namespace cli
