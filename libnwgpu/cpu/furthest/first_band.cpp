// SPDX-License-Identifier: BSD-3-Clause
#include "cpu/furthest/first_band.hpp"

#include <cmath>

#include "cpu/furthest/penalties.hpp"
#include "cpu/furthest/seed_bound.hpp"
#include "path/band.hpp"

namespace nwgpu::cpu {

namespace {

// Of the letters of the shorter sequence.  Where each changes with a chance of c, a word of w letters is left with one
// of (1 - c)^w.
double changed_letters(PairView const & pair)
{
    PairView const shorter = pair.m <= pair.n ? pair : PairView{pair.target, pair.n, pair.query, pair.m};
    SeedBound seeds;
    double words = 1, found = 1;
    for (std::int32_t const word : seeds.find(shorter)) {
        ++words;
        found += word != Words::lost;
    }
    constexpr int word_letters = 1 << SeedBound::usual_bits;
    return (1 - std::pow(found / words, 1.0 / word_letters)) * static_cast<double>(shorter.m);
}

} // namespace

bool may_prove_band(PairView const & pair, Scoring const & scoring, std::uint64_t half_width)
{
    if (!scoring.is_uniform())
        return true;
    Penalties const penalties = Penalties::of(scoring);
    double const usual = static_cast<double>(penalties.of_both_changes()) / 2; // of a change
    auto const proves = [&](PairView const & part, std::uint64_t most) {
        auto const penalty = static_cast<std::int64_t>(changed_letters(part) * usual);
        auto const proven = path::BandProof{part, scoring}.half_width(penalties.score(part.m, part.n, penalty));
        return proven && *proven < most;
    };
    constexpr std::uint64_t begin_letters = 1 << 15; // so many words that hardly one is found by chance
    std::uint64_t const begin = std::min({pair.m, pair.n, begin_letters});
    return proves({pair.query, begin, pair.target, begin}, half_width * begin / std::max(pair.m, pair.n)) ||
           (begin < std::max(pair.m, pair.n) && proves(pair, half_width));
}

} // namespace nwgpu::cpu
