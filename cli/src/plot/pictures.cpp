// SPDX-License-Identifier: BSD-3-Clause
// From a format to its picture.
#include "plot/pictures.hpp"

#include "failure.hpp"

namespace cli {

std::pair<double, double> picture_size(PlotOptions const & options, double width, double height)
{
    return options.size.empty() ? std::pair(width, height) : std::pair(options.size[0], options.size[1]);
}

void draw_frame(Canvas & canvas, Box const & box)
{
    double const right = box.x + box.width, below = box.y + box.height;
    canvas.line({box.x, box.y}, {right, box.y}, black, 1);
    canvas.line({box.x, below}, {right, below}, black, 1);
    canvas.line({box.x, box.y}, {box.x, below}, black, 1);
    canvas.line({right, box.y}, {right, below}, black, 1);
}

std::string draw_picture(Picture const & picture, PlotOptions const & options, std::string const & format)
{
    if (format == "html")
        return make_page(picture, options);
    bool const dots = options.kind != "identity";
    auto const [width, height] = picture_size(options, 1000, dots ? 1000 : 460);
    auto const canvas = format == "png" ? make_png_canvas(width, height) : make_svg_canvas(width, height);
    (dots ? draw_dot_plot : draw_identity_track)(*canvas, picture, options);
    return canvas->finish();
}

} // namespace cli
