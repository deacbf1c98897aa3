// SPDX-License-Identifier: BSD-3-Clause
// What the rest of a path gains, against every path (docs/proofs.md, lemma 35).
#include "cpu/pair/most_of_letters.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "support/cases.hpp"

namespace nwgpu::cpu {
namespace {

using namespace test;

// By the query letter and the target letter that a path goes on from, in any way, a gap's included: the most that it
// gains.
class Rests {
public:
    Rests(PairView const & pair, Scoring const & scoring) : n_{pair.n + 1}, best_((pair.m + 1) * n_)
    {
        auto const [open, extend] = scoring.gap();
        std::vector<std::int64_t> h((pair.m + 1) * n_), e = h, f = h;
        for (std::uint64_t i = pair.m + 1; i-- > 0;)
            for (std::uint64_t j = n_; j-- > 0;) {
                std::uint64_t const at = i * n_ + j, down = at + n_, right = at + 1;
                bool const has_down = i < pair.m, has_right = j < pair.n;
                if (has_down && has_right)
                    h[at] = std::max(h[at], scoring.score(pair.query[i], pair.target[j]) + h[down + 1]);
                if (has_down)
                    h[at] = std::max(h[at], f[down] - open - extend);
                if (has_right)
                    h[at] = std::max(h[at], e[right] - open - extend);
                f[at] = std::max(h[at], has_down ? f[down] - extend : 0);
                e[at] = std::max(h[at], has_right ? e[right] - extend : 0);
                best_[at] = std::max({h[at], e[at], f[at]});
            }
    }
    std::int64_t from(std::uint64_t i, std::uint64_t j) const { return best_[i * n_ + j]; }

private:
    std::uint64_t n_;
    std::vector<std::int64_t> best_;
};

// The target has a change in every word of the query, or in two that are neighbours, each as cheap as can be; of one
// kind, or of any.
std::string changed(Random & random, std::string const & query)
{
    constexpr std::size_t letters = 16;
    std::string target;
    int const usual = static_cast<int>(random.below(5));
    bool const mixed = random.chance(0.3);
    for (std::size_t begin = 0; begin < query.size();) {
        switch (mixed ? static_cast<int>(random.below(5)) : usual) {
        case 0: { // a mismatch
            std::string word = query.substr(begin, letters);
            char & letter = word[random.below(word.size())];
            letter = letter == 'A' ? 'C' : 'A';
            target += word;
            begin += letters;
            break;
        }
        case 1: { // a letter more
            std::string word = query.substr(begin, letters);
            target += word.insert(word.size() / 2, 1, "ACGT"[random.below(4)]);
            begin += letters;
            break;
        }
        case 2: // a letter of each of two words is missing
            target += query.substr(begin, letters - 1);
            target += query.substr(std::min(query.size(), begin + letters + 1), letters - 1);
            begin += 2 * letters;
            break;
        case 3: { // and all letters of the words between them
            std::size_t const between = 1 + random.below(4);
            target += query.substr(begin, letters - 1);
            target += query.substr(std::min(query.size(), begin + (1 + between) * letters + 1), letters - 1);
            begin += (2 + between) * letters;
            break;
        }
        default: // whole words are missing
            begin += letters * (1 + random.below(2));
        }
    }
    return target;
}

TEST(MostOfLetters, NoPathGainsMore)
{
    int lost = 0; // letters from which less can be gained than equal ones would give
    for (std::uint64_t seed = 1; seed <= 2500 && !testing::Test::HasFailure(); ++seed) {
        Random random{seed};
        std::uint64_t const match = random.between(1, 3), mismatch = random.below(8 * match),
                            open = random.below(12 * match), extend = random.below(match + 1);
        auto const number = [](std::uint64_t n) { return static_cast<std::int64_t>(n); };
        Scoring const scoring = Scoring::uniform(number(match), number(mismatch), {number(open), number(extend)});
        std::string query = random_sequence(random, random.between(1, 400), "ACGT"), target = changed(random, query);
        if (random.chance(0.5))
            std::swap(query, target);
        PairSet const set{{{query, target}}, scoring};
        PairView const pair = set.view(0);
        Rests const rests{pair, scoring};
        MostOfLetters const rows{pair, scoring}, columns{{pair.target, pair.n, pair.query, pair.m}, scoring};
        for (std::uint64_t i = 0; i <= pair.m; ++i)
            for (std::uint64_t j = 0; j <= pair.n; ++j) {
                std::int64_t const rest = rests.from(i, j);
                ASSERT_LE(rest, rows.most_from(i))
                    << "MostOfLetters.NoPathGainsMore seed=" << seed << " i=" << i << " j=" << j;
                ASSERT_LE(rest, columns.most_from(j))
                    << "MostOfLetters.NoPathGainsMore seed=" << seed << " i=" << i << " j=" << j;
            }
        lost += rows.most_from(0) < number(match * pair.m);
    }
    EXPECT_GT(lost, 100);
}

} // namespace
} // namespace nwgpu::cpu
