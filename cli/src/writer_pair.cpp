// SPDX-License-Identifier: BSD-3-Clause
// pair: alignments to read, in the layout of EMBOSS needle and water (srspair), which other programs parse.
// Only the aligned part is shown, with its positions; failed pairs have no entry.
#include "failure.hpp"
#include "text_output.hpp"
#include "writer.hpp"

#include <algorithm>
#include <cstdio>

namespace cli {

namespace {

// One of the two rows of letters, printed piece by piece.
class Row {
public:
    // name_width: letters of the column of names.
    Row(std::string_view name, std::size_t name_width, std::uint64_t length, std::uint64_t begin, bool reverse) :
        name_(name.substr(0, name_width)),
        name_width_(name_width),
        length_(length),
        next_(begin),
        first_(begin),
        reverse_(reverse)
    {}

    void add(char letter)
    {
        letters_ += letter;
        next_ += letter != '-';
    }

    std::string print(std::size_t width)
    {
        // A line of nothing but gaps repeats the last position, as EMBOSS does.
        std::uint64_t const begin = first_ + (next_ > first_);
        std::string line = text(name_, std::string(name_width_ - name_.size() + 1, ' '), position(begin, width), ' ',
                                letters_, ' ', position(next_, width), '\n');
        first_ = next_;
        letters_.clear();
        return line;
    }

private:
    std::string position(std::uint64_t consumed, std::size_t width) const
    {
        std::string const number = std::to_string(reverse_ ? length_ - consumed + 1 : consumed);
        return std::string(width - std::min(width, number.size()), ' ') + number;
    }

    std::string_view name_;
    std::size_t name_width_;
    std::uint64_t length_, next_, first_; // letters consumed: up to now, before this line
    bool reverse_;
    std::string letters_;
};

class PairWriter : public Writer {
public:
    explicit PairWriter(WriterSetup const & setup) :
        out_(setup.output.path, setup.format, setup.threads),
        scoring_(setup.scoring),
        equal_(setup.scoring.alphabet().dna()),
        line_width_(setup.output.width),
        name_width_(setup.output.name_width)
    {
        std::string const bar(40, '#');
        out_.write(text(bar, "\n# Program: nwgpu ", nwgpu_version_string(),
                        "\n# Commandline: ", setup.output.command_line, "\n# Align_format: srspair\n# Report_file: ",
                        setup.output.path == "-" ? "stdout" : setup.output.path, "\n", bar, "\n"));
    }

    void write(Alignment const & a) override
    {
        if (!a.has_path || !a.good())
            return;
        write_head(a);
        write_letters(a);
    }

    void flush() override { out_.flush(); }

    void close() override
    {
        std::string const line = "#" + std::string(39, '-') + "\n";
        out_.write("\n" + line + line);
        out_.close();
    }

private:
    void write_head(Alignment const & a)
    {
        PathCounts const counts = count_path(a, equal_);
        std::uint64_t similar = 0;
        for_each_column(a, [&](char op, std::uint64_t query, std::uint64_t target) {
            similar += op == 'M' && is_similar(a.query[query], a.target[target]);
        });
        nwgpu_scoring const & costs = scoring_.values();
        std::string const line = "#" + std::string(39, '=') + "\n";
        std::string const matrix = scoring_.matrix_name().empty()
                                       ? text("match ", costs.match, " mismatch ", -costs.mismatch)
                                       : scoring_.matrix_name();
        // EMBOSS counts the first letter of a gap in its Gap_penalty.
        out_.write(text("\n", line, "#\n# Aligned_sequences: 2\n# 1: ", a.query_name, "\n# 2: ", a.target_name,
                        "\n# Matrix: ", matrix,
                        "\n# Gap_penalty: ", points(std::int64_t{costs.gap_open} + costs.gap_extend),
                        "\n# Extend_penalty: ", points(costs.gap_extend), "\n#\n# Length: ", counts.columns(), "\n"));
        write_share("Identity:", 8, counts.equal, counts.columns());
        write_share("Similarity:", 6, similar, counts.columns());
        write_share("Gaps:", 12, counts.inserted + counts.deleted, counts.columns());
        out_.write(text("# Score: ", points(a.score), "\n#\n#\n", line, '\n'));
    }

    // In points of the matrix, "9.5".
    std::string points(std::int64_t ours) const
    {
        char number[32];
        std::snprintf(number, sizeof number, "%.1f", static_cast<double>(ours) / scoring_.scale());
        return number;
    }

    void write_share(char const * name, int width, std::uint64_t part, std::uint64_t all)
    {
        char line[128];
        std::snprintf(line, sizeof line, "# %s%*llu/%llu (%4.1f%%)\n", name, width,
                      static_cast<unsigned long long>(part), static_cast<unsigned long long>(all),
                      all == 0 ? 0.0 : 100.0 * static_cast<double>(part) / static_cast<double>(all));
        out_.write(line);
    }

    void write_letters(Alignment const & a)
    {
        std::size_t const names =
            name_width_ > 0 ? name_width_ : std::max({std::size_t{13}, a.query_name.size(), a.target_name.size()});
        Row query(a.query_name, names, a.query.size(), a.query_begin, a.reverse);
        Row target(a.target_name, names, a.target.size(), a.target_begin, false);
        std::string marks;
        std::size_t const width =
            std::max<std::size_t>(6, std::to_string(std::max(a.query.size(), a.target.size())).size());
        auto const print = [&] {
            if (marks.empty())
                return;
            std::string const first = query.print(width);
            out_.write(first + std::string(names + width + 2, ' ') + marks + "\n" + target.print(width) + "\n");
            marks.clear();
        };
        for_each_column(a, [&](char op, std::uint64_t i, std::uint64_t j) {
            query.add(op == 'D' ? '-' : static_cast<char>(a.query[i]));
            target.add(op == 'I' ? '-' : static_cast<char>(a.target[j]));
            marks += op != 'M'                             ? ' '
                     : equal_(a.query[i], a.target[j])     ? '|'
                     : is_similar(a.query[i], a.target[j]) ? ':'
                                                           : '.';
            if (marks.size() == line_width_)
                print();
        });
        print();
    }

    bool is_similar(std::uint8_t query, std::uint8_t target) const
    {
        return equal_(query, target) || scoring_.pair_score(query, target) > 0;
    }

    TextOutput out_;
    Scoring const & scoring_;
    LetterEquality const equal_;
    std::size_t const line_width_, name_width_;
};

} // namespace

std::unique_ptr<Writer> make_pair_writer(WriterSetup const & setup) { return std::make_unique<PairWriter>(setup); }

} // namespace cli
