// SPDX-License-Identifier: BSD-3-Clause
// SVG is text.  Points of an area stay as they are, whole letters of sequences; a transformation brings them to pixels,
// and is all that the script has to change when somebody zooms.
#include "plot/canvas.hpp"

#include "failure.hpp"
#include "plot/embedded.hpp"
#include "plot/words.hpp"

#include <cmath>
#include <cstdio>

namespace cli {

namespace {

// Two digits after the point, none where they are zeros.
std::string number(double value)
{
    char digits[32];
    std::snprintf(digits, sizeof digits, "%.2f", value);
    std::string short_form(digits);
    while (short_form.back() == '0')
        short_form.pop_back();
    if (short_form.back() == '.')
        short_form.pop_back();
    return short_form == "-0" ? "0" : short_form;
}

std::string exact(double value)
{
    char digits[32];
    std::snprintf(digits, sizeof digits, "%.9g", value);
    return digits;
}

std::string hex(Colour colour)
{
    char digits[8];
    std::snprintf(digits, sizeof digits, "#%02x%02x%02x", colour.red, colour.green, colour.blue);
    return digits;
}

class SvgCanvas : public Canvas {
public:
    SvgCanvas(double width, double height)
    {
        out_ = cli::text("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"", number(width), "\" height=\"",
                         number(height), "\" viewBox=\"0 0 ", number(width), " ", number(height),
                         "\" font-family=\"DejaVu Sans, Arial, Helvetica, sans-serif\">\n");
        rectangle({0, 0, width, height}, white);
    }

    void rectangle(Box const & box, Colour fill) override
    {
        out_ += cli::text("<rect ", place(box), " fill=\"", hex(fill), "\"/>\n");
    }

    void line(Point from, Point to, Colour colour, double width) override
    {
        out_ += cli::text("<path d=\"M", number(from.x), " ", number(from.y), "L", number(to.x), " ", number(to.y),
                          "\" stroke=\"", hex(colour), "\" stroke-width=\"", number(width), "\"/>\n");
    }

    void text(Point at, std::string_view words, Label const & label) override
    {
        char const * const anchor = label.anchor == Label::Anchor::begin ? "start"
                                    : label.anchor == Label::Anchor::end ? "end"
                                                                         : "middle";
        out_ += cli::text("<text x=\"", number(at.x), "\" y=\"", number(at.y), "\" font-size=\"", number(label.size),
                          "\" text-anchor=\"", anchor, "\" fill=\"", hex(label.colour), "\"",
                          label.bold ? " font-weight=\"bold\"" : "",
                          label.upright ? cli::text(" transform=\"rotate(-90 ", number(at.x), " ", number(at.y), ")\"")
                                        : std::string(),
                          ">", xml_text(words), "</text>\n");
    }

    void begin_area(Box const & box, Box const & inside) override
    {
        std::string const id = cli::text("area", areas_++);
        double const x_scale = box.width / inside.width, y_scale = -box.height / inside.height;
        out_ +=
            cli::text("<clipPath id=\"clip-", id, "\"><rect ", place(box), "/></clipPath>\n<g clip-path=\"url(#clip-",
                      id, ")\" fill=\"none\" stroke-linecap=\"round\">\n<g id=\"", id, "\" transform=\"matrix(",
                      exact(x_scale), " 0 0 ", exact(y_scale), " ", exact(box.x - inside.x * x_scale), " ",
                      exact(box.y + box.height - inside.y * y_scale), ")\">\n");
        box_ = box;
        inside_ = inside;
    }

    void path(std::span<Point const> points, Colour colour, double width, std::string_view title) override
    {
        out_ += cli::text("<path d=\"", moves(points), "\" stroke=\"", hex(colour), "\" stroke-width=\"", number(width),
                          "\" vector-effect=\"non-scaling-stroke\"");
        out_ += title.empty() ? std::string("/>\n") : cli::text("><title>", xml_text(title), "</title></path>\n");
    }

    void fill(std::span<Point const> outline, Colour colour) override
    {
        out_ += cli::text("<path d=\"", moves(outline), "Z\" fill=\"", hex(colour), "\"/>\n");
    }

    void end_area() override { out_ += "</g></g>\n"; }
    void begin_axes() override { out_ += "<g id=\"axes\">\n"; }
    void end_axes() override { out_ += "</g>\n"; }

    void zoomable(std::string_view axes) override
    {
        out_ += cli::text("<script type=\"text/javascript\"><![CDATA[\nconst box = [", number(box_.x), ",",
                          number(box_.y), ",", number(box_.width), ",", number(box_.height), "], whole = [",
                          exact(inside_.x), ",", exact(inside_.y), ",", exact(inside_.width), ",",
                          exact(inside_.height), "], axes = ", axes, ";\n", zoom_script, "]]></script>\n");
    }

    std::string finish() override { return std::move(out_ += "</svg>\n"); }

private:
    static std::string place(Box const & box)
    {
        return cli::text("x=\"", number(box.x), "\" y=\"", number(box.y), "\" width=\"", number(box.width),
                         "\" height=\"", number(box.height), "\"");
    }

    // Relative, which is shorter; what is rounded away does not add up.
    static std::string moves(std::span<Point const> points)
    {
        std::string out;
        Point last{0, 0};
        for (Point const & point : points) {
            Point const rounded{std::round(point.x * 100) / 100, std::round(point.y * 100) / 100};
            out += out.empty() ? "M" : out.find('l') == out.npos ? "l" : " ";
            out += cli::text(number(rounded.x - last.x), " ", number(rounded.y - last.y));
            last = rounded;
        }
        return out;
    }

    std::string out_;
    Box box_{}, inside_{};
    int areas_ = 0;
};

} // namespace

std::unique_ptr<Canvas> make_svg_canvas(double width, double height)
{
    return std::make_unique<SvgCanvas>(width, height);
}

} // namespace cli
