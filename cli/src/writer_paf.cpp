// SPDX-License-Identifier: BSD-3-Clause
// PAF: the 12 columns of minimap2 with NM, AS, de, cg and, on request, cs.  Failed pairs have no line.
#include "failure.hpp"
#include "line_writer.hpp"

#include <algorithm>
#include <cstdio>

namespace cli {

namespace {

// Appends part / all, at most 1, as "%.4f" has it.
void append_share(std::string & line, std::uint64_t part, std::uint64_t all)
{
    constexpr std::uint64_t unit = 10000, few = std::uint64_t{1} << 32;
    // Far enough from what lies between two numbers that the quotient's own rounding cannot matter.
    std::uint64_t const twice = all < few ? 2 * unit * part : 0;
    if (all >= few || (twice % (2 * all) == all)) {
        char number[32];
        std::snprintf(number, sizeof number, "%.4f", static_cast<double>(part) / static_cast<double>(all));
        line += number;
        return;
    }
    std::uint64_t const rounded = (twice + all) / (2 * all);
    line += static_cast<char>('0' + rounded / unit);
    line += '.';
    for (std::uint64_t digit = unit / 10, rest = rounded; digit > 0; digit /= 10)
        line += static_cast<char>('0' + rest / digit % 10);
}

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
        append_text(line, a.query_name, '\t', a.query.size(), '\t', a.input_query_begin(), '\t', a.input_query_end(),
                    '\t', a.reverse ? '-' : '+', '\t', a.target_name, '\t', a.target.size(), '\t', a.target_begin, '\t',
                    a.target_end, '\t', counts.equal, '\t', counts.columns(), '\t', int{a.mapq},
                    "\tNM:i:", counts.edits(), "\tAS:i:", a.score, "\tde:f:");
        // Gap-compressed divergence, as minimap2 defines de: a gap of any length counts once.
        std::uint64_t const events = counts.different + counts.gaps;
        append_share(line, events, std::max<std::uint64_t>(events + counts.equal, 1));
        if (a.rotation)
            append_text(line, "\tro:i:", *a.rotation);
        if (!a.cigar.empty()) {
            line += "\tcg:Z:";
            append_cigar(line, a);
        }
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
