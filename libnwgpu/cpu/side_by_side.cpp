// SPDX-License-Identifier: BSD-3-Clause
#include "cpu/side_by_side.hpp"

#include <algorithm>
#include <new>
#include <optional>

#include "base/ceil_div.hpp"
#include "base/pieces.hpp"
#include "cpu/furthest/furthest_plan.hpp"

namespace nwgpu::cpu {

namespace {

// Pairs that a thread takes into lanes of bits at a time, at most: enough to fill them several times; and so many parts
// of all pairs for each thread.
constexpr std::uint64_t most_in_lanes = 512, parts_per_thread = 4;

} // namespace

// Of entries in parts, of which so many at their begins are wanted: those, in order.
void close_gaps(Array<std::uint64_t> & entries, std::uint64_t part, std::span<std::uint64_t const> wanted)
{
    std::uint64_t to = 0;
    for (std::uint64_t k = 0; k < wanted.size(); ++k)
        to = static_cast<std::uint64_t>(std::copy_n(entries.data() + k * part, wanted[k], entries.data() + to) -
                                        entries.data());
    entries.resize(to);
}

// align(thread, some of the pairs) leaves the others at their begin and returns how many those are.
template <class Align>
void SideBySide::take_out(int threads, Array<std::uint64_t> & pairs, Align const & align)
{
    std::uint64_t const count = pairs.size(), parts = parts_per_thread * static_cast<std::uint64_t>(threads),
                        part = std::clamp(ceil_div(count, parts), few_pairs, most_in_lanes);
    Array<std::uint64_t> left(ceil_div(count, part));
    for_pieces_of_threads(
        &team_, threads, count,
        [&](int thread, std::uint64_t begin, std::uint64_t end) {
            try {
                left[begin / part] = align(thread, std::span{pairs.data() + begin, end - begin});
            } catch (std::bad_alloc const &) { // alone they take less
                left[begin / part] = end - begin;
            }
        },
        part);
    close_gaps(pairs, part, left);
}

std::uint64_t SideBySide::align(Piece const & piece, Scheme const & scheme, int threads, Array<std::uint64_t> & pairs,
                                Monitor & monitor, Answers * answers)
{
    if (pairs.empty())
        return 0;
    auto const penalties = penalties_before_strips(piece.scoring, piece.request, tuning_);
    if (!penalties)
        return 0;
    auto const few = [&](int tuned, std::size_t least) { return pairs.size() < (tuned > 0 ? 1 : least); };
    if (penalties->unit_costs() && tuning_.bits >= 0 &&
        !few(tuning_.bits, BitBatch::least_lanes(kernels_, BitLanes::least_width))) {
        bit_memories_.resize(static_cast<std::size_t>(threads));
        take_out(threads, pairs, [&](int thread, std::span<std::uint64_t> some) {
            AnswerWriter writer{answers};
            BitBatch batch{kernels_, *penalties, piece.request, tuning_.bits > 0,
                           bit_memories_[static_cast<std::size_t>(thread)]};
            return batch.align(piece.batch, some, writer, monitor);
        });
    }
    if (BandBatch::takes(scheme) && tuning_.bands >= 0 && !few(tuning_.bands, BandBatch::least_lanes(kernels_)) &&
        !monitor.stopped())
        return align_in_bands(piece, scheme, threads, pairs, monitor, answers);
    return 0;
}

std::uint64_t SideBySide::bytes_of_thread(Scheme const & scheme, std::uint64_t longest)
{
    constexpr std::uint64_t of_a_path = 32; // of a letter, of the pair whose path is told
    std::uint64_t const in_bits = std::min(longest, BitBatch::most_letters),
                        in_bands = BandBatch::takes(scheme) ? std::min(longest, BandBatch::most_letters) : 0;
    return BitBatch::workspace(in_bits) + BandGroup::workspace(in_bands) + of_a_path * longest;
}

std::uint64_t SideBySide::align_in_bands(Piece const & piece, Scheme const & scheme, int threads,
                                         Array<std::uint64_t> & pairs, Monitor & monitor, Answers * answers)
{
    try {
        memories_.resize(static_cast<std::size_t>(team_.size()));
        band_memories_.resize(static_cast<std::size_t>(threads));
        BandBatch batch{scheme, kernels_, piece.request, tuning_.bands > 0, piece.batch, pairs, &team_};
        if (pairs.size() <= few_pairs)
            threads = 1;
        // Not of a sample, which is to tell how many pairs there are, and not under a limit, for which tasks have
        // plans.
        std::optional<Work> alone;
        if (answers && threads > 1 && piece.max_host_bytes == 0)
            alone.emplace(Piece{piece.batch, {}, piece.scoring, piece.request, 0}, scheme, kernels_, tuning_, losses_,
                          team_);
        team_.run(threads, [&](int thread) {
            AnswerWriter writer{answers};
            batch.work(band_memories_[static_cast<std::size_t>(thread)], writer, monitor);
            if (!alone)
                return;
            ThreadMemory memory{memories_[static_cast<std::size_t>(thread)]};
            while (auto const pair = batch.take_lone(monitor))
                alone->align_alone(*pair, memory, writer, monitor);
        });
        pairs.resize(batch.keep_others());
        return batch.lonely();
    } catch (std::bad_alloc const &) { // alone they take less
        return 0;
    }
}

} // namespace nwgpu::cpu
