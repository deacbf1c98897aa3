// SPDX-License-Identifier: BSD-3-Clause
// The options of `nwgpu plot`: those of `align`, and what the picture shows.
#include "options.hpp"

#include <CLI/CLI.hpp>

namespace cli {

void add_plot_options(CLI::App & command, AlignOptions & options)
{
    add_align_options(command, options);
    command.get_option("QUERY")->description(
        "Alignments: PAF, SAM, BAM or CRAM; or sequences, which are aligned first");
    command.get_option("TARGET")->description("Sequences to align with those of QUERY");
    command.get_option("--format")->description("svg|png|html [by the suffix of -o, else svg]");
    char const * const group = "Picture";
    PlotOptions & plot = options.output.plot;
    command.add_option("--kind", plot.kind, "dots: all alignments; identity: a track along one of them [dots]")
        ->check(CLI::IsMember({"dots", "identity"}))
        ->type_name("KIND")
        ->group(group);
    command
        .add_option("--alignment", plot.alignment,
                    "Number, from 1 on, of the alignment of --kind identity, or that a page shows first [the longest]")
        ->check(CLI::PositiveNumber)
        ->type_name("INT")
        ->group(group);
    command.add_option("--query-region", plot.query_region, "Draw this query, or this part of it, alone")
        ->type_name("NAME[:BEGIN-END]")
        ->group(group);
    command.add_option("--target-region", plot.target_region, "Draw this target, or this part of it, alone")
        ->type_name("NAME[:BEGIN-END]")
        ->group(group);
    command.add_option("--min-length", plot.min_length, "Leave out alignments of fewer columns [0]")
        ->type_name("INT")
        ->group(group);
    command
        .add_option("--order", plot.order,
                    "Queries by where they align on the targets (place), or as the input has them (file) [place]")
        ->check(CLI::IsMember({"place", "file"}))
        ->type_name("HOW")
        ->group(group);
    command.add_option("--title", plot.title, "Words above the picture [the names]")->type_name("TEXT")->group(group);
    command.add_option("--size", plot.size, "Pixels of the SVG; a PNG has two for each [1000,1000; identity 1000,460]")
        ->delimiter(',')
        ->expected(2)
        ->check(CLI::Range(100, 15000))
        ->allow_extra_args(false)
        ->type_name("WIDTH,HEIGHT")
        ->group(group);
    command.add_option("--query", plot.queries, "FASTA of the queries, where a file of alignments lacks letters")
        ->type_name("FILE")
        ->group(group);
    command.add_option("--target", plot.targets, "FASTA of the targets, likewise")->type_name("FILE")->group(group);
    command.footer("Examples:\n"
                   "  nwgpu plot -o dots.svg alignments.paf                  all alignments of a file\n"
                   "  nwgpu plot -o dots.png --mode local --top 50 --pair all a.fa b.fa   aligned first\n"
                   "  nwgpu plot -o track.svg --kind identity alignments.paf along the longest alignment\n"
                   "  nwgpu plot -o page.html reads.bam                      a page with all letters, to search in\n"
                   "\nExit codes: 0 done, 1 wrong usage, input or output, 2 some pairs failed, 130 interrupted.");
}

} // namespace cli
