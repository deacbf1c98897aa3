// SPDX-License-Identifier: BSD-3-Clause
// Numbers and names along the two sides of an area.
#pragma once

#include "plot/canvas.hpp"
#include "plot/selection.hpp"

namespace cli {

// Below and to the left of the box: positions where a sequence has room for them, names, and what the side shows.
void draw_target_axis(Canvas & canvas, Box const & box, Axis const & axis, std::vector<PlotSequence> const & names,
                      bool dna);
void draw_query_axis(Canvas & canvas, Box const & box, Axis const & axis, std::vector<PlotSequence> const & names,
                     bool dna);
// The same as JSON, for the script of Canvas::zoomable().
std::string axes_as_json(Selection const & selection, Picture const & picture);

} // namespace cli
