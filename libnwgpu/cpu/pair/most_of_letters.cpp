// SPDX-License-Identifier: BSD-3-Clause
#include "cpu/pair/most_of_letters.hpp"

#include <algorithm>

#include "cpu/furthest/one_diagonal.hpp"

namespace nwgpu::cpu {

std::uint64_t MostOfLetters::bytes(std::uint64_t m, std::uint64_t n)
{
    m -= first_of(m, n);
    return SeedBound::bytes_for(m) + (m >> word_bits) * sizeof(std::int32_t);
}

MostOfLetters::MostOfLetters(PairView const & pair, Scoring const & scoring) :
    count_{pair.m}, first_{first_of(pair.m, pair.n)}, match_{std::max<std::int64_t>(0, scoring.max_score())}
{
    if (!scoring.is_uniform() || match_ == 0)
        return;
    cost_ = std::min(Losses::of(scoring).of_word(), match_ << word_bits);
    if (cost_ <= 0)
        return;
    SeedBound seeds;
    std::span<std::int32_t const> const diagonals =
        seeds.find({pair.query + first_, pair.m - first_, pair.target, pair.n});
    lost_from_.resize(diagonals.size());
    std::int32_t lost = 0;
    for (std::size_t word = diagonals.size(); word-- > 0;)
        lost_from_[word] = lost += diagonals[word] == Words::lost;
}

} // namespace nwgpu::cpu
