// SPDX-License-Identifier: BSD-3-Clause
// Regions are written as samtools has them, NAME:BEGIN-END, from 1 on, both included.
#include "plot/selection.hpp"

#include "failure.hpp"
#include "plot/words.hpp"

#include <algorithm>
#include <charconv>
#include <optional>

namespace cli {

namespace {

struct Region {
    std::uint64_t sequence, begin, end;
};

std::optional<std::uint64_t> position(std::string given)
{
    std::erase(given, ',');
    std::uint64_t value = 0;
    auto const [end, error] = std::from_chars(given.data(), given.data() + given.size(), value);
    return error == std::errc() && end == given.data() + given.size() && value > 0 ? std::optional(value)
                                                                                   : std::nullopt;
}

std::optional<Region> region(std::vector<PlotSequence> const & sequences, std::string const & given, char const * what)
{
    if (given.empty())
        return std::nullopt;
    auto const find = [&](std::string const & name) {
        return static_cast<std::uint64_t>(std::ranges::find(sequences, name, &PlotSequence::name) - sequences.begin());
    };
    if (std::uint64_t const whole = find(given); whole < sequences.size())
        return Region{whole, 0, sequences[whole].length};
    std::size_t const colon = given.rfind(':');
    std::string const name = given.substr(0, colon);
    std::uint64_t const sequence = find(name);
    if (sequence == sequences.size())
        throw Failure(text("--", what, "-region ", given, ": no alignment has a ", what, " named '", name, "'"));
    std::string const range = colon == given.npos ? "" : given.substr(colon + 1);
    std::size_t const dash = range.find('-');
    auto const begin = position(range.substr(0, dash));
    auto const end = dash == range.npos ? std::nullopt : position(range.substr(dash + 1));
    std::uint64_t const length = sequences[sequence].length;
    if (!begin || !end || *begin > *end || *begin > length)
        throw Failure(text("--", what, "-region ", given, ": must be NAME:BEGIN-END with 1 <= BEGIN <= END, and '",
                           name, "' has ", length, " letters"));
    return Region{sequence, *begin - 1, std::min(*end, length)};
}

bool overlaps(std::optional<Region> const & wanted, std::uint64_t sequence, std::uint64_t begin, std::uint64_t end)
{
    return !wanted || (wanted->sequence == sequence && begin < wanted->end && end > wanted->begin);
}

// The sequences of the alignments, in the order of the input.
std::vector<std::uint64_t> used(std::vector<PlotAlignment const *> const & alignments,
                                std::uint64_t PlotAlignment::*sequence)
{
    std::vector<std::uint64_t> all;
    for (PlotAlignment const * const a : alignments)
        all.push_back(a->*sequence);
    std::ranges::sort(all);
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
}

// Queries by where on the targets the middle of the longest alignment of each lies.
void order_by_place(std::vector<std::uint64_t> & queries, std::vector<PlotAlignment const *> const & alignments,
                    std::uint64_t count)
{
    std::vector<PlotAlignment const *> longest(count, nullptr);
    for (PlotAlignment const * const a : alignments)
        if (auto & best = longest[a->query]; best == nullptr || a->columns > best->columns)
            best = a;
    std::ranges::stable_sort(queries, {}, [&](std::uint64_t query) {
        PlotAlignment const & a = *longest[query];
        return std::pair(a.target, a.target_begin + a.target_end);
    });
}

Axis make_axis(std::vector<PlotSequence> const & sequences, std::vector<std::uint64_t> const & order,
               std::optional<Region> const & wanted)
{
    Axis axis;
    for (std::uint64_t const sequence : order)
        axis.add(sequence, wanted ? wanted->begin : 0,
                 wanted ? wanted->end - wanted->begin : std::max<std::uint64_t>(sequences[sequence].length, 1));
    return axis;
}

} // namespace

void Axis::add(std::uint64_t sequence, std::uint64_t begin, std::uint64_t length)
{
    part_.resize(std::max<std::size_t>(part_.size(), sequence + 1), none);
    part_[sequence] = parts_.size();
    parts_.push_back({sequence, begin, length, length_});
    length_ += length;
}

double Axis::at(std::uint64_t sequence, std::uint64_t position) const
{
    Part const & part = parts_[part_of(sequence)];
    return static_cast<double>(part.offset) + static_cast<double>(position) - static_cast<double>(part.begin);
}

Selection select(Picture const & picture, PlotOptions const & options)
{
    auto const query_region = region(picture.queries, options.query_region, "query");
    auto const target_region = region(picture.targets, options.target_region, "target");
    Selection selection;
    for (PlotAlignment const & a : picture.alignments)
        if (a.columns >= options.min_length && overlaps(query_region, a.query, a.query_begin, a.query_end) &&
            overlaps(target_region, a.target, a.target_begin, a.target_end))
            selection.alignments.push_back(&a);
    if (selection.alignments.empty())
        throw Failure(picture.alignments.empty()
                          ? "there is no alignment to draw"
                          : "no alignment is left to draw: see --min-length, --query-region and --target-region");
    auto queries = used(selection.alignments, &PlotAlignment::query);
    if (options.order != "file")
        order_by_place(queries, selection.alignments, picture.queries.size());
    selection.queries = make_axis(picture.queries, queries, query_region);
    selection.targets = make_axis(picture.targets, used(selection.alignments, &PlotAlignment::target), target_region);
    return selection;
}

PlotAlignment const & chosen_alignment(Picture const & picture, Selection const & selection,
                                       PlotOptions const & options)
{
    if (options.alignment > picture.alignments.size())
        throw Failure(text("--alignment ", options.alignment, ": there are ", picture.alignments.size()));
    if (options.alignment > 0)
        return picture.alignments[options.alignment - 1];
    return **std::ranges::max_element(selection.alignments, {}, &PlotAlignment::columns);
}

std::string title_of(Picture const & picture, Selection const & selection, PlotOptions const & options)
{
    if (!options.title.empty())
        return options.title;
    auto const side = [](std::vector<PlotSequence> const & sequences, Axis const & axis, char const * noun) {
        return axis.parts().size() == 1 ? sequences[axis.parts()[0].sequence].name : counted(axis.parts().size(), noun);
    };
    std::string const names = side(picture.queries, selection.queries, "query") + " \u00d7 " +
                              side(picture.targets, selection.targets, "target");
    return names.size() <= 90 ? names : names.substr(0, 87) + "...";
}

} // namespace cli
