// SPDX-License-Identifier: BSD-3-Clause
// tsv: one line a pair under a header, `*` for what was not computed.  cigar: one CIGAR a line, nothing else.
#include "failure.hpp"
#include "text_output.hpp"
#include "writer.hpp"

namespace cli {

namespace {

class TsvWriter : public Writer {
public:
    explicit TsvWriter(WriterSetup const & setup) :
        out_(setup.output.path, setup.format.bgzf, setup.threads), strands_(setup.both_strands)
    {
        out_.write("query\ttarget\tstatus\tscore\tquery_begin\tquery_end\ttarget_begin\ttarget_end\tcigar");
        out_.write(strands_ ? "\tstrand\n" : "\n");
    }

    void write(Alignment const & a) override
    {
        std::string line = text(a.query_name, '\t', a.target_name, '\t', status_text(a), '\t');
        line += a.ok() ? text(a.score, '\t') : "*\t";
        if (a.has_path)
            line += text(a.input_query_begin(), '\t', a.input_query_end(), '\t', a.target_begin, '\t', a.target_end,
                         '\t', nwgpu::to_string(a.cigar));
        else
            line += "*\t*\t*\t*\t*";
        if (strands_)
            line += a.reverse ? "\t-" : "\t+";
        out_.write(line += '\n');
    }

    void flush() override { out_.flush(); }
    void close() override { out_.close(); }

private:
    TextOutput out_;
    bool const strands_;
};

class CigarWriter : public Writer {
public:
    explicit CigarWriter(WriterSetup const & setup) : out_(setup.output.path, setup.format.bgzf, setup.threads) {}

    void write(Alignment const & a) override { out_.write((a.good() ? nwgpu::to_string(a.cigar) : "*") + '\n'); }
    void flush() override { out_.flush(); }
    void close() override { out_.close(); }

private:
    TextOutput out_;
};

} // namespace

std::unique_ptr<Writer> make_table_writer(WriterSetup const & setup)
{
    if (setup.format.name == "cigar")
        return std::make_unique<CigarWriter>(setup);
    return std::make_unique<TsvWriter>(setup);
}

} // namespace cli
