// SPDX-License-Identifier: BSD-3-Clause
// Uniform scores over letters that are any bytes: from some length on, those of up to 16 kinds are numbered anew.
#include <gtest/gtest.h>

#include "support/engines.hpp"

namespace nwgpu::test {
namespace {

// So many different bytes; the lower halves of the first 16 are all the same.
std::string bytes(int count)
{
    std::string letters;
    for (int i = 0; i < count; ++i)
        letters += static_cast<char>(i % 16 * 16 + i / 16);
    return letters;
}

class LettersTest : public OnEachEngine<> {};
INSTANTIATE_TEST_SUITE_P(All, LettersTest, on_each_engine(), ParameterNames{});

TEST_P(LettersTest, FewAndManyKinds)
{
    Random random{1};
    for (int const kinds : {1, 2, 15, 16, 17, 40, 256})
        for (Mode const & mode :
             {Mode{}, Mode{.local = true}, Mode{.free_target_begin = true, .free_target_end = true}}) {
            Scheme const s{std::to_string(kinds) + " kinds", Scoring::uniform(2, 4, {4, 2}), bytes(kinds), true};
            std::vector<SequencePair> pairs;
            for (std::uint64_t const length : {999, 1000, 1300}) {
                std::string const query = random_sequence(random, length, s.letters);
                pairs.push_back({query, mutated(random, query, s.letters, 0.2) + s.letters});
            }
            PairSet const set{std::move(pairs), s.scoring};
            auto const full = oracle(set, s.scoring, mode);
            for (EngineSetup options : fast_setups(kind())) {
                options.tuning.lanes = -1;
                for (Output const output : {Output::score, Output::cigar})
                    check(set, s, {mode, output, CigarStyle::eqx}, options, full, "FewAndManyKinds");
            }
        }
}

} // namespace
} // namespace nwgpu::test
