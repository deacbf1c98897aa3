// SPDX-License-Identifier: BSD-3-Clause
// The two ways to represent scores, behind one shape, so that sweeps and paths are written once (sweep.hpp,
// align_strips.cpp):
//   DiffField   8-bit differences (kernels.hpp, DiffStrip)
//   ScoreField  absolute 64-bit boundaries around kernels of 8 (of ends or begins anywhere), 16, 32 or 64 bits
//               (ScoreStrip)
// Sweeps of both can use the 8-bit scan kernel where there is a matrix.
#pragma once

#include <algorithm>
#include <cstdint>

#include "cpu/kernels/kernels.hpp"
#include "cpu/kernels/scheme.hpp"
#include "cpu/pair/boundary.hpp"
#include "cpu/pair/kept_line.hpp"
#include "cpu/pair/scan_borders.hpp"
#include "model/batch.hpp"
#include "model/mode.hpp"

namespace nwgpu::cpu {

// How the trace bits of a strip of `rows` rows lie.
template <class Field>
TraceLayout trace_layout(Field const & field, std::uint64_t rows)
{
    TraceLayout layout;
    layout.rows_per_lane = field.rows_per_lane(rows);
    layout.planes = Field::planes;
    layout.plane_bytes = (field.lanes() + 7) / 8;
    layout.last_lane = static_cast<int>((rows - 1) / layout.rows_per_lane);
    return layout;
}
class DiffField;
inline TraceLayout trace_layout(DiffField const &, std::uint64_t) { return {}; } // it keeps lanes instead

constexpr std::size_t aligned_bytes(std::size_t bytes) { return (bytes + 63) / 64 * 64; }

// One strip or tile to compute; rows and columns are letters of the pair.
struct Rect {
    std::uint64_t row = 0, rows = 0, col = 0, cols = 0;
};

struct TileBest {
    std::int64_t score = INT64_MIN;
    std::uint64_t col = 0;                    // the first column that has it
    std::uint64_t strip = 0;                  // and the strip
    bool before(TileBest const & other) const // in the order of the tie rule
    {
        return score != other.score ? score > other.score : col != other.col ? col < other.col : strip < other.strip;
    }
    std::uint64_t row = 0;    // where lanes are kept: the first row of the lane that has it
    std::uint64_t strips = 1; // that were computed at once
};

class DiffField {
public:
    using Cell = std::uint8_t;
    static constexpr bool relative = true; // boundaries hold differences

    DiffField(Scheme const & scheme, KernelTable const & kernels) :
        whole_scheme_{scheme}, scheme_{scheme.diff()}, kernels_{kernels}, small_codes_{scheme.small_codes()}
    {}
    void use_small_codes() { small_codes_ = true; }
    // As ScoreField::use_scan(), without a band.
    void use_scan(int strips) { strips_scan_ = strips; }
    // Strips of short pairs keep diagonals, too.
    void use_diagonals() { diagonals_ = true; }
    bool has_diagonals() const { return diagonals_; }

    KeptCode kept_code() const { return KeptCode::of_differences(); }
    int lanes() const { return kernels_.lanes; }
    std::uint64_t strip_rows() const { return std::uint64_t{1} * rows_per_lane_ * lanes(); }
    // A strip in a band of so many diagonals also computes the triangles that its own height adds, so in a narrow band
    // lower strips are quicker, though their cells are not: by a tenth with 8 rows a lane, by half with 4, which also
    // make small tiles of a path.  With a matrix lower strips mean fewer lanes.
    void fit_band(std::uint64_t width, bool needs_path, int threads)
    {
        std::uint64_t const all = 16 * static_cast<std::uint64_t>(lanes());
        rows_per_lane_ = scheme_.table.letters > 0 || width > all ? 16 : needs_path || width > all / 4 ? 8 : 4;
        if (threads == 1 || rows_per_lane_ < 16 || scheme_.table.letters > 0)
            return;
        double const high = band_seconds(width, threads);
        rows_per_lane_ = 8;
        if (1.1 * band_seconds(width, threads) >= high)
            rows_per_lane_ = 16;
    }
    // How many threads find work in a band that is computed in tiles of so many columns: a strip begins when the one
    // above has left the columns of its first tile.
    double threads_in_band(std::uint64_t width, std::uint64_t tile_cols) const
    {
        return static_cast<double>(width + strip_rows()) / static_cast<double>(strip_rows() + tile_cols);
    }
    // The width of tiles with which they are quickest.  A tile takes `lanes` steps more than it has columns.
    std::uint64_t band_tile_cols(std::uint64_t width, int threads) const
    {
        std::uint64_t best = 0;
        for (std::uint64_t cols : {16, 12, 8, 6, 4})
            if (cols *= static_cast<std::uint64_t>(lanes());
                best == 0 || tile_seconds(width, threads, cols) < tile_seconds(width, threads, best))
                best = cols;
        return best;
    }
    std::uint64_t max_cols() const { return UINT64_MAX; }
    std::uint64_t max_tile_cols() const
    {
        return strips_scan_ > 0 ? whole_scheme_.max_scan_cols(strips_at_once() * strip_rows()) : UINT64_MAX;
    }
    std::uint64_t strips_at_once() const { return static_cast<std::uint64_t>(std::max(1, strips_scan_)); }
    KeptLayout kept_layout(std::uint64_t rows, std::uint64_t cols) const
    {
        auto const [used_lanes, tile_rows] = diff_shape(lanes(), scheme_.table.letters > 0, rows);
        return {used_lanes,
                tile_rows,
                2 * tile_rows,
                diff_period,
                static_cast<std::int64_t>(rows - 1) / tile_rows,
                static_cast<std::int64_t>(cols)};
    }
    std::size_t kept_bytes(std::uint64_t rows, std::uint64_t cols) const { return kept_layout(rows, cols).bytes(); }
    void path_tile(PathTile const & tile) const { kernels_.diff_tile(scheme_, tile); }
    // The field that computes blocks of a path.
    DiffField const & traced() const { return *this; }
    std::size_t profile_size() const
    {
        int const letters = scheme_.table.letters;
        return strips_scan_ > 0 ? ScanBorders::bytes + scan_profile_bytes(letters) : profile_bytes(letters);
    }

    // The boundary of cells that are reached by one gap from its begin (or that are free).
    void gap_line(BoundaryView<Cell> line, std::uint64_t n, bool free, std::int64_t) const
    {
        std::fill_n(line.first, n, free ? scheme_.open_extend : scheme_.open);
        std::fill_n(line.second, n, Cell{0});
        if (n > 0 && !free)
            line.first[0] = 0;
    }
    // Score difference along a boundary.
    std::int64_t sum(Cell const * first, std::uint64_t n) const
    {
        std::int64_t total = 0;
        for (std::uint64_t k = 0; k < n; ++k)
            total += first[k];
        return total - static_cast<std::int64_t>(n) * scheme_.open_extend;
    }
    // Scores of the entries of a boundary that begins beside a cell of score `begin`.
    std::int64_t next_score(std::int64_t begin, Cell entry) const { return begin + entry - scheme_.open_extend; }
    std::int64_t difference(std::int64_t begin, std::int64_t score) const
    {
        return score - begin + scheme_.open_extend;
    }

    TileBest tile(PairView const & pair, Rect const & rect, BoundaryView<Cell> top, BoundaryView<Cell> left,
                  std::int64_t, std::int8_t * profile, std::uint8_t * kept) const
    {
        DiffStrip strip{&scheme_,
                        pair.query + rect.row,
                        pair.target + rect.col,
                        rect.rows,
                        rect.cols,
                        top.first,
                        top.second,
                        left.first,
                        left.second,
                        profile,
                        kept,
                        small_codes_,
                        diagonals_ && kept ? kept + aligned_bytes(kept_bytes(rect.rows, rect.cols)) : nullptr};
        if (strips_scan_ > 0)
            ScanBorders{strip}.compute(kernels_, whole_scheme_, strips_at_once() * strip_rows());
        else
            kernels_.diff_strip(strip);
        return {};
    }

private:
    // In any unit.
    double tile_seconds(std::uint64_t width, int threads, std::uint64_t cols) const
    {
        return static_cast<double>(cols + static_cast<std::uint64_t>(lanes())) / static_cast<double>(cols) /
               std::min(static_cast<double>(threads), threads_in_band(width, cols));
    }
    double band_seconds(std::uint64_t width, int threads) const
    {
        return static_cast<double>(width + strip_rows()) * tile_seconds(width, threads, band_tile_cols(width, threads));
    }

    Scheme const & whole_scheme_;
    DiffScheme const & scheme_;
    KernelTable const & kernels_;
    int rows_per_lane_ = 16;
    int strips_scan_ = 0;
    bool small_codes_, diagonals_ = false;
};

class ScoreField {
public:
    using Cell = std::int64_t;
    static constexpr int planes = 5;
    static constexpr bool relative = false;

    // `floored`: no cell is below 0.
    ScoreField(Scheme const & scheme, KernelTable const & kernels, bool floored, int width) :
        scheme_{scheme},
        kernels_{kernels},
        floored_{floored},
        width_{width},
        max_cols_{scheme.max_cols(width_, strip_rows())},
        small_codes_{scheme.small_codes()}
    {}
    void use_small_codes() { small_codes_ = true; }
    // Sweeps that leave no trace compute so many strips at once, with the scan kernel; 0: each by itself, without. Only
    // the best score of a whole matrix is right then, not that of a part.
    void use_scan(int strips)
    {
        strips_scan_ = strips;
        if (strips > 0)
            max_cols_ = scheme_.max_scan_cols(static_cast<std::uint64_t>(strips) * strip_rows());
    }
    std::uint64_t strips_at_once() const { return static_cast<std::uint64_t>(std::max(1, strips_scan_)); }
    void use_diagonals() { diagonals_ = keeps_lanes(); }
    bool has_diagonals() const { return diagonals_; }

    KeptCode kept_code() const { return KeptCode::of_scores(scheme_.scoring()); }
    int width() const { return width_; }
    int lanes() const { return kernels_.lanes * 8 / width_; }
    int rows_per_lane(std::uint64_t rows) const
    {
        return width_ > 16 || (width_ == 16 && rows <= 4 * static_cast<std::uint64_t>(lanes())) ? 4 : 16;
    }
    std::uint64_t strip_rows() const { return static_cast<std::uint64_t>(width_ > 16 ? 4 : 16) * lanes(); }
    std::uint64_t max_cols() const { return max_cols_; }
    std::uint64_t max_tile_cols() const { return max_cols_; }
    std::size_t profile_size() const
    {
        int const letters = scheme().table.letters;
        return strips_scan_ > 0 ? scan_profile_bytes(letters) : profile_bytes(letters);
    }
    // The kernel of 8 bits keeps lanes in place of trace bits.
    bool keeps_lanes() const { return width_ == 8; }
    KeptLayout kept_layout(std::uint64_t rows, std::uint64_t cols) const
    {
        auto const [used_lanes, tile_rows] = local_shape(lanes(), scheme().letters > 0, rows);
        return {used_lanes,
                tile_rows,
                2 * tile_rows + 2,
                scheme().local.interval,
                static_cast<std::int64_t>(rows - 1) / tile_rows,
                static_cast<std::int64_t>(cols)};
    }
    std::size_t kept_bytes(std::uint64_t rows, std::uint64_t cols) const { return kept_layout(rows, cols).bytes(); }
    void path_tile(PathTile const & tile) const { kernels_.local_tile(scheme(), tile); }
    ScoreField traced() const { return {scheme_, kernels_, floored_, std::max(width_, 16)}; }

    void gap_line(BoundaryView<Cell> line, std::uint64_t n, bool free, std::int64_t begin) const
    {
        GapCost const gap = scheme_.scoring().gap();
        for (std::uint64_t k = 0; k < n; ++k) {
            line.first[k] = free ? 0 : begin - gap.open - static_cast<std::int64_t>(k + 1) * gap.extend;
            line.second[k] = line.first[k] - gap.open - gap.extend;
        }
    }
    // The boundary of cells that only a gap leads to, which has the score `first` in the first of them; none is below
    // 0.
    void edge_line(BoundaryView<Cell> line, std::uint64_t n, std::int64_t first) const
    {
        GapCost const gap = scheme_.scoring().gap();
        for (std::uint64_t k = 0; k < n; ++k) {
            line.first[k] = std::max<std::int64_t>(0, first - static_cast<std::int64_t>(k) * gap.extend);
            line.second[k] = line.first[k] - gap.open - gap.extend;
        }
    }
    std::int64_t next_score(std::int64_t, Cell entry) const { return entry; }
    std::int64_t extend() const { return scheme_.scoring().gap().extend; } // what a letter costs in a gap

    TileBest tile(PairView const & pair, Rect const & rect, BoundaryView<Cell> top, BoundaryView<Cell> left,
                  std::int64_t corner, std::int8_t * profile, std::uint8_t * trace) const
    {
        ScoreStrip strip{&scheme(),
                         pair.query + rect.row,
                         pair.target + rect.col,
                         rect.rows,
                         rect.cols,
                         corner,
                         floored_ ? 0 : INT64_MIN / 2,
                         corner,
                         top.first,
                         top.second,
                         left.first,
                         left.second,
                         profile,
                         trace};
        strip.small_codes = small_codes_;
        if (diagonals_ && trace)
            strip.diagonals = trace + aligned_bytes(kept_bytes(rect.rows, rect.cols));
        if (strips_scan_ > 0) {
            strip.base += scheme_.scan_base(strips_at_once() * strip_rows());
            kernels_.strip_scan(strip);
        } else if (width_ == 8)
            kernels_.strip_local(strip);
        else
            kernels_.score_strip(strip, width_, rows_per_lane(rect.rows));
        return {strip.best, rect.col + strip.best_col, 0, rect.row + strip.best_row};
    }

private:
    ScoreScheme const & scheme() const { return scheme_.score(); }

    Scheme const & scheme_;
    KernelTable const & kernels_;
    bool floored_;
    int width_;
    std::uint64_t max_cols_;
    int strips_scan_ = 0;
    bool small_codes_, diagonals_ = false;
};

// Whether the path is found from kept lanes instead of trace bits: for all fields but those derived from these.
template <class Field>
bool keeps_lanes(Field const &)
{
    return false;
}
inline bool keeps_lanes(DiffField const &) { return true; }
inline bool keeps_lanes(ScoreField const & field) { return field.keeps_lanes(); }

// The field that computes the blocks of a path.
template <class Field>
Field path_field(Field const & field)
{
    return keeps_lanes(field) ? field : field.traced();
}

} // namespace nwgpu::cpu
