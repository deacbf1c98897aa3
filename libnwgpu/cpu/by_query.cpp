// SPDX-License-Identifier: BSD-3-Clause
#include "cpu/by_query.hpp"

#include <algorithm>
#include <new>

#include "cpu/probe.hpp"
#include "cpu/work.hpp"

namespace nwgpu::cpu {

bool ByQuery::takes(Piece const & piece) const
{
    return piece.pairs.size() >= QueryBatch::least_pairs(kernels_, tuning_.lanes > 0) && tuning_.lanes >= 0 &&
           tuning_ == Tuning{.lanes = tuning_.lanes} && QueryBatch::takes(piece.scoring, piece.request) &&
           (piece.max_host_bytes == 0 || bytes(piece) <= piece.max_host_bytes);
}

std::uint64_t ByQuery::bytes(Piece const & piece) const
{
    return QueryBatch::bytes(piece, kernels_, static_cast<std::uint64_t>(team_.size()));
}

std::optional<Array<std::uint64_t>> ByQuery::align(Piece const & piece, Monitor & monitor, Answers * answers)
{
    if (!takes(piece))
        return std::nullopt;
    try {
        QueryBatch batch{piece, kernels_, tuning_.lanes > 0, team_};
        if (batch.groups() == 0)
            return std::nullopt;
        Array<std::uint64_t> others(piece.pairs.size());
        memories_.resize(static_cast<std::size_t>(team_.size()));
        team_.run(
            static_cast<int>(std::min(batch.groups(), memories_.size())),
            [&](int thread) {
                AnswerWriter writer{answers};
                batch.work(memories_[static_cast<std::size_t>(thread)], writer, monitor);
            },
            true, [&] { monitor.report_if_due(); });
        others.resize(batch.others(others));
        return others;
    } catch (std::bad_alloc const &) { // alone they take less
        return std::nullopt;
    }
}

std::optional<ByQuery::Share> ByQuery::sample(Piece const & piece) const
{
    constexpr double enough_seconds = 4e-3;
    if (!takes(piece))
        return std::nullopt;
    try {
        QueryBatch batch{piece, kernels_, tuning_.lanes > 0, team_};
        Progress const silent;
        Monitor monitor{silent, 1, team_};
        QueryMemory memory;
        double seconds = 0, cells = 0, answered = 0;
        for (std::size_t k = 0; k < batch.groups() && seconds < enough_seconds; ++k) {
            if (k == 0) // with new memory
                batch.try_group(k, memory, monitor);
            double const begin = thread_seconds();
            answered += batch.try_group(k, memory, monitor) * batch.cells_of(k);
            seconds += thread_seconds() - begin;
            cells += batch.cells_of(k);
        }
        if (cells == 0)
            return std::nullopt;
        auto const threads = static_cast<std::size_t>(team_.size());
        return Share{1 - batch.part_in_groups() * answered / cells,
                     batch.cells_of_thread(threads) * seconds / cells * longer_beside(team_.size()),
                     piece.max_host_bytes == 0 ? threads * batch.workspace() : bytes(piece)};
    } catch (std::bad_alloc const &) {
        return std::nullopt;
    }
}

} // namespace nwgpu::cpu
