// SPDX-License-Identifier: BSD-3-Clause
#include "line_writer.hpp"

#include "pieces.hpp"

namespace cli {

LineWriter::LineWriter(WriterSetup const & setup) :
    out_(setup.output.path, setup.format, setup.threads), threads_(setup.threads)
{}

void LineWriter::write(Alignment const & alignment) { write_all({&alignment, 1}); }

std::unique_ptr<Writer::Made> LineWriter::make(std::span<Alignment const> alignments) const
{
    auto lines = std::make_unique<Lines>();
    for (Alignment const & alignment : alignments)
        append(lines->text, alignment);
    return lines;
}

void LineWriter::write(Made & made) { out_.write(static_cast<Lines &>(made).text); }

void LineWriter::write_all(std::span<Alignment const> alignments)
{
    auto const lines_of = [this](std::span<Alignment const> piece) { return make(piece); };
    auto const size_of = [](Alignment const & a) { return a.query.size() + a.target.size() + 4 * a.cigar.size(); };
    for_pieces(alignments, threads_, size_of, lines_of, [this](std::unique_ptr<Made> const & made) { write(*made); });
}

} // namespace cli
