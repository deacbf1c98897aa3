// SPDX-License-Identifier: BSD-3-Clause
#include "cuda/known_score.hpp"

#include <new>

#include "backend/known_score.hpp"

namespace nwgpu::cuda {

namespace {

constexpr std::uint64_t least_cells = 500'000'000'000; // 0.2 s; in less, strips hardly wait for what is skipped
// One sequence is so many times as long as the other, at most: what is skipped depends on the shorter one.
constexpr std::uint64_t most_ratio = 16;

bool pays(Piece const & piece, std::uint64_t p)
{
    PairView const pair = piece.batch.view(p);
    return pair.cells() >= least_cells && pair.m / most_ratio <= pair.n && pair.n / most_ratio <= pair.m;
}

bool is_looked_for(EngineOptions const & options, Piece const & piece, std::uint64_t p)
{
    Request const & request = piece.request;
    bool const skips = request.mode.local && request.top == 1 && !request.every_cell && options.tuning.skip >= 0;
    return skips && (pays(piece, p) || options.tuning.skip > 0) && options.host && piece.max_host_bytes == 0;
}

// 0 where it cannot be found.
std::int64_t find_known_score(EngineOptions const & options, Piece const & piece, std::uint64_t p, Monitor & monitor)
{
    try {
        return nwgpu::known_score(piece, p, *options.host, monitor);
    } catch (Error const & error) {
        if (error.status == Status::cancelled)
            throw;
    } catch (std::bad_alloc const &) {
    }
    return 0;
}

} // namespace

std::int64_t known_score(EngineOptions const & options, Piece const & piece, std::uint64_t p, Monitor & monitor)
{
    return is_looked_for(options, piece, p) ? find_known_score(options, piece, p, monitor) : 0;
}

std::optional<path::Band> expected_band(EngineOptions const & options, Piece const & piece, std::uint64_t p,
                                        Monitor & monitor)
{
    if (!pays(piece, p) || !options.host || piece.max_host_bytes != 0)
        return std::nullopt;
    PairView const pair = piece.batch.view(p);
    std::int64_t const score = find_known_score(options, piece, p, monitor);
    auto const half_width = path::BandProof{pair, piece.scoring}.half_width(score);
    return score > 0 && half_width ? std::optional{path::band_around(pair, *half_width)} : std::nullopt;
}

std::uint64_t known_score_bytes(EngineOptions const & options, Piece const & piece, std::uint64_t p)
{
    PairView const pair = piece.batch.view(p);
    return is_looked_for(options, piece, p) ? nwgpu::known_score_bytes(pair.m, pair.n, options.host->threads()) : 0;
}

} // namespace nwgpu::cuda
