// SPDX-License-Identifier: BSD-3-Clause
#include "cpu/landmarks/landmarks.hpp"

#include <algorithm>

namespace nwgpu::cpu {

Landmarks::Landmarks(Losses const & losses, bool local, CigarOp inner_gap) :
    losses_{losses},
    local_{local},
    inner_gap_{inner_gap},
    cost_{std::min(losses.of_word(), static_cast<std::int64_t>(Landmark::letters) * losses.match)}
{}

std::int64_t Landmarks::loss_of(std::uint32_t run) const
{
    auto const length = static_cast<std::int64_t>(run_length(run));
    switch (CigarOp const op = run_op(run)) {
    case CigarOp::equal:
        return 0;
    case CigarOp::different:
        return length * losses_.mismatch;
    default:
        return losses_.open + length * (losses_.extend + (op == inner_gap_ ? losses_.match : 0));
    }
}

void Landmarks::find(std::span<std::int32_t const> diagonals, std::span<std::uint32_t const> runs,
                     std::uint64_t outer_begin)
{
    all_.reserve(diagonals.size());
    std::uint64_t word = 0, inner = 0; // words before `word` have been looked at
    auto outer = static_cast<std::int64_t>(outer_begin);
    for (std::uint32_t const run : runs) {
        std::uint64_t const length = run_length(run);
        if (run_op(run) == CigarOp::equal) {
            std::int64_t const diagonal = outer - static_cast<std::int64_t>(inner);
            std::uint64_t const end = std::min<std::uint64_t>((inner + length) / Landmark::letters, diagonals.size());
            for (; word < end; ++word)
                if (diagonals[word] == Words::lost)
                    ++lost_;
                else if (word * Landmark::letters >= inner && diagonals[word] == diagonal)
                    all_.push_back({word, diagonal, loss_, lost_});
        }
        loss_ += loss_of(run);
        inner += run_op(run) == outer_gap() ? 0 : length;
        outer += run_op(run) == inner_gap_ ? 0 : static_cast<std::int64_t>(length);
    }
    lost_ += std::ranges::count(diagonals.subspan(std::min<std::size_t>(word, diagonals.size())), Words::lost);
}

// By a path that loses no more, where so many words are lost.
std::size_t Landmarks::most_touched(std::int64_t loss, std::int64_t lost, int free_ends) const
{
    // A word that is clipped in part costs as little as one letter.
    std::int64_t const clipped = local_ ? std::max<std::int64_t>(0, cost_ - losses_.match) : 0;
    return static_cast<std::size_t>(std::max<std::int64_t>(0, loss - cost_ * lost + clipped * free_ends) / cost_);
}

// Of landmarks that have more of them on either side than may be touched one before and one behind are crossed, and
// between two that are crossed the path is the known one.  What it may touch before a landmark that it crosses is less.
bool Landmarks::find_crossed(bool free_begin, bool free_end)
{
    std::size_t const most = most_touched(loss_, lost_, 2), count = all_.size();
    if (count <= 2 * most)
        return false;
    first_ = most;
    last_ = count - 1 - most;
    while (free_begin) {
        std::size_t const fewer = most_touched(first().loss, first().lost, 1);
        if (fewer >= first_)
            break;
        first_ = fewer;
    }
    while (free_end) {
        std::size_t const fewer = most_touched(loss_ - last().loss, lost_ - last().lost, 1);
        if (last_ + fewer + 1 >= count)
            break;
        last_ = count - 1 - fewer;
    }
    return true;
}

} // namespace nwgpu::cpu
