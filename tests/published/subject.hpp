// SPDX-License-Identifier: BSD-3-Clause
// Runs a published algorithm on all that it takes and compares with the oracle, CIGARs included.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "published/registry.hpp"
#include "support/cases.hpp"

namespace nwgpu::test {

struct Subject {
    published::Algorithm const & algorithm;
    Backend & backend;
    std::string words; // algorithm and parameters, for the reproducer line

    std::vector<Mode> modes() const
    {
        std::vector<Mode> modes;
        if (algorithm.global)
            modes.push_back({});
        if (algorithm.local)
            modes.push_back({.local = true});
        return modes;
    }

    // Small enough for 32 bits, and of the gap model.  The paper's own first.
    std::vector<Scheme> schemes() const
    {
        std::vector<Scheme> taken;
        taken.push_back(algorithm.affine ? scheme("dna_5_3_8_1")
                                         : named_matrix("BLOSUM62", {0, 11}, "ARNDCQEGHILKMFPSTWYV"));
        for (Scheme const & s : all_schemes())
            if (published::scores_fit(s.scoring, 70000, 70000) && (algorithm.affine || s.scoring.gap().open == 0))
                taken.push_back(s);
        return taken;
    }

    void check_levels(PairSet const & set, Scheme const & s, Mode const & mode, std::string const & seed)
    {
        auto const full = oracle(set, s.scoring, mode);
        for (Output const output : {Output::score, algorithm.output})
            check(set, s, {mode, output, CigarStyle::eqx}, backend, full, seed + " " + words);
    }

    // `count` pairs of up to `longest` letters for each scheme and mode.
    void check_schemes(int count, std::uint64_t longest, std::uint64_t seed)
    {
        for (Scheme const & s : schemes()) {
            Random random{seed};
            std::vector<SequencePair> pairs;
            for (int k = 0; k < count; ++k)
                pairs.push_back(random_pair(random, random.pick(all_models()), random.below(longest + 1),
                                            random.below(longest + 1), s.letters));
            PairSet const set{std::move(pairs), s.scoring};
            for (Mode const & mode : modes())
                check_levels(set, s, mode, "seed=" + std::to_string(seed));
        }
    }

    // Lengths around tiles, warps and blocks, against each other, in the paper's scheme and one full of ties.
    void check_lengths(std::vector<std::uint64_t> const & lengths, std::uint64_t seed)
    {
        for (Scheme const & s : {schemes().front(), scheme("linear_1_1_0_1")}) {
            Random random{seed};
            std::vector<SequencePair> pairs;
            for (std::uint64_t const m : lengths)
                for (std::uint64_t const n : lengths)
                    pairs.push_back(random_pair(random, random.chance(0.5) ? Model::mutated : random.pick(all_models()),
                                                m, n, s.letters));
            PairSet const set{std::move(pairs), s.scoring};
            for (Mode const & mode : modes())
                check_levels(set, s, mode, "lengths seed=" + std::to_string(seed));
        }
    }
};

} // namespace nwgpu::test
