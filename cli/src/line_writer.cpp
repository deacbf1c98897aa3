// SPDX-License-Identifier: BSD-3-Clause
#include "line_writer.hpp"

#include "pieces.hpp"

namespace cli {

LineWriter::LineWriter(WriterSetup const & setup) :
    out_(setup.output.path, setup.format.bgzf, setup.threads), threads_(setup.threads)
{}

void LineWriter::write(Alignment const & alignment) { write_all({&alignment, 1}); }

void LineWriter::write_all(std::span<Alignment const> alignments)
{
    auto const lines_of = [this](std::span<Alignment const> piece) {
        std::string lines;
        for (Alignment const & alignment : piece)
            append(lines, alignment);
        return lines;
    };
    auto const size_of = [](Alignment const & a) { return a.query.size() + a.target.size() + 4 * a.cigar.size(); };
    for_pieces(alignments, threads_, size_of, lines_of, [this](std::string const & lines) { out_.write(lines); });
}

} // namespace cli
