// SPDX-License-Identifier: BSD-3-Clause
// At least 10^5 random pairs: score, span and CIGAR of the engine are those of the oracle, at every output level,
// and so are the pairs that are below a least score.
#include <gtest/gtest.h>

#include "groups.hpp"

namespace nwgpu::test {
namespace {

void expect_oracle(Group const & group)
{
    PairSet const set{group.pairs, group.scheme->scoring};
    auto const full = oracle(set, group.scheme->scoring, group.mode);
    Output const lower = static_cast<Output>(group.seed % 3);
    for (Output const output : {Output::cigar, lower})
        check(set, *group.scheme, {group.mode, output, CigarStyle::eqx}, group.options, full, group.words());
    // Only scores from that of one pair on, or from beside it.
    Random random{group.seed};
    Request request{group.mode, random.chance(0.5) ? Output::cigar : lower, CigarStyle::eqx};
    request.min_score = random.pick(full).score + static_cast<std::int64_t>(random.below(3)) - 1;
    check(set, *group.scheme, request, group.options, full, group.words());
}

// Four parts, so that ctest -j can run them side by side.  Each part has seeds of its own by its length.
TEST(OracleProperty, ShortPairs) { for_groups(0.6, 40, expect_oracle); }
TEST(OracleProperty, ReadPairs) { for_groups(0.3, 200, expect_oracle); }
TEST(OracleProperty, MediumPairs) { for_groups(0.08, 520, expect_oracle); }
TEST(OracleProperty, LongerPairs) { for_groups(0.02, 1100, expect_oracle); }

} // namespace
} // namespace nwgpu::test
