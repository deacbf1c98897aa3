// SPDX-License-Identifier: BSD-3-Clause
// Kept lines give back every cell that a scoring scheme allows, from blocks that are written and read one by one.
#include <gtest/gtest.h>

#include <vector>

#include "cpu/pair/kept_line.hpp"
#include "support/random.hpp"

namespace nwgpu::cpu {
namespace {

constexpr std::int64_t most_cost = std::int64_t{1} << 30;

struct Costs {
    std::int64_t match, open, extend;
    std::uint64_t bytes; // of a word
};

TEST(KeptLine, EveryCellComesBack)
{
    for (auto const & [match, open, extend, bytes] :
         {Costs{2, 4, 2, 1}, Costs{1, 0, 1, 1}, Costs{0, 0, 0, 1}, Costs{11, 11, 1, 2}, Costs{600, 1200, 600, 4},
          Costs{40000, 80000, 40000, 8}, Costs{most_cost, most_cost, most_cost, 8}})
        for (std::uint64_t seed = 1; seed <= 40; ++seed) {
            test::Random random{seed};
            Scoring const scoring = Scoring::uniform(match, 1, {open, extend});
            KeptCode const code = KeptCode::of_scores(scoring);
            EXPECT_EQ(code.bytes, bytes);
            std::uint64_t const n = random.between(1, 300), block = random.between(1, 320);
            std::vector<std::byte> words(n * code.bytes);
            std::vector<std::int64_t> corners(n), first(n), second(n);
            std::int64_t const gap = open + extend, corner = static_cast<std::int64_t>(random.between(0, 1 << 20));
            auto const up_to = [&](std::int64_t most) {
                return static_cast<std::int64_t>(random.between(0, 3) == 0 ? 0
                                                 : random.between(0, 3) == 0
                                                     ? static_cast<std::uint64_t>(most)
                                                     : random.between(0, static_cast<std::uint64_t>(most)));
            };
            std::int64_t h = corner;
            for (std::uint64_t k = 0; k < n; ++k) {
                first[k] = h += up_to(match + 2 * gap) - gap;
                second[k] = h - gap + up_to(open);
            }
            KeptLine line{code, 0, n, block, words.data(), corners.data()};
            for (std::uint64_t k = 0, part; k < n; k += part) { // as tiles of a sweep do
                part = random.between(1, n - k);
                line.store(k, BoundaryView<std::int64_t const>{first.data() + k, second.data() + k}, part,
                           k == 0 ? corner : first[k - 1]);
            }
            for (std::uint64_t begin = 0; begin < n; begin += block) {
                std::uint64_t const count = random.between(1, n - begin);
                std::vector<std::int64_t> h_back(count), gap_back(count);
                line.load(begin, BoundaryView<std::int64_t>{h_back.data(), gap_back.data()}, count);
                EXPECT_EQ(line.before(begin), begin == 0 ? corner : first[begin - 1]);
                for (std::uint64_t k = 0; k < count; ++k)
                    ASSERT_TRUE(h_back[k] == first[begin + k] && gap_back[k] == second[begin + k])
                        << "KeptLine seed=" << seed << " match=" << match << " open=" << open << " extend=" << extend
                        << " n=" << n << " block=" << block << " cell=" << begin + k;
            }
        }
}

} // namespace
} // namespace nwgpu::cpu
