// SPDX-License-Identifier: BSD-3-Clause
// fasta: the two aligned sequences with their gaps.  maf: the same as blocks, target first.  Only the aligned part is
// shown; failed pairs have no entry.
#include "failure.hpp"
#include "line_writer.hpp"

namespace cli {

namespace {

struct Letters {
    std::string query, target;

    explicit Letters(Alignment const & a)
    {
        for_each_run(a, [&](char op, std::uint64_t i, std::uint64_t j, std::uint64_t length) {
            auto const add = [length](std::string & row, std::span<std::uint8_t const> from, std::uint64_t begin,
                                      bool gap) {
                if (gap)
                    row.append(length, '-');
                else
                    row.append(reinterpret_cast<char const *>(from.data()) + begin, length);
            };
            add(query, a.query, i, op == 'D');
            add(target, a.target, j, op == 'I');
        });
    }
};

class LettersWriter : public LineWriter {
public:
    explicit LettersWriter(WriterSetup const & setup) : LineWriter(setup), maf_(setup.format.name == "maf")
    {
        if (maf_)
            out_.write(text("##maf version=1 scoring=nwgpu\n# nwgpu ", nwgpu_version_string(), ' ',
                            setup.output.command_line, "\n\n"));
    }

private:
    void append(std::string & lines, Alignment const & a) const override
    {
        if (!a.has_path || !a.good())
            return;
        Letters const letters(a);
        char const strand = a.reverse ? '-' : '+';
        if (maf_) // positions of the reverse strand count along it, as the format has it
            lines += text("a score=", a.score, "\ns ", a.target_name, ' ', a.target_begin, ' ',
                          a.target_end - a.target_begin, " + ", a.target.size(), ' ', letters.target, "\ns ",
                          a.query_name, ' ', a.query_begin, ' ', a.query_end - a.query_begin, ' ', strand, ' ',
                          a.query.size(), ' ', letters.query, "\n\n");
        else
            lines += text('>', a.query_name, ' ', a.input_query_begin(), '-', a.input_query_end(), ' ', strand, '\n',
                          letters.query, "\n>", a.target_name, ' ', a.target_begin, '-', a.target_end, " +\n",
                          letters.target, '\n');
    }

    bool const maf_;
};

} // namespace

std::unique_ptr<Writer> make_letters_writer(WriterSetup const & setup)
{
    return std::make_unique<LettersWriter>(setup);
}

} // namespace cli
