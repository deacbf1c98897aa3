// SPDX-License-Identifier: BSD-3-Clause
// nwgpu plot: the pictures of alignments that a file has; two files of sequences go to `align`, which draws them.
#include "commands.hpp"

#include "failure.hpp"
#include "line_source.hpp"
#include "plot/file_input.hpp"
#include "plot/pictures.hpp"
#include "progress.hpp"
#include "text_output.hpp"
#include "writer.hpp"

#include <htslib/hts.h>

namespace cli {

namespace {

bool is_picture(std::string const & format) { return format == "svg" || format == "png" || format == "html"; }

} // namespace

FileKind kind_of(hFILE * bytes)
{
    htsFormat format{};
    if (hts_detect_format(bytes, &format) != 0)
        return FileKind::paf;
    if (format.format == sam || format.format == bam || format.format == cram)
        return FileKind::sam;
    return format.format == fasta_format || format.format == fastq_format ? FileKind::sequences : FileKind::paf;
}

int plot_command(AlignOptions const & given)
{
    AlignOptions options = given;
    OutputFormat const format = output_format(options.output, "svg");
    if (!is_picture(format.name))
        throw Failure("plot draws svg, png or html, not " + format.name);
    PlotOptions const & plot = options.output.plot;
    if (format.name == "html" && !plot.kind.empty())
        throw Failure("--kind goes with svg and png");
    options.output.format = format.name;
    if (!options.target.empty() || options.pair == "self") {
        if (!plot.queries.empty() || !plot.targets.empty())
            throw Failure("--query and --target go with a file of alignments, which two files of sequences are not");
        return align_command(options);
    }

    check_not_input(options.output, {options.query, plot.queries, plot.targets});
    Progress progress(options.report);
    hFILE * const bytes = open_bytes(options.query);
    FileKind const kind = kind_of(bytes);
    if (kind == FileKind::sequences) {
        hclose_abruptly(bytes);
        throw Failure(options.query + " has sequences: a second file goes with it, or --pair self");
    }
    KnownLetters const letters{SequenceFile(plot.queries), SequenceFile(plot.targets)};
    PictureBuilder builder(!options.scoring.protein, format.name == "html");
    // Targets lie in the order of their file, where there is one.
    letters.targets.for_each([&](std::string_view name, std::uint64_t length) { builder.target(name, length); });
    if (kind == FileKind::sam)
        read_sam(options.query, bytes, plot.targets, letters, builder);
    else
        read_paf(options.query, bytes, letters, builder);
    std::string const drawn = draw_picture(builder.take(), plot, format.name);
    TextOutput out(options.output.path, format, 1);
    out.write(drawn);
    out.close();
    return exit_ok;
}

} // namespace cli
