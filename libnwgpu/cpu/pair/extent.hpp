// SPDX-License-Identifier: BSD-3-Clause
// Which cells of a matrix are computed: all, those of a band, or what a sweep that skips cells has left (skipping.hpp).
// Seen strip by strip: a stretch of columns, whose begin and end never go back from one strip to the next.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "path/band.hpp"

namespace nwgpu::cpu {

using path::Band;

struct Stretch { // of columns, of one strip
    std::uint64_t begin = 0, end = 0;
};

class Extent {
public:
    Extent() = default; // everything
    Extent(Band const & band) : band_{band} {}
    // Of a whole matrix, in strips of so many rows.
    Extent(std::vector<Stretch> strips, std::uint64_t strip_rows) :
        strips_{std::make_shared<std::vector<Stretch> const>(std::move(strips))}, strip_rows_{strip_rows}
    {}

    bool everything() const { return !strips_ && band_.everything(); }
    // Of columns, that of the widest strip at most.
    std::uint64_t width() const
    {
        if (!strips_)
            return band_.width();
        std::uint64_t most = 0;
        for (Stretch const & strip : *strips_)
            most = std::max(most, strip.end - strip.begin);
        return most;
    }

    // As Band::columns() and Band::rows().  Rows are those of strips, or of parts of these.
    std::pair<std::uint64_t, std::uint64_t> columns(std::uint64_t row_begin, std::uint64_t row_end,
                                                    std::uint64_t col_begin, std::uint64_t col_end) const
    {
        if (!strips_)
            return band_.columns(row_begin, row_end, col_begin, col_end);
        return {std::clamp((*strips_)[row_begin / strip_rows_].begin, col_begin, col_end),
                std::clamp((*strips_)[(row_end - 1) / strip_rows_].end, col_begin, col_end)};
    }
    std::pair<std::uint64_t, std::uint64_t> rows(std::uint64_t col, std::uint64_t strip_rows, std::uint64_t row_begin,
                                                 std::uint64_t row_end) const
    {
        if (!strips_)
            return band_.rows(col, strip_rows, row_begin, row_end);
        auto const first = std::ranges::partition_point(*strips_, [&](Stretch const & s) { return s.end < col; });
        auto const last = std::ranges::partition_point(*strips_, [&](Stretch const & s) { return s.begin <= col; });
        auto const row = [&](auto strip) {
            return std::clamp(static_cast<std::uint64_t>(strip - strips_->begin()) * strip_rows_, row_begin, row_end);
        };
        return {row(first), row(std::max(first, last))};
    }

private:
    Band band_;
    std::shared_ptr<std::vector<Stretch> const> strips_; // null: the band
    std::uint64_t strip_rows_ = 1;
};

} // namespace nwgpu::cpu
