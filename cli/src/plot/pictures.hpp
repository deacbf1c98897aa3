// SPDX-License-Identifier: BSD-3-Clause
// The pictures: each takes the alignments of a run or a file.
#pragma once

#include "options.hpp"
#include "plot/canvas.hpp"
#include "plot/picture.hpp"

#include <string>
#include <utility>

namespace cli {

// Targets along x, queries along y, a line for each alignment.
void draw_dot_plot(Canvas & canvas, Picture const & picture, PlotOptions const & options);
// Identity, mismatches and gaps along the target of one alignment.  Throws Failure when its path is not known.
void draw_identity_track(Canvas & canvas, Picture const & picture, PlotOptions const & options);
// One HTML page with all alignments and their letters.  Throws Failure when letters are missing.
std::string make_page(Picture const & picture, PlotOptions const & options);

// The bytes of a file of that format: svg, png or html.
std::string draw_picture(Picture const & picture, PlotOptions const & options, std::string const & format);

// --size, or, where it is not given, these.
std::pair<double, double> picture_size(PlotOptions const & options, double width, double height);
void draw_frame(Canvas & canvas, Box const & box);

} // namespace cli
