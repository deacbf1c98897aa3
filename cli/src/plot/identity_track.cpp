// SPDX-License-Identifier: BSD-3-Clause
// Along the target of one alignment, in windows: the share of equal letters, and below it what the others are.
#include "plot/axis_labels.hpp"
#include "plot/pictures.hpp"

#include "failure.hpp"
#include "plot/words.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <vector>

namespace cli {

namespace {

constexpr std::uint64_t most_windows = 500;
constexpr std::array<double, 7> lower_ends{99, 98, 95, 90, 80, 50, 0}; // of the axis of identities

struct Window {
    std::array<std::uint64_t, 4> columns{}; // by Step, all but `either`

    std::uint64_t all() const { return columns[0] + columns[1] + columns[2] + columns[3]; }
    double share(Step step) const
    {
        return 100 * static_cast<double>(columns[static_cast<std::size_t>(step)]) /
               static_cast<double>(std::max<std::uint64_t>(all(), 1));
    }
};

// Of the target between begin and end, `length` letters each; an insertion belongs to the letter after it.
std::vector<Window> windows_of(PlotAlignment const & a, std::uint64_t begin, std::uint64_t end, std::uint64_t length)
{
    std::vector<Window> windows((end - begin + length - 1) / length);
    std::uint64_t at = a.target_begin;
    for_each_step(a.steps, [&](Step step, std::uint64_t letters) {
        auto const which = static_cast<std::size_t>(step);
        if (step == Step::insertion) {
            if (at >= begin && at < end)
                windows[(at - begin) / length].columns[which] += letters;
            return;
        }
        std::uint64_t const last = std::min(at + letters, end);
        for (std::uint64_t from = std::max(at, begin); from < last;) {
            std::uint64_t const window = (from - begin) / length;
            std::uint64_t const to = std::min(last, begin + (window + 1) * length);
            windows[window].columns[which] += to - from;
            from = to;
        }
        at += letters;
    });
    return windows;
}

// The stairs between two heights per window.
template <typename Low, typename High>
std::vector<Point> outline(std::vector<Window> const & windows, double length, double end, Low low, High high)
{
    std::vector<Point> points;
    auto const from = [&](std::size_t i) { return std::min(end, length * static_cast<double>(i)); };
    for (std::size_t i = 0; i < windows.size(); ++i) {
        points.push_back({from(i), high(windows[i])});
        points.push_back({from(i + 1), high(windows[i])});
    }
    for (std::size_t i = windows.size(); i-- > 0;) {
        points.push_back({from(i + 1), low(windows[i])});
        points.push_back({from(i), low(windows[i])});
    }
    return points;
}

void draw_percents(Canvas & canvas, Box const & box, double from, double to, std::string const & what)
{
    for (int i = 0; i <= 4; ++i) {
        double const y = box.y + box.height * (1 - i / 4.0);
        char shown[32];
        std::snprintf(shown, sizeof shown, "%.4g %%", from + (to - from) * i / 4);
        canvas.line({box.x, y}, {box.x + box.width, y}, light_grey, 0.7);
        canvas.text({box.x - 8, y + 4}, shown, {.size = 11, .anchor = Label::Anchor::end});
    }
    canvas.text({box.x - 68, box.y + box.height / 2}, what,
                {.size = 12, .anchor = Label::Anchor::middle, .colour = grey, .upright = true});
}

void draw_legend(Canvas & canvas, double right, double y)
{
    struct Entry {
        Colour colour;
        char const * name;
        double width;
    };
    std::array<Entry, 3> const entries{
        {{vermilion, "mismatches", 102}, {purple, "insertions", 94}, {green, "deletions", 84}}};
    double x = right - 280;
    for (Entry const & entry : entries) {
        canvas.rectangle({x, y - 9, 12, 10}, entry.colour);
        canvas.text({x + 17, y}, entry.name, {.size = 12});
        x += entry.width;
    }
}

} // namespace

void draw_identity_track(Canvas & canvas, Picture const & picture, PlotOptions const & options)
{
    Selection const selection = select(picture, options);
    PlotAlignment const & a = chosen_alignment(picture, selection, options);
    if (!a.resolved || a.steps.empty())
        throw Failure(text("the identity along '", picture.queries[a.query].name, "' x '",
                           picture.targets[a.target].name,
                           "' is not known: the file has no = and X, no cs and no MD; give --query and --target"));
    Axis axis;
    std::uint64_t begin = a.target_begin, end = a.target_end;
    for (Axis::Part const & part : selection.targets.parts())
        if (part.sequence == a.target) {
            begin = std::max(begin, part.begin);
            end = std::min(end, part.begin + part.length);
        }
    if (begin >= end)
        throw Failure("this alignment has no letter of the target to draw");
    axis.add(a.target, begin, end - begin);
    auto const [width, height] = picture_size(options, 1000, 460);
    double const lanes = height - 172;
    Box const above{100, 78, width - 130, lanes * 0.55}, below{100, 98 + lanes * 0.55, width - 130, lanes * 0.45};
    if (width < 200 || lanes < 60)
        throw Failure("--size: too small for an identity track");

    auto const length =
        static_cast<std::uint64_t>(round_up(static_cast<double>(end - begin) / static_cast<double>(most_windows)));
    std::vector<Window> const windows = windows_of(a, begin, end, length);
    double least = 100, most = 0;
    for (Window const & window : windows) {
        least = std::min(least, window.share(Step::equal));
        most = std::max(most, 100 - window.share(Step::equal));
    }
    double const floor = *std::ranges::find_if(lower_ends, [&](double low) { return low <= least; });
    double const ceiling = std::min(100.0, round_up(most));
    auto const letters = static_cast<double>(end - begin), step = static_cast<double>(length);

    canvas.text({above.x, 30},
                options.title.empty() ? text(picture.queries[a.query].name, a.reverse ? " (-)" : "", " \u00d7 ",
                                             picture.targets[a.target].name)
                                      : options.title,
                {.size = 18, .bold = true});
    canvas.text({above.x, 52},
                text(percent(a.equal, a.columns), " identity in ", length_text(a.columns, picture.dna),
                     " of alignment; ",
                     length == 1 ? "each letter by itself" : text("windows of ", length_text(length, picture.dna))),
                {.size = 12, .colour = grey});
    draw_legend(canvas, above.x + above.width, 66);
    draw_percents(canvas, above, floor, 100, "identity");
    draw_percents(canvas, below, 0, ceiling, "differences");
    draw_target_axis(canvas, below, axis, picture.targets, picture.dna);

    canvas.begin_area(above, {0, floor, letters, 100 - floor});
    canvas.fill(outline(
                    windows, step, letters, [&](Window const &) { return floor; },
                    [](Window const & window) { return window.share(Step::equal); }),
                {86, 150, 200});
    canvas.end_area();
    canvas.begin_area(below, {0, 0, letters, ceiling});
    auto const stacked = [](Step last) { // the shares of the steps up to this one
        return [last](Window const & window) {
            double sum = 0;
            for (auto each = static_cast<std::uint8_t>(Step::different); each <= static_cast<std::uint8_t>(last);
                 ++each)
                sum += window.share(static_cast<Step>(each));
            return sum;
        };
    };
    canvas.fill(outline(
                    windows, step, letters, [](Window const &) { return 0.0; }, stacked(Step::different)),
                vermilion);
    canvas.fill(outline(windows, step, letters, stacked(Step::different), stacked(Step::insertion)), purple);
    canvas.fill(outline(windows, step, letters, stacked(Step::insertion), stacked(Step::deletion)), green);
    canvas.end_area();
    draw_frame(canvas, above);
    draw_frame(canvas, below);
}

} // namespace cli
