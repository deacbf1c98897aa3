// SPDX-License-Identifier: BSD-3-Clause
// The best cell of a local pair from the columns that the lanes of a group keep, without a GPU, against the oracle.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "gpu/host_sweep.hpp"
#include "reference/oracle.hpp"
#include "support/cases.hpp"

namespace nwgpu::test {
namespace {

using namespace cuda::batch;

template <int rows>
PairResult end_on_host(PairView const & view, Scoring const & scoring, Mode const & mode, int lanes)
{
    HostSweep<rows, true, BestCell::place> sweep{view, scoring, mode, lanes};
    sweep.run([](auto const &...) {});
    Answer const answer = sweep.best_cell();
    PairResult result;
    result.score = sweep.scheme.unit * answer.score;
    result.span = {no_position, answer.query_end, no_position, answer.target_end};
    return result;
}

PairResult end_on_host(PairView const & view, Scoring const & scoring, Mode const & mode, GroupShape const & shape)
{
    switch (shape.height) {
    case 0:
        return end_on_host<16>(view, scoring, mode, shape.lanes());
    case 1:
        return end_on_host<25>(view, scoring, mode, shape.lanes());
    case 2:
        return end_on_host<32>(view, scoring, mode, shape.lanes());
    default:
        return end_on_host<38>(view, scoring, mode, shape.lanes());
    }
}

class LocalEndsTest : public testing::TestWithParam<std::string> {};

// Few letters and small scores, so that many cells are best.
TEST_P(LocalEndsTest, EqualOracle)
{
    Scheme const & s = scheme(GetParam());
    Random random{72};
    Mode const mode{.local = true};
    BatchScheme const fits = make_batch_scheme(s.scoring, mode).value();
    for (int k = 0; k < 200; ++k) {
        GroupShape const shape{k % height_count, k / 4 % 3};
        std::uint64_t const m = random.chance(0.2) ? shape.capacity() : 1 + random.below(shape.capacity()),
                            n = 1 + random.below(160);
        if (!fits.fits(m, n))
            continue;
        std::string const letters{s.letters.substr(0, random.chance(0.5) ? s.letters.size() : 2)};
        PairSet const set{{random_pair(random, random.pick(all_models()), m, n, letters)}, s.scoring};
        PairResult const expected = reference::align(set.view(0), s.scoring, mode),
                         actual = end_on_host(set.view(0), s.scoring, mode, shape);
        ASSERT_EQ(actual.score, expected.score) << k;
        ASSERT_EQ(actual.span.query_end, expected.span.query_end) << k;
        ASSERT_EQ(actual.span.target_end, expected.span.target_end) << k;
    }
}

std::vector<std::string> names()
{
    std::vector<std::string> all;
    for (Scheme const & s : all_schemes())
        if (s.letters.size() <= most_letters && make_batch_scheme(s.scoring, {.local = true}))
            all.push_back(s.name);
    return all;
}
INSTANTIATE_TEST_SUITE_P(All, LocalEndsTest, testing::ValuesIn(names()), [](auto const & info) { return info.param; });

} // namespace
} // namespace nwgpu::test
