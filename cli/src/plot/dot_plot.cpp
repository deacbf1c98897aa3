// SPDX-License-Identifier: BSD-3-Clause
// The dot plot: targets along x, queries along y, a line for each alignment.  A path is drawn to within a small part
// of a pixel, so that a genome's takes some thousands of points at most.
#include "plot/axis_labels.hpp"
#include "plot/pictures.hpp"

#include "failure.hpp"
#include "plot/words.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

namespace cli {

namespace {

constexpr double tolerance = 0.05;                 // pixels
constexpr std::size_t most_titles = 20000;         // for which a pointer is told what it shows
constexpr std::array<double, 2> limits{0.95, 0.8}; // of identity, between colours
constexpr std::array<Colour, 3> forward{{{0, 82, 140}, {64, 145, 208}, {156, 198, 233}}};
constexpr std::array<Colour, 3> reverse{{{170, 60, 0}, {230, 126, 45}, {244, 190, 140}}};

std::size_t level(PlotAlignment const & a) { return a.identity() >= limits[0] ? 0 : a.identity() >= limits[1] ? 1 : 2; }

// Vertices of the path in letters of the two axes.
std::vector<Point> points_of(PlotAlignment const & a, Selection const & selection, double x_pixels, double y_pixels)
{
    double const direction = a.reverse ? -1 : 1;
    Point at{selection.targets.at(a.target, a.target_begin),
             selection.queries.at(a.query, a.reverse ? a.query_end : a.query_begin)};
    Point const end{selection.targets.at(a.target, a.target_end),
                    selection.queries.at(a.query, a.reverse ? a.query_begin : a.query_end)};
    std::vector<Point> points{at};
    double drift = 0; // from the diagonal of the last vertex, in pixels
    for_each_step(a.steps, [&](Step step, std::uint64_t letters) {
        auto const length = static_cast<double>(letters);
        if (step != Step::insertion && step != Step::deletion) {
            at.x += length;
            at.y += direction * length;
            return;
        }
        Point const before = at;
        (step == Step::insertion ? at.y : at.x) += step == Step::insertion ? direction * length : length;
        drift += step == Step::insertion ? length * y_pixels : -length * x_pixels;
        if (std::abs(drift) > tolerance) {
            points.push_back(before);
            points.push_back(at);
            drift = 0;
        }
    });
    points.push_back(end);
    return points;
}

// What a pointer above its line is told.
std::string hint_of(PlotAlignment const & a, Picture const & picture)
{
    return text(picture.queries[a.query].name, ":", with_commas(a.query_begin + 1), "-", with_commas(a.query_end),
                a.reverse ? " (-)" : " (+)", "\n", picture.targets[a.target].name, ":", with_commas(a.target_begin + 1),
                "-", with_commas(a.target_end), "\n", percent(a.equal, a.columns), " of ", with_commas(a.columns),
                " columns", a.score ? text(", score ", *a.score) : "");
}

// A row for each strand that there is.
void draw_legend(Canvas & canvas, double right, double y, bool any_reverse)
{
    std::array<char const *, 3> const shares{"\u2265 95 %", "80 to 95 %", "< 80 % identity"};
    for (int strand = 0; strand <= (any_reverse ? 1 : 0); ++strand, y += 18) {
        double x = right - 378;
        canvas.text({x, y}, strand == 0 ? "forward" : "reverse", {.size = 12});
        x += 62;
        for (std::size_t i = 0; i < shares.size(); ++i) {
            canvas.rectangle({x, y - 7, 22, 4}, strand == 0 ? forward[i] : reverse[i]);
            canvas.text({x + 28, y}, shares[i], {.size = 12});
            x += i == 0 ? 88 : 110;
        }
    }
}

std::string summary(Picture const & picture, Selection const & selection)
{
    std::uint64_t equal = 0, columns = 0;
    for (PlotAlignment const * const a : selection.alignments) {
        equal += a->equal;
        columns += a->columns;
    }
    return text(counted(selection.alignments.size(), "alignment"), ", ", length_text(columns, picture.dna),
                " aligned, ", percent(equal, columns), " identity");
}

} // namespace

void draw_dot_plot(Canvas & canvas, Picture const & picture, PlotOptions const & options)
{
    Selection const selection = select(picture, options);
    auto const [width, height] = picture_size(options, 1000, 1000);
    Box const box{100, 78, width - 130, height - 150};
    if (box.width < 50 || box.height < 50)
        throw Failure("--size: too small for a dot plot");
    double const x_pixels = box.width / selection.targets.length(), y_pixels = box.height / selection.queries.length();
    auto drawn = selection.alignments;
    std::ranges::stable_sort(drawn, std::ranges::greater(), &PlotAlignment::columns);

    canvas.text({box.x, 30}, title_of(picture, selection, options), {.size = 18, .bold = true});
    canvas.text({box.x, 52}, summary(picture, selection), {.size = 12, .colour = grey});
    bool const any_reverse = std::ranges::any_of(drawn, &PlotAlignment::reverse);
    draw_legend(canvas, box.x + box.width, any_reverse ? 48 : 66, any_reverse);
    canvas.begin_axes();
    draw_target_axis(canvas, box, selection.targets, picture.targets, picture.dna);
    draw_query_axis(canvas, box, selection.queries, picture.queries, picture.dna);
    canvas.end_axes();
    canvas.begin_area(box, {0, 0, selection.targets.length(), selection.queries.length()});
    for (PlotAlignment const * const a : drawn)
        canvas.path(points_of(*a, selection, x_pixels, y_pixels), (a->reverse ? reverse : forward)[level(*a)], 2.2,
                    drawn.size() <= most_titles ? hint_of(*a, picture) : "");
    canvas.end_area();
    draw_frame(canvas, box);
    canvas.zoomable(axes_as_json(selection, picture));
}

} // namespace cli
