// SPDX-License-Identifier: BSD-3-Clause
// zoom.js draws the same for the part of an SVG that somebody looks at.
#include "plot/axis_labels.hpp"

#include "failure.hpp"
#include "plot/words.hpp"

#include <cmath>
#include <cstdio>
#include <functional>

namespace cli {

namespace {

constexpr double tick_distance = 70, name_size = 12, tick_size = 11; // pixels

std::string position_text(double position, double step, bool dna)
{
    char shown[32];
    double const unit = dna && step >= 100000 ? 1e6 : dna && step >= 100 && position >= 1000 ? 1e3 : 1;
    std::snprintf(shown, sizeof shown, "%.10g%s", position / unit, unit == 1e6 ? " Mb" : unit == 1e3 ? " kb" : "");
    return shown;
}

// `across`: whether the axis is the horizontal one.  place(axis position) is in pixels along it.
struct Side {
    double pixels;
    std::function<void(double place, std::string const &text)> tick, name;
    std::function<void(double place)> border;
};

void draw_side(Axis const & axis, std::vector<PlotSequence> const & names, bool dna, Side const & side)
{
    double const scale = side.pixels / axis.length();
    double const step = round_up(tick_distance / scale);
    bool const many = axis.parts().size() > 1;
    double free_from = -1e9;
    for (Axis::Part const & part : axis.parts()) {
        double const begin = static_cast<double>(part.offset) * scale;
        double const width = static_cast<double>(part.length) * scale;
        auto const first = static_cast<double>(part.begin);
        if (width >= 2 * tick_distance || !many)
            for (double at = std::ceil(first / step) * step; at <= first + static_cast<double>(part.length); at += step)
                if (!many || (at - first) * scale < width - tick_distance / 3)
                    side.tick(begin + (at - first) * scale, position_text(at, step, dna));
        if (part.offset > 0 && axis.parts().size() <= 500)
            side.border(begin);
        std::string name = names[part.sequence].name;
        if (name.size() > 40)
            name = name.substr(0, 38) + "...";
        double const middle = begin + width / 2, half = text_width(name, name_size) / 2;
        if (2 * half <= width && middle - half >= free_from) {
            side.name(middle, name);
            free_from = middle + half;
        }
    }
}

std::string described(Axis const & axis, std::vector<PlotSequence> const & names, char const * noun, bool dna)
{
    std::uint64_t letters = 0;
    for (Axis::Part const & part : axis.parts())
        letters += part.length;
    if (axis.parts().size() > 1)
        return text(counted(axis.parts().size(), noun), ", ", length_text(letters, dna));
    Axis::Part const & part = axis.parts()[0];
    std::uint64_t const whole = names[part.sequence].length;
    return text(noun, ": ",
                letters == whole ? length_text(whole, dna)
                                 : text(with_commas(part.begin + 1), "-", with_commas(part.begin + part.length), " of ",
                                        length_text(whole, dna)));
}

std::string json_of(Axis const & axis, std::vector<PlotSequence> const & names)
{
    std::string out = "[";
    for (Axis::Part const & part : axis.parts())
        out += text(out.size() > 1 ? "," : "", "[", json_string(names[part.sequence].name), ",", part.offset, ",",
                    part.begin, ",", part.length, "]");
    return out + "]";
}

} // namespace

void draw_target_axis(Canvas & canvas, Box const & box, Axis const & axis, std::vector<PlotSequence> const & names,
                      bool dna)
{
    double const below = box.y + box.height;
    Side const side{
        box.width,
        [&](double place, std::string const & shown) {
            canvas.line({box.x + place, below}, {box.x + place, below + 5}, black, 1);
            canvas.text({box.x + place, below + 18}, shown, {.size = tick_size, .anchor = Label::Anchor::middle});
        },
        [&](double place, std::string const & shown) {
            canvas.text({box.x + place, below + 36}, shown, {.size = name_size, .anchor = Label::Anchor::middle});
        },
        [&](double place) {
            canvas.line({box.x + place, box.y}, {box.x + place, below + 5}, light_grey, 1);
        }};
    draw_side(axis, names, dna, side);
    canvas.text({box.x + box.width / 2, below + 56}, described(axis, names, "target", dna),
                {.size = 12, .anchor = Label::Anchor::middle, .colour = grey});
}

void draw_query_axis(Canvas & canvas, Box const & box, Axis const & axis, std::vector<PlotSequence> const & names,
                     bool dna)
{
    auto const y = [&](double place) { return box.y + box.height - place; };
    Side const side{
        box.height,
        [&](double place, std::string const & shown) {
            canvas.line({box.x - 5, y(place)}, {box.x, y(place)}, black, 1);
            canvas.text({box.x - 8, y(place) + 4}, shown, {.size = tick_size, .anchor = Label::Anchor::end});
        },
        [&](double place, std::string const & shown) {
            canvas.text({box.x - 62, y(place)}, shown,
                        {.size = name_size, .anchor = Label::Anchor::middle, .upright = true});
        },
        [&](double place) {
            canvas.line({box.x - 5, y(place)}, {box.x + box.width, y(place)}, light_grey, 1);
        }};
    draw_side(axis, names, dna, side);
    canvas.text({box.x - 80, box.y + box.height / 2}, described(axis, names, "query", dna),
                {.size = 12, .anchor = Label::Anchor::middle, .colour = grey, .upright = true});
}

std::string axes_as_json(Selection const & selection, Picture const & picture)
{
    return text("{dna: ", picture.dna ? "true" : "false", ", targets: ", json_of(selection.targets, picture.targets),
                ", queries: ", json_of(selection.queries, picture.queries), "}");
}

} // namespace cli
