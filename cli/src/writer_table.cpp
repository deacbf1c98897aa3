// SPDX-License-Identifier: BSD-3-Clause
// tsv: one line a pair under a header, `*` for what was not computed.  m8: BLAST's columns, without a header.  json:
// one object a line.  cigar: one CIGAR a line, nothing else.
#include "columns.hpp"
#include "failure.hpp"
#include "line_writer.hpp"

#include <cstdio>

namespace cli {

namespace {

constexpr std::size_t terminal_letters = 60; // of a cell; more are for files

class TsvWriter : public LineWriter {
public:
    explicit TsvWriter(WriterSetup const & setup) :
        LineWriter(setup), strands_(setup.both_strands), circular_(setup.circular), cut_(out_.terminal())
    {
        out_.write("query\ttarget\tstatus\tscore\tquery_begin\tquery_end\ttarget_begin\ttarget_end\tcigar");
        out_.write(text(strands_ ? "\tstrand" : "", circular_ ? "\trotation\n" : "\n"));
    }

private:
    void append(std::string & line, Alignment const & a) const override
    {
        append_text(line, a.query_name, '\t', a.target_name, '\t');
        append_status(line, a);
        if (a.ok())
            append_text(line, '\t', a.score, '\t');
        else
            line += "\t*\t";
        if (a.has_path) {
            append_text(line, a.input_query_begin(), '\t', a.input_query_end(), '\t', a.target_begin, '\t',
                        a.target_end, '\t');
            std::size_t const begin = line.size();
            append_cigar(line, a);
            if (cut_ && line.size() - begin > terminal_letters)
                line.replace(begin + terminal_letters, std::string::npos, "...");
        } else {
            line += "*\t*\t*\t*\t*";
        }
        if (strands_)
            line += a.reverse ? "\t-" : "\t+";
        if (circular_)
            append_text(line, '\t', a.rotation.value_or(0));
        line += '\n';
    }

    bool const strands_, circular_, cut_;
};

class ColumnsWriter : public LineWriter {
public:
    ColumnsWriter(WriterSetup const & setup, std::vector<std::string> const & names, bool header) :
        LineWriter(setup),
        columns_(names, LetterEquality(setup.scoring.alphabet().dna())),
        only_good_(!header),
        cut_(out_.terminal())
    {
        std::string line;
        for (std::string const & name : names)
            line += (line.empty() ? "" : "\t") + name;
        if (header)
            out_.write(line + '\n');
    }

private:
    void append(std::string & line, Alignment const & a) const override
    {
        if (only_good_ && !(a.has_path && a.good()))
            return;
        for (Cell const & cell : columns_.cells(a)) {
            bool const cut = cut_ && cell.text.size() > terminal_letters;
            line += (cut ? cell.text.substr(0, terminal_letters) + "..." : cell.text) + '\t';
        }
        line.back() = '\n';
    }

    Columns columns_;
    bool const only_good_; // m8 has no column that tells of a failure
    bool const cut_;
};

class JsonWriter : public LineWriter {
public:
    JsonWriter(WriterSetup const & setup, std::vector<std::string> const & names) :
        LineWriter(setup), columns_(names, LetterEquality(setup.scoring.alphabet().dna()))
    {}

private:
    void append(std::string & line, Alignment const & a) const override
    {
        std::size_t i = 0;
        for (Cell const & cell : columns_.cells(a)) {
            line += (i == 0 ? "{\"" : ",\"") + columns_.names()[i] + "\":";
            line += cell.missing ? "null" : cell.number ? cell.text : quoted(cell.text);
            ++i;
        }
        line += "}\n";
    }

    static std::string quoted(std::string const & value)
    {
        std::string out = "\"";
        for (char const letter : value) {
            auto const byte = static_cast<unsigned char>(letter);
            char escaped[8];
            std::snprintf(escaped, sizeof escaped,
                          byte < 0x20                   ? "\\u%04x"
                          : byte == '"' || byte == '\\' ? "\\%c"
                                                        : "%c",
                          byte);
            out += escaped;
        }
        return out + '"';
    }

    Columns columns_;
};

class CigarWriter : public LineWriter {
public:
    using LineWriter::LineWriter;

private:
    void append(std::string & line, Alignment const & a) const override
    {
        if (a.good())
            append_cigar(line, a);
        else
            line += '*';
        line += '\n';
    }
};

std::vector<std::string> const json_columns{"query",       "target",     "status",       "score",      "strand",
                                            "query_begin", "query_end",  "target_begin", "target_end", "cigar",
                                            "matches",     "mismatches", "gap_openings", "gaps",       "identity"};

} // namespace

std::unique_ptr<Writer> make_table_writer(WriterSetup const & setup)
{
    std::vector<std::string> const & columns = setup.output.columns;
    if (setup.format.name == "cigar")
        return std::make_unique<CigarWriter>(setup);
    if (setup.format.name == "m8")
        return std::make_unique<ColumnsWriter>(setup, blast_columns(), false);
    if (setup.format.name == "json") {
        std::vector<std::string> names = columns.empty() ? json_columns : columns;
        if (columns.empty() && setup.circular)
            names.emplace_back("rotation");
        return std::make_unique<JsonWriter>(setup, names);
    }
    if (!columns.empty())
        return std::make_unique<ColumnsWriter>(setup, columns, true);
    return std::make_unique<TsvWriter>(setup);
}

} // namespace cli
