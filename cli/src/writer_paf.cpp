// SPDX-License-Identifier: BSD-3-Clause
// PAF: the 12 columns of minimap2 with NM, AS, de, cg and, on request, cs.  Failed pairs have no line.
#include "failure.hpp"
#include "line_writer.hpp"

#include <algorithm>
#include <cstdio>

namespace cli {

namespace {

class PafWriter : public LineWriter {
public:
    explicit PafWriter(WriterSetup const & setup) :
        LineWriter(setup), equal_(setup.scoring.alphabet().dna()), cs_(setup.output.cs)
    {}

private:
    void append(std::string & line, Alignment const & a) const override
    {
        if (!a.has_path || !a.good())
            return;
        PathCounts const counts = count_path(a, equal_);
        line += text(a.query_name, '\t', a.query.size(), '\t', a.input_query_begin(), '\t', a.input_query_end(), '\t',
                     a.reverse ? '-' : '+', '\t', a.target_name, '\t', a.target.size(), '\t', a.target_begin, '\t',
                     a.target_end, '\t', counts.equal, '\t', counts.columns(), '\t', int{a.mapq},
                     "\tNM:i:", counts.edits(), "\tAS:i:", a.score);
        // Gap-compressed divergence, as minimap2 defines de: a gap of any length counts once.
        std::uint64_t const events = counts.different + counts.gaps;
        char de[32];
        std::snprintf(de, sizeof de, "\tde:f:%.4f",
                      static_cast<double>(events) /
                          static_cast<double>(std::max<std::uint64_t>(events + counts.equal, 1)));
        line += de;
        if (a.rotation)
            line += text("\tro:i:", *a.rotation);
        if (!a.cigar.empty())
            line += "\tcg:Z:" + nwgpu::to_string(a.cigar);
        if (cs_)
            line += "\tcs:Z:" + cs_text(a, equal_);
        line += '\n';
    }

    LetterEquality const equal_;
    bool const cs_;
};

} // namespace

std::unique_ptr<Writer> make_paf_writer(WriterSetup const & setup) { return std::make_unique<PafWriter>(setup); }

} // namespace cli
