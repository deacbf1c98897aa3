// SPDX-License-Identifier: BSD-3-Clause
#include "cuda/batch/probe.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "base/pieces.hpp"

namespace nwgpu::cuda::batch {

namespace {

constexpr int most_rows_of_probe = 512, reach = 32;                // diagonals on each side of the main one
constexpr std::uint64_t sample = 16, least_rows = 256, tries = 64; // pairs
constexpr std::uint64_t strangers = 2;                             // of them, the least similar, that do not count
constexpr double more = 1.08;                                      // than the mean of the others, since pairs differ

// The best score of the first rows against the begin of the target, in a band.
int score_of_begin(PairView const & pair, int rows, Scheme const & scheme, auto const & code)
{
    constexpr int none = -(1 << 28);
    auto const n = static_cast<int>(std::min<std::uint64_t>(pair.n, most_rows_of_probe + reach));
    std::array<int, 2 * reach + 2> H, F; // of a row, by diagonal; the last is none
    for (int k = 0; k <= 2 * reach + 1; ++k) {
        int const j = k - reach;
        H[static_cast<std::size_t>(k)] = j < 0 || j > n || j > reach ? none
                                         : j == 0                    ? 0
                                                                     : -scheme.open - scheme.extend * j;
        F[static_cast<std::size_t>(k)] = none;
    }
    for (int i = 1; i <= rows; ++i) {
        int E = none, left = none;
        for (int k = 0; k <= 2 * reach; ++k) {
            int const j = i + k - reach;
            int & h = H[static_cast<std::size_t>(k)];
            int const above = H[static_cast<std::size_t>(k + 1)];
            int & f = F[static_cast<std::size_t>(k)];
            f = std::max(above - scheme.open, F[static_cast<std::size_t>(k + 1)]) - scheme.extend;
            E = std::max(left - scheme.open, E) - scheme.extend;
            if (j < 0 || j > n)
                h = none;
            else if (j == 0)
                h = -scheme.open - scheme.extend * i;
            else
                h = std::max(
                    {h + (code(pair.query[i - 1]) == code(pair.target[j - 1]) ? scheme.best : scheme.worst), E, f});
            left = h;
        }
    }
    return *std::max_element(H.begin(), H.end());
}

} // namespace

double width_per_row(Piece const & piece, Scheme const & scheme, Team * team)
{
    std::vector<PairView> pairs;
    for (std::uint64_t k = 0; k < tries && pairs.size() < sample; ++k)
        if (PairView const pair = piece.batch.view(piece.pairs[k * piece.pairs.size() / tries]);
            pair.m >= least_rows && pair.n >= least_rows)
            pairs.push_back(pair);
    if (pairs.empty())
        return 0;
    bool const are_letters = piece.batch.are_letters();
    auto const code = [&](std::uint8_t byte) { return are_letters ? piece.scoring.codes()[byte] : byte; };
    std::vector<double> widths(pairs.size());
    for_each(team, pairs.size(), [&](std::uint64_t k) {
        auto const rows = static_cast<int>(std::min<std::uint64_t>({pairs[k].m, pairs[k].n, most_rows_of_probe}));
        int const score = score_of_begin(pairs[k], rows, scheme, code);
        widths[k] = static_cast<double>(scheme.best * rows - score) / (scheme.best + 2 * scheme.extend) / rows;
    });
    std::sort(widths.begin(), widths.end());
    std::size_t const count = widths.size() > 2 * strangers ? widths.size() - strangers : widths.size();
    double sum = 0;
    for (std::size_t k = 0; k < count; ++k)
        sum += widths[k];
    return std::min(1.0, more * sum / static_cast<double>(count));
}

} // namespace nwgpu::cuda::batch
