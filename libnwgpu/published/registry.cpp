// SPDX-License-Identifier: BSD-3-Clause
// The table of published algorithms, and how a choice among them is written.
#include "published/registry.hpp"

#include <algorithm>
#include <charconv>

#include "base/ceil_div.hpp"
#include "base/error.hpp"

namespace nwgpu::published {

namespace {

constexpr std::uint64_t score_bytes = 4; // all papers keep 32-bit scores

std::uint64_t padded(std::uint64_t length, int to)
{
    auto const size = static_cast<std::uint64_t>(to);
    return ceil_div(length, size) * size;
}

// The whole matrix with its borders, in host memory; on a GPU also there, with whole tiles.
Memory whole_matrix(std::uint64_t m, std::uint64_t n, Values const &) { return {score_bytes * (m + 1) * (n + 1), 0}; }
Memory whole_matrix_twice(std::uint64_t m, std::uint64_t n, Values const & values)
{
    int const rows = values.size() > 1 ? values[0] : 32, cols = values.empty() ? 1 : values.back();
    std::uint64_t const bytes = score_bytes * (padded(m, rows) + 1) * (padded(n, cols) + 1);
    return {bytes, bytes};
}
Memory three_states(std::uint64_t m, std::uint64_t n, Values const &)
{
    return {3 * score_bytes * (m + 1) * (n + 1), 0};
}
// Diagonals that begin at multiples of 16 scores.
Memory three_states_twice(std::uint64_t m, std::uint64_t n, Values const &)
{
    std::uint64_t const bytes = 3 * score_bytes * ((m + 1) * (n + 1) + 16 * (m + n + 1)) + 16 * (m + n + 1);
    return {bytes, bytes};
}
Memory three_states_in_tiles(std::uint64_t m, std::uint64_t n, Values const & values)
{
    auto const tile = static_cast<std::uint64_t>(values[0]);
    std::uint64_t const bytes = 3 * score_bytes * ceil_div(m, tile) * ceil_div(n, tile) * (tile + 1) * (tile + 1);
    return {bytes, bytes};
}
Memory headers(std::uint64_t m, std::uint64_t n, std::uint64_t rows, std::uint64_t cols)
{
    std::uint64_t const bytes = score_bytes * ceil_div(m, rows) * ceil_div(n, cols) * (rows + cols + 2);
    return {bytes + score_bytes * (rows + 1) * (cols + 1), bytes};
}
Memory headers_of_32_rows(std::uint64_t m, std::uint64_t n, Values const & values)
{
    return headers(m, n, 32, static_cast<std::uint64_t>(values[0]));
}
Memory headers_of_warps(std::uint64_t m, std::uint64_t n, Values const & values)
{
    return headers(m, n, 32 * static_cast<std::uint64_t>(values[0]), static_cast<std::uint64_t>(values[1]));
}
Memory headers_of_supertiles(std::uint64_t m, std::uint64_t n, Values const & values)
{
    auto const width = static_cast<std::uint64_t>(values[0]), side = static_cast<std::uint64_t>(values[1]);
    std::uint64_t const rows = ceil_div(m, 32), cols = ceil_div(n, width);
    Memory const inside = headers(32 * side, width * side, 32, width);
    std::uint64_t const kept =
        score_bytes * (ceil_div(rows, side) * cols * (width + 1) + ceil_div(cols, side) * rows * 33);
    return {inside.host + kept, inside.device + kept + score_bytes * (cols * (width + 1) + rows * 33)};
}
// A row of H, F, E~ and the best of each column, and one number a block.
Memory some_rows(std::uint64_t, std::uint64_t n, Values const & values)
{
    auto const found = std::min(n + 1, 64 * static_cast<std::uint64_t>(values[0])); // best ends, of 64 blocks
    return {12 * found, 32 * (n + 1)};
}
Memory some_diagonals(std::uint64_t m, std::uint64_t n, Values const &)
{
    return {8 * (m + 1), score_bytes * (6 * (m + 1) + n + 1)};
}
Memory buses(std::uint64_t, std::uint64_t n, Values const & values)
{
    auto const threads = static_cast<std::uint64_t>(values[0]) * static_cast<std::uint64_t>(values[1]);
    // On the host a row, as it comes, is saved or is read.
    return {24 * threads + 40 * n, 8 * n + (2 * (8 * 4 + 8) + 24) * threads};
}

constexpr Parameter tile_of_cpu[] = {{"rows", 128, 1, 1 << 20, "rows of a tile"},
                                     {"cols", 128, 1, 1 << 20, "columns of a tile"}};
constexpr Parameter block_size[] = {{"threads", 256, 32, 1024, "threads per block"}};
constexpr Parameter small_tile[] = {{"rows", 4, 1, 64, "rows of a thread's tile"},
                                    {"cols", 8, 1, 64, "columns of a thread's tile"}};
constexpr Parameter tile_width[] = {{"cols", 64, 32, 128, "columns of a tile of 32 rows"}};
constexpr Parameter register_width[] = {{"cols", 128, 32, 1024, "columns of a tile of 32 rows"}};
constexpr Parameter warps_and_width[] = {{"warps", 4, 1, 32, "warps per tile, of 32 rows each"},
                                         {"cols", 256, 32, 1024, "columns of a tile"}};
constexpr Parameter supertile[] = {{"cols", 128, 32, 1024, "columns of a tile of 32 rows"},
                                   {"side", 16, 1, 256, "tiles along each side of a super-tile"}};
constexpr Parameter swat_grid[] = {{"blocks", 0, 0, 65535, "blocks per launch; 0: one per multiprocessor"},
                                   {"threads", 256, 32, 1024, "threads per block"}};
constexpr Parameter swat_tile[] = {{"tile", 32, 8, 32, "rows and columns of a tile"}};
constexpr Parameter scan_block[] = {{"threads", 512, 32, 1024, "threads per block"},
                                    {"parts", 1, 1, 65536, "overlapping parts of the target, if local"},
                                    {"gpus", 1, 1, 1024, "GPUs that share the parts, one at least each"}};
constexpr Parameter cudalign_grid[] = {{"blocks", 240, 1, 65535, "blocks (B); fewer for short sequences"},
                                       {"threads", 64, 1, 512, "threads per block (T); fewer for short sequences"},
                                       {"rows", 64, 0, 4096, "special rows kept for the path"},
                                       {"checkpoint", 0, 0, 1 << 24, "strips between two savings; 0: as time goes"}};

constexpr char const * quadratic = "4 bytes a cell";
constexpr char const * quadratic_twice = "4 bytes a cell on host and GPU";
constexpr char const * swat_quadratic = "12 bytes a cell on host and GPU; published for 1K to 8K letters";

constexpr char const * window = "path: 12 bytes a cell, on host and GPU, of the columns that an alignment can span";

constexpr Algorithm table[] = {
    {"cpu1-st-row",
     "A 4.3",
     Processor::cpu,
     false,
     true,
     false,
     Output::cigar,
     Trace::plain,
     {},
     whole_matrix,
     3e8,
     quadratic,
     "whole matrix row by row; the baseline of every speed-up"},
    {"cpu2-st-diag",
     "A 4.4",
     Processor::cpu,
     false,
     true,
     false,
     Output::cigar,
     Trace::plain,
     {},
     whole_matrix,
     5e7,
     quadratic,
     "whole matrix by minor diagonals: the example of bad use of caches"},
    {"cpu3-st-diagrow", "A 4.5", Processor::cpu, false, true, false, Output::cigar, Trace::plain, tile_of_cpu,
     whole_matrix, 3e8, quadratic, "tiles along minor diagonals, rows inside a tile"},
    {"cpu4-mt-diagrow", "A 4.6", Processor::cpu, false, true, false, Output::cigar, Trace::plain, tile_of_cpu,
     whole_matrix, 3e8, quadratic, "cpu3 with one thread a tile, dealt i mod threads, a barrier a tile diagonal"},
    {"gpu1-ml-diag", "A 4.7", Processor::cuda, false, true, false, Output::cigar, Trace::plain, block_size,
     whole_matrix_twice, 5e9, quadratic_twice, "one launch a minor diagonal, one thread an element"},
    {"gpu2-ml-diagrow2pass", "A 4.8", Processor::cuda, false, true, false, Output::cigar, Trace::plain, small_tile,
     whole_matrix_twice, 5e9, quadratic_twice, "one thread a small tile; borders in a pass of their own"},
    {"gpu3-ml-diagdiag", "A 4.9", Processor::cuda, false, true, false, Output::cigar, Trace::plain, tile_width,
     whole_matrix_twice, 1e10, quadratic_twice, "one block a tile in shared memory, one warp walks its diagonals"},
    {"gpu4-ml-diagdiag2pass", "A 4.10", Processor::cuda, false, true, false, Output::cigar, Trace::plain, tile_width,
     whole_matrix_twice, 1e10, quadratic_twice, "gpu3 with the column scores in a pass of their own"},
    {"gpu5-coop-diagdiag", "A 4.11", Processor::cuda, false, true, false, Output::cigar, Trace::plain, tile_width,
     whole_matrix_twice, 1e10, quadratic_twice, "gpu3 in one cooperative launch, a grid barrier a tile diagonal"},
    {"gpu6-coop-diagdiag2pass", "A 4.12", Processor::cuda, false, true, false, Output::cigar, Trace::plain, tile_width,
     whole_matrix_twice, 1e10, quadratic_twice, "gpu4 in one cooperative launch"},
    {"gpu7-mlsp-diagdiag", "A 4.13", Processor::cuda, false, true, false, Output::cigar, Trace::sparse, tile_width,
     headers_of_32_rows, 1e10, "4 bytes a cell of the tiles' headers, host and GPU",
     "gpu3 that keeps header rows and columns of tiles alone"},
    {"gpu8-mlsp-diagdiag", "A 4.14", Processor::cuda, false, true, false, Output::cigar, Trace::sparse, register_width,
     headers_of_32_rows, 2e10, "4 bytes a cell of the tiles' headers, host and GPU",
     "gpu7 with the tile in registers, neighbours by warp shuffle"},
    {"gpu9-mlsp-diagdiagdiag", "A 4.15", Processor::cuda, false, true, false, Output::cigar, Trace::sparse,
     warps_and_width, headers_of_warps, 2e10, "4 bytes a cell of the tiles' headers, host and GPU",
     "gpu8 with several warps a tile: parallelograms along their diagonals"},
    {"gpu10-mlsp-supertile", "A 7", Processor::cuda, false, true, false, Output::cigar, Trace::sparse, supertile,
     headers_of_supertiles, 2e10, "4 bytes a cell of the super-tiles' headers, host and GPU",
     "headers of super-tiles alone; tiles are computed again inside one on the way back"},
    {"rowscan", "B 13.3.3", Processor::cuda, true, true, true, Output::cigar, Trace::plain, scan_block, some_rows, 5e9,
     window, "row by row, E by a parallel max-scan with decay, exact for gaps of any length"},
    {"antidiagonal", "B 13.3.2", Processor::cuda, true, true, true, Output::cigar, Trace::plain, block_size,
     some_diagonals, 5e9, window, "three variables by antidiagonals: two of H, one of E and F kept"},
    {"swat-serial",
     "C 3",
     Processor::cpu,
     true,
     true,
     true,
     Output::cigar,
     Trace::plain,
     {},
     three_states,
     1e8,
     "12 bytes a cell; published for 1K to 8K letters",
     "three states a cell, whole matrix; the serial baseline"},
    {"swat-offload", "C 4.1", Processor::cuda, true, true, true, Output::cigar, Trace::plain, swat_grid,
     three_states_twice, 5e9, swat_quadratic, "diagonals one after another in memory, one launch each"},
    {"swat-coalesced", "C 4.2", Processor::cuda, true, true, true, Output::cigar, Trace::plain, swat_grid,
     three_states_twice, 5e9, swat_quadratic, "swat-offload with every diagonal at an aligned address"},
    {"swat-tiled", "C 4.3", Processor::cuda, true, true, true, Output::cigar, Trace::plain, swat_tile,
     three_states_in_tiles, 5e9, swat_quadratic, "one block a tile in shared memory, one launch a tile diagonal"},
    {"swat-barrier", "C 4.4", Processor::cuda, true, true, true, Output::cigar, Trace::plain, swat_grid,
     three_states_twice, 5e9, swat_quadratic, "swat-coalesced in one launch, a software barrier between diagonals"},
    {"cudalign", "D 5", Processor::cuda, true, true, true, Output::cigar, Trace::sparse, cudalign_grid, buses, 3e10,
     "path: 8 bytes a column and special row, on host and GPU",
     "blocks of threads of 4 rows, two buses, cell delegation, short and long phase", true},
};

[[noreturn]] void refuse(Status status, std::string const & what) { throw Error{status, what}; }

std::size_t parameter_index(Algorithm const & algorithm, std::string_view name)
{
    std::size_t k = 0;
    while (k < algorithm.parameters.size() && algorithm.parameters[k].name != name)
        ++k;
    return k;
}

void set_value(Choice & choice, std::string_view text)
{
    Algorithm const & algorithm = *choice.algorithm;
    std::size_t const equals = text.find('=');
    std::size_t const k = parameter_index(algorithm, text.substr(0, equals));
    if (equals == std::string_view::npos || k == algorithm.parameters.size()) {
        std::string known;
        for (Parameter const & parameter : algorithm.parameters)
            known += std::string{known.empty() ? "" : ", "} + parameter.name;
        refuse(Status::invalid_argument, "algorithm " + std::string{algorithm.name} + ": '" + std::string{text} +
                                             "' sets no parameter; there " +
                                             (known.empty() ? "are none" : "is: " + known));
    }
    Parameter const & parameter = algorithm.parameters[k];
    char const * const begin = text.data() + equals + 1;
    char const * const end = text.data() + text.size();
    int value = 0;
    auto const parsed = std::from_chars(begin, end, value);
    if (parsed.ec != std::errc{} || parsed.ptr != end || value < parameter.lowest || value > parameter.highest)
        refuse(Status::invalid_argument, "algorithm " + std::string{algorithm.name} + ": " + parameter.name + " (" +
                                             parameter.meaning + ") must be a number from " +
                                             std::to_string(parameter.lowest) + " to " +
                                             std::to_string(parameter.highest));
    choice.values[k] = value;
}

} // namespace

std::span<Algorithm const> algorithms() { return table; }

int Choice::value(std::string_view parameter) const { return values.at(parameter_index(*algorithm, parameter)); }

int Choice::value_or(std::string_view parameter, int otherwise) const
{
    std::size_t const k = parameter_index(*algorithm, parameter);
    return k < values.size() ? values[k] : otherwise;
}

Choice Choice::with(std::string_view parameter, int value) const
{
    Choice other = *this;
    other.values.at(parameter_index(*algorithm, parameter)) = value;
    return other;
}

Choice parse_choice(std::string_view text)
{
    std::size_t const colon = text.find(':');
    std::string_view const name = text.substr(0, colon);
    Choice choice{};
    for (Algorithm const & algorithm : table)
        if (algorithm.name == name)
            choice.algorithm = &algorithm;
    if (!choice.algorithm)
        refuse(Status::not_found, "no algorithm is called '" + std::string{name} +
                                      "'; `nwgpu algorithms` and nwgpu_algorithm_info list them");
    for (Parameter const & parameter : choice.algorithm->parameters)
        choice.values.push_back(parameter.usual);
    std::string_view rest = colon == std::string_view::npos ? std::string_view{} : text.substr(colon + 1);
    while (!rest.empty()) {
        std::size_t const comma = rest.find(',');
        set_value(choice, rest.substr(0, comma));
        rest = comma == std::string_view::npos ? std::string_view{} : rest.substr(comma + 1);
    }
    return choice;
}

void check_fits(Algorithm const & algorithm, Scoring const & scoring, Request const & request)
{
    std::string const begin = "algorithm " + std::string{algorithm.name} + " ";
    if (request.top > 1)
        refuse(Status::unsupported, begin + "finds one alignment a pair");
    if (!request.mode.has_usual_rules())
        refuse(Status::unsupported, begin + "knows neither bands nor other tie rules");
    bool const known_span = request.mode.local ? algorithm.local : algorithm.global && request.mode.global();
    if (!known_span)
        refuse(Status::unsupported, begin + "aligns " + (algorithm.local ? "local and global" : "global") +
                                        " only, without free ends and extension");
    if (!algorithm.affine && scoring.gap().open != 0)
        refuse(Status::unsupported,
               begin + "takes linear gaps only: gap_open must be 0, it is " + std::to_string(scoring.gap().open));
    if (!request.checkpoint.folder.empty() && !algorithm.saves)
        refuse(Status::unsupported, begin + "saves no checkpoints");
    if (request.output > algorithm.output)
        refuse(Status::unsupported, begin + "finds score and end only, no path");
}

// No cell is further from 0 than so many of the largest steps, borders included.
bool scores_fit(Scoring const & scoring, std::uint64_t m, std::uint64_t n)
{
    std::int64_t const worst = -lowest_useful_score(scoring);
    double const step = static_cast<double>(std::max({scoring.max_score(), worst, std::int64_t{1}}));
    return step * (static_cast<double>(m) + static_cast<double>(n) + 16) < 1e9;
}

std::string describe_values(Choice const & choice)
{
    std::string text;
    for (std::size_t k = 0; k < choice.values.size(); ++k)
        text += std::string{text.empty() ? "" : " "} + choice.algorithm->parameters[k].name + "=" +
                std::to_string(choice.values[k]);
    return text;
}

} // namespace nwgpu::published
