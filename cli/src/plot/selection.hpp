// SPDX-License-Identifier: BSD-3-Clause
// Which alignments a picture shows, and how its sequences lie along the axes.
#pragma once

#include "options.hpp"
#include "plot/picture.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cli {

// Sequences end to end along one side of a picture.
class Axis {
public:
    struct Part {
        std::uint64_t sequence, begin, length; // the letters that are shown
        std::uint64_t offset;                  // on the axis
    };

    void add(std::uint64_t sequence, std::uint64_t begin, std::uint64_t length);
    double length() const { return static_cast<double>(length_); }
    std::vector<Part> const & parts() const { return parts_; }
    // Where a letter of a sequence that is shown lies; outside the axis for letters outside its part.
    double at(std::uint64_t sequence, std::uint64_t position) const;

private:
    static constexpr std::uint64_t none = ~std::uint64_t{0};
    std::uint64_t part_of(std::uint64_t sequence) const { return sequence < part_.size() ? part_[sequence] : none; }

    std::vector<Part> parts_;
    std::vector<std::uint64_t> part_; // by sequence
    std::uint64_t length_ = 0;
};

struct Selection {
    std::vector<PlotAlignment const *> alignments; // in the order of the file
    Axis queries, targets;                         // only sequences of these alignments
};

// By --min-length, --query-region, --target-region and --order.  Throws Failure when nothing is left.
Selection select(Picture const & picture, PlotOptions const & options);
// The one that --alignment names, or the longest.
PlotAlignment const & chosen_alignment(Picture const & picture, Selection const & selection,
                                       PlotOptions const & options);

// "--title", or the names of the only query and target, or how many there are.
std::string title_of(Picture const & picture, Selection const & selection, PlotOptions const & options);

} // namespace cli
