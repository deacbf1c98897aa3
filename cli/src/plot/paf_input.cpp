// SPDX-License-Identifier: BSD-3-Clause
// PAF: 12 columns, and the tags cg, cs and AS.  cs, which has the letters that differ, is taken before cg.
#include "plot/file_input.hpp"

#include "failure.hpp"
#include "line_source.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>

namespace cli {

namespace {

template <typename Number>
Number number_of(std::string_view field)
{
    Number value{};
    auto const [end, error] = std::from_chars(field.data(), field.data() + field.size(), value);
    if (error != std::errc() || end != field.data() + field.size())
        throw Failure(text("'", field.substr(0, 20), "' is not a number"));
    return value;
}

std::vector<std::string_view> split(std::string_view line)
{
    std::vector<std::string_view> fields;
    for (std::size_t at = 0; at <= line.size();) {
        std::size_t const end = std::min(line.find('\t', at), line.size());
        fields.push_back(line.substr(at, end - at));
        at = end + 1;
    }
    return fields;
}

void read_cigar(std::string_view cigar, PathReader & path)
{
    while (!cigar.empty()) {
        std::size_t const digits = std::min(cigar.find_first_not_of("0123456789"), cigar.size());
        if (digits == cigar.size() || std::string_view("M=XIDN").find(cigar[digits]) == std::string_view::npos)
            throw Failure("cg is not a CIGAR");
        path.run(cigar[digits], number_of<std::uint64_t>(cigar.substr(0, digits)));
        cigar.remove_prefix(digits + 1);
    }
}

// Letters of the query go to `letters`.
void read_cs(std::string_view cs, StepList & steps, std::string & letters)
{
    auto const keep = [&](std::string_view piece) {
        for (char const letter : piece)
            letters += static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
    };
    while (!cs.empty()) {
        char const op = cs[0];
        std::size_t const end = std::min(cs.find_first_of(":*+-=~", 1), cs.size());
        std::string_view const piece = cs.substr(1, end - 1);
        if (op == ':') {
            steps.add(Step::equal, number_of<std::uint64_t>(piece));
        } else if (op == '=') {
            steps.add(Step::equal, piece.size());
        } else if (op == '*' && piece.size() == 2) {
            steps.add(Step::different, 1);
            keep(piece.substr(1));
        } else if (op == '+') {
            steps.add(Step::insertion, piece.size());
            keep(piece);
        } else if (op == '-') {
            steps.add(Step::deletion, piece.size());
        } else if (op == '~' && piece.size() > 4) { // an intron: gt123ag
            steps.add(Step::deletion, number_of<std::uint64_t>(piece.substr(2, piece.size() - 4)));
        } else {
            throw Failure("cs is damaged");
        }
        cs.remove_prefix(end);
    }
}

class PafLine {
public:
    PafLine(std::string_view line, KnownLetters const & letters, PictureBuilder & into) : letters_(letters), into_(into)
    {
        fields_ = split(line);
        if (fields_.size() < 12 || (fields_[4] != "+" && fields_[4] != "-"))
            throw Failure("not a line of PAF: 12 columns with tabs, the fifth + or -");
        for (std::string_view const field : std::span(fields_).subspan(12))
            if (field.starts_with("cg:Z:"))
                cigar_ = field.substr(5);
            else if (field.starts_with("cs:Z:"))
                cs_ = field.substr(5);
            else if (field.starts_with("AS:i:"))
                made_.score = number_of<std::int64_t>(field.substr(5));
    }

    void add(LetterEquality const & equal)
    {
        std::uint64_t const query_length = number(1), target_length = number(6);
        made_.query_begin = number(2);
        made_.query_end = number(3);
        made_.target_begin = number(7);
        made_.target_end = number(8);
        if (made_.query_begin > made_.query_end || made_.query_end > query_length ||
            made_.target_begin > made_.target_end || made_.target_end > target_length)
            throw Failure("a position is beyond the end of its sequence, or ends before it begins");
        made_.reverse = fields_[4] == "-";
        made_.equal = number(9);
        made_.columns = number(10);
        if (made_.columns == 0)
            return;
        made_.query = into_.query(fields_[0], query_length);
        made_.target = into_.target(fields_[5], target_length);
        std::string_view const target = letters_.targets.letters(fields_[5], target_length);
        into_.set_target_letters(made_.target, target);
        if (!cs_.empty())
            add_cs();
        else if (!cigar_.empty())
            add_cigar(equal, target);
        into_.add(std::move(made_));
    }

private:
    std::uint64_t number(std::size_t field) const { return number_of<std::uint64_t>(fields_[field]); }

    void add_cs()
    {
        StepList steps;
        read_cs(cs_, steps, made_.letters);
        steps.finish(made_);
        std::uint64_t query = made_.query_end - made_.query_begin, target = made_.target_end - made_.target_begin;
        for_each_step(made_.steps, [&](Step step, std::uint64_t length) {
            query -= step != Step::deletion ? length : 0;
            target -= step != Step::insertion ? length : 0;
        });
        if (query != 0 || target != 0)
            throw Failure("cs does not fit the positions");
        if (!into_.keep_letters())
            made_.letters.clear();
    }

    void add_cigar(LetterEquality const & equal, std::string_view target)
    {
        std::string_view const whole = letters_.queries.letters(fields_[0], number(1));
        std::string_view part =
            whole.empty() ? whole : whole.substr(made_.query_begin, made_.query_end - made_.query_begin);
        std::string reversed;
        if (made_.reverse)
            part = reversed = reverse_complement(part);
        PathReader path(made_, equal, part,
                        target.empty() ? target
                                       : target.substr(made_.target_begin, made_.target_end - made_.target_begin),
                        into_.keep_letters());
        read_cigar(cigar_, path);
        path.finish();
    }

    KnownLetters const & letters_;
    PictureBuilder & into_;
    std::vector<std::string_view> fields_;
    std::string_view cigar_, cs_;
    PlotAlignment made_;
};

} // namespace

void read_paf(std::string const & path, hFILE * bytes, KnownLetters const & letters, PictureBuilder & into)
{
    LineSource lines(path, bytes);
    LetterEquality const equal(into.dna());
    std::string_view line;
    while (lines.next(line)) {
        if (line.empty())
            continue;
        try {
            PafLine(line, letters, into).add(equal);
        } catch (Failure const & failure) {
            throw Failure(text(path, ":", lines.line_number(), ": ", failure.what()));
        }
    }
}

} // namespace cli
