// SPDX-License-Identifier: BSD-3-Clause
// fasta: the two aligned sequences with their gaps.  maf: the same as blocks, target first.  Only the aligned part is
// shown; failed pairs have no entry.
#include "failure.hpp"
#include "text_output.hpp"
#include "writer.hpp"

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

class LettersWriter : public Writer {
public:
    explicit LettersWriter(WriterSetup const & setup) :
        out_(setup.output.path, setup.format.bgzf, setup.threads), maf_(setup.format.name == "maf")
    {
        if (maf_)
            out_.write(text("##maf version=1 scoring=nwgpu\n# nwgpu ", nwgpu_version_string(), ' ',
                            setup.output.command_line, "\n\n"));
    }

    void write(Alignment const & a) override
    {
        if (!a.has_path || !a.good())
            return;
        Letters const letters(a);
        char const strand = a.reverse ? '-' : '+';
        if (maf_) // positions of the reverse strand count along it, as the format has it
            out_.write(text("a score=", a.score, "\ns ", a.target_name, ' ', a.target_begin, ' ',
                            a.target_end - a.target_begin, " + ", a.target.size(), ' ', letters.target, "\ns ",
                            a.query_name, ' ', a.query_begin, ' ', a.query_end - a.query_begin, ' ', strand, ' ',
                            a.query.size(), ' ', letters.query, "\n\n"));
        else
            out_.write(text('>', a.query_name, ' ', a.input_query_begin(), '-', a.input_query_end(), ' ', strand, '\n',
                            letters.query, "\n>", a.target_name, ' ', a.target_begin, '-', a.target_end, " +\n",
                            letters.target, '\n'));
    }

    void flush() override { out_.flush(); }
    void close() override { out_.close(); }

private:
    TextOutput out_;
    bool const maf_;
};

} // namespace

std::unique_ptr<Writer> make_letters_writer(WriterSetup const & setup)
{
    return std::make_unique<LettersWriter>(setup);
}

} // namespace cli
