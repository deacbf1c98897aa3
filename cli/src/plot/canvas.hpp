// SPDX-License-Identifier: BSD-3-Clause
// What a picture is drawn on: SVG, or PNG through cairo.  Lengths are pixels, y grows downwards, except within an area.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace cli {

struct Point {
    double x, y;
};

struct Colour {
    unsigned char red, green, blue;
};

// Of Okabe and Ito: told apart by colour-blind people, too.
constexpr Colour black{0, 0, 0}, grey{110, 110, 110}, light_grey{215, 215, 215}, white{255, 255, 255},
    blue{0, 114, 178}, vermilion{213, 94, 0}, green{0, 158, 115}, purple{204, 121, 167};

struct Box {
    double x, y, width, height;
};

struct Label {
    enum class Anchor { begin, middle, end };
    double size = 12;
    Anchor anchor = Anchor::begin;
    Colour colour = black;
    bool bold = false, upright = false; // upright: reads from below to above
};

class Canvas {
public:
    virtual ~Canvas() = default;

    virtual void rectangle(Box const & box, Colour fill) = 0;
    virtual void line(Point from, Point to, Colour colour, double width) = 0;
    virtual void text(Point at, std::string_view text, Label const & label) = 0; // at: on its base line

    // What follows, until end_area(), is clipped to the box, and its points lie within `inside`, y upwards, which fills
    // the box.
    virtual void begin_area(Box const & box, Box const & inside) = 0;
    // A line through points of the area, `width` pixels wide; title: what a pointer above it is told, if it can be.
    virtual void path(std::span<Point const> points, Colour colour, double width, std::string_view title) = 0;
    virtual void fill(std::span<Point const> outline, Colour colour) = 0;
    virtual void end_area() = 0;

    // What lies between can be found, and drawn anew, by the script of zoomable().
    virtual void begin_axes() {}
    virtual void end_axes() {}
    // axes: JSON, which names what lies along the two sides of the area.
    virtual void zoomable(std::string_view) {}

    // The bytes of the file.
    virtual std::string finish() = 0;
};

// About, in any common font.
inline double text_width(std::string_view text, double size) { return 0.58 * size * static_cast<double>(text.size()); }

std::unique_ptr<Canvas> make_svg_canvas(double width, double height);
// Two pixels a unit.  Throws Failure when this build, or this machine, has no cairo.
std::unique_ptr<Canvas> make_png_canvas(double width, double height);

} // namespace cli
