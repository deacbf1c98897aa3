// SPDX-License-Identifier: BSD-3-Clause
// One line for each column; BLAST's names stand beside ours.
#include "columns.hpp"

#include "failure.hpp"

#include <nwgpu/nwgpu.hpp>

#include <algorithm>
#include <array>
#include <cstdio>

namespace cli {

namespace {

enum class Needs { nothing, score, path, counts };

struct Column {
    std::string_view name;
    Needs needs;
    bool number;
    std::string (*text)(Alignment const &, PathCounts const &);
};

std::string share(std::uint64_t part, std::uint64_t all, double times, char const * form)
{
    char number[32];
    std::snprintf(number, sizeof number, form,
                  all == 0 ? 0.0 : times * static_cast<double>(part) / static_cast<double>(all));
    return number;
}

using A = Alignment;
using P = PathCounts;
constexpr auto of_query = [](A const & a, P const &) { return std::string(a.query_name); };
constexpr auto of_target = [](A const & a, P const &) { return std::string(a.target_name); };
constexpr auto score = [](A const & a, P const &) { return std::to_string(a.score); };
constexpr auto query_length = [](A const & a, P const &) { return std::to_string(a.query.size()); };
constexpr auto target_length = [](A const & a, P const &) { return std::to_string(a.target.size()); };
constexpr auto matches = [](A const &, P const & p) { return std::to_string(p.equal); };
constexpr auto mismatches = [](A const &, P const & p) { return std::to_string(p.different); };
constexpr auto gap_letters = [](A const &, P const & p) { return std::to_string(p.inserted + p.deleted); };
constexpr auto gap_openings = [](A const &, P const & p) { return std::to_string(p.gaps); };
constexpr auto columns = [](A const &, P const & p) { return std::to_string(p.columns()); };

constexpr std::array table{
    Column{"query", Needs::nothing, false, of_query},
    Column{"target", Needs::nothing, false, of_target},
    Column{"status", Needs::nothing, false, [](A const & a, P const &) { return status_text(a); }},
    Column{"score", Needs::score, true, score},
    Column{"query_begin", Needs::path, true,
           [](A const & a, P const &) { return std::to_string(a.input_query_begin()); }},
    Column{"query_end", Needs::path, true, [](A const & a, P const &) { return std::to_string(a.input_query_end()); }},
    Column{"target_begin", Needs::path, true, [](A const & a, P const &) { return std::to_string(a.target_begin); }},
    Column{"target_end", Needs::path, true, [](A const & a, P const &) { return std::to_string(a.target_end); }},
    Column{"cigar", Needs::path, false, [](A const & a, P const &) { return nwgpu::to_string(a.cigar); }},
    Column{"strand", Needs::nothing, false, [](A const & a, P const &) { return std::string(a.reverse ? "-" : "+"); }},
    Column{"identity", Needs::counts, true,
           [](A const &, P const & p) { return share(p.equal, p.columns(), 1, "%.6f"); }},
    Column{"matches", Needs::counts, true, matches},
    Column{"mismatches", Needs::counts, true, mismatches},
    Column{"gaps", Needs::counts, true, gap_letters},
    Column{"gap_openings", Needs::counts, true, gap_openings},
    Column{"columns", Needs::counts, true, columns},
    Column{"edits", Needs::counts, true, [](A const &, P const & p) { return std::to_string(p.edits()); }},
    Column{"aligned_query", Needs::path, true,
           [](A const & a, P const &) { return std::to_string(a.query_end - a.query_begin); }},
    Column{"aligned_target", Needs::path, true,
           [](A const & a, P const &) { return std::to_string(a.target_end - a.target_begin); }},
    Column{"query_length", Needs::nothing, true, query_length},
    Column{"target_length", Needs::nothing, true, target_length},
    Column{"query_coverage", Needs::path, true,
           [](A const & a, P const &) { return share(a.query_end - a.query_begin, a.query.size(), 1, "%.6f"); }},
    Column{"target_coverage", Needs::path, true,
           [](A const & a, P const &) { return share(a.target_end - a.target_begin, a.target.size(), 1, "%.6f"); }},
    Column{"score_per_column", Needs::counts, true,
           [](A const & a, P const & p) {
               char number[32];
               std::snprintf(number, sizeof number, "%.4f",
                             static_cast<double>(a.score) /
                                 static_cast<double>(std::max<std::uint64_t>(p.columns(), 1)));
               return std::string(number);
           }},
    Column{"rotation", Needs::nothing, true,
           [](A const & a, P const &) { return std::to_string(a.rotation.value_or(0)); }},
    Column{"cs", Needs::path, false, nullptr}, // it needs to know which letters are equal
    Column{"qseqid", Needs::nothing, false, of_query},
    Column{"sseqid", Needs::nothing, false, of_target},
    Column{"pident", Needs::counts, true,
           [](A const &, P const & p) { return share(p.equal, p.columns(), 100, "%.3f"); }},
    Column{"length", Needs::counts, true, columns},
    Column{"nident", Needs::counts, true, matches},
    Column{"mismatch", Needs::counts, true, mismatches},
    Column{"gapopen", Needs::counts, true, gap_openings},
    Column{"qstart", Needs::path, true,
           [](A const & a, P const &) { return std::to_string(a.input_query_begin() + 1); }},
    Column{"qend", Needs::path, true, [](A const & a, P const &) { return std::to_string(a.input_query_end()); }},
    // On the reverse strand BLAST counts the subject down.
    Column{"sstart", Needs::path, true,
           [](A const & a, P const &) { return std::to_string(a.reverse ? a.target_end : a.target_begin + 1); }},
    Column{"send", Needs::path, true,
           [](A const & a, P const &) { return std::to_string(a.reverse ? a.target_begin + 1 : a.target_end); }},
    // There is no data base whose size it could tell of.
    Column{"evalue", Needs::path, false, [](A const &, P const &) { return std::string("nan"); }},
    Column{"bitscore", Needs::score, true, score},
    Column{"qlen", Needs::nothing, true, query_length},
    Column{"slen", Needs::nothing, true, target_length},
};

} // namespace

Columns::Columns(std::vector<std::string> const & names, LetterEquality const & equal) : equal_(equal), names_(names)
{
    for (std::string const & name : names_) {
        auto const found = std::ranges::find(table, name, &Column::name);
        if (found == table.end()) {
            std::string known;
            for (Column const & column : table)
                known += text(" ", column.name);
            throw Failure(text("--columns ", name, ": there is no such column; there are", known));
        }
        which_.push_back(static_cast<std::size_t>(found - table.begin()));
        counts_ |= found->needs == Needs::counts;
    }
}

std::vector<Cell> Columns::cells(Alignment const & a) const
{
    PathCounts const counts = counts_ && a.has_path ? count_path(a, equal_) : PathCounts();
    std::vector<Cell> cells;
    cells.reserve(which_.size());
    for (std::size_t const which : which_) {
        Column const & column = table[which];
        if (column.needs != Needs::nothing && !(column.needs == Needs::score ? a.ok() : a.has_path))
            cells.push_back({"*", false, true});
        else if (column.text == nullptr)
            cells.push_back({cs_text(a, equal_)});
        else
            cells.push_back({column.text(a, counts), column.number});
    }
    return cells;
}

std::vector<std::string> blast_columns()
{
    return {"qseqid", "sseqid", "pident", "length", "mismatch", "gapopen",
            "qstart", "qend",   "sstart", "send",   "evalue",   "bitscore"};
}

} // namespace cli
