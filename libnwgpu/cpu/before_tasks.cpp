// SPDX-License-Identifier: BSD-3-Clause
#include "cpu/before_tasks.hpp"

#include <algorithm>
#include <vector>

#include "base/ceil_div.hpp"
#include "base/pieces.hpp"
#include "cpu/furthest/few_changes.hpp"
#include "cpu/side_by_side.hpp"

namespace nwgpu::cpu {

namespace {

// One of so many threads is enough: tasks take four times as long for such pairs as all threads do before them.  Longer
// ones they cut at landmarks, and take little longer.
constexpr std::uint64_t share_worth_trying = 3, letters_of_landmarks = 2048;

// Upper bound of what a thread allocates for few changes of a pair, and its path.
std::uint64_t few_changes_bytes(std::uint64_t letters) { return 2 * ApartSoFar::bytes(letters) + (1 << 16); }

std::uint64_t longest_sequence(Piece const & piece, Team & team)
{
    std::vector<std::uint64_t> longest(ceil_div(piece.pairs.size(), piece_entries));
    for_pieces(&team, piece.pairs.size(), [&](std::uint64_t k, std::uint64_t end) {
        for (std::uint64_t & of_these = longest[k / piece_entries]; k < end; ++k) {
            PairView const pair = piece.batch.view(piece.pairs[k]);
            of_these = std::max({of_these, pair.m, pair.n});
        }
    });
    return *std::ranges::max_element(longest);
}

} // namespace

BeforeTasks before_tasks(Piece const & piece, Scheme const & scheme, Team & team)
{
    std::uint64_t const limit = piece.max_host_bytes, count = piece.pairs.size();
    if (limit == 0 || count == 0)
        return {team.size(), 0};
    std::uint64_t const longest = longest_sequence(piece, team),
                        of_pairs = count * (sizeof(std::uint64_t) + SideBySide::bytes_per_pair),
                        of_thread = few_changes_bytes(longest) + SideBySide::bytes_of_thread(scheme, longest),
                        most = std::min(static_cast<std::uint64_t>(team.size()), count),
                        threads = std::min(most, (limit - std::min(limit, of_pairs)) / of_thread);
    if (threads < (longest <= letters_of_landmarks ? ceil_div(most, share_worth_trying) : most))
        return {0, 0};
    return {static_cast<int>(threads), of_pairs + threads * of_thread};
}

} // namespace nwgpu::cpu
