// SPDX-License-Identifier: BSD-3-Clause
// Letters that the device turns into codes.
#include <gtest/gtest.h>

#include "align/aligner.hpp"
#include "gpu/gpu.hpp"
#include "model/alphabet.hpp"

namespace nwgpu::test {
namespace {

// Letters as the caller has them, in both cases, with invalid ones in some sequences and long pairs between: codes are
// made on the device, and on the host for the pairs that are left.
TEST(GpuLetters, OfTheCaller)
{
    NWGPU_NEEDS_GPU();
    constexpr std::uint64_t margin = 128;
    AlignerOptions options;
    options.backend = BackendKind::cpu;
    Aligner cpu{options};
    options.backend = BackendKind::cuda;
    Aligner gpu{options};
    Scoring const scoring = Scoring::uniform(1, 3, {3, 2}, alphabet_codes("dna"));
    for (int const invalid : {0, 1, 7}) { // sequences with such letters
        Random random{92};
        std::vector<std::uint8_t> letters[2] = {std::vector<std::uint8_t>(margin), std::vector<std::uint8_t>(margin)};
        std::vector<std::uint64_t> offsets[2] = {{0}, {0}};
        std::vector<Pair> pairs;
        for (std::uint64_t k = 0; k < 70000; ++k) {
            std::uint64_t const length = k % 20000 == 13 ? 3000 : random.below(60);
            std::string query = random_sequence(random, length, "ACGTacgtu"),
                        target = mutated(random, query, "ACGTacgtu", 0.1);
            if (k % 10000 < static_cast<std::uint64_t>(invalid) && !query.empty())
                query[query.size() / 2] = '!';
            pairs.push_back({k, k});
            for (int const side : {0, 1}) {
                std::string const & text = side == 0 ? query : target;
                letters[side].insert(letters[side].end(), text.begin(), text.end());
                offsets[side].push_back(offsets[side].back() + text.size());
            }
        }
        auto const raw = [&](int side, std::uint64_t at) {
            letters[side].resize(offsets[side].back() + 2 * margin);
            return RawSequences{std::span{letters[side]}.subspan(margin, offsets[side].back()), offsets[side], at};
        };
        for (std::uint64_t const readable : {std::uint64_t{0}, margin})
            for (Output const output : {Output::cigar, Output::score}) {
                Request const request{{.local = true}, output, CigarStyle::eqx};
                Problem const problem{raw(0, readable), raw(1, readable), pairs};
                BatchResult const expected = cpu.align(problem, scoring, request, {});
                BatchResult const actual = gpu.align(problem, scoring, request, {});
                std::string const words = "GpuLetters.OfTheCaller seed=92 invalid=" + std::to_string(invalid);
                EXPECT_EQ(expected.status, actual.status) << words;
                EXPECT_EQ(expected.score, actual.score) << words;
                EXPECT_EQ(expected.span, actual.span) << words;
                EXPECT_EQ(expected.runs, actual.runs) << words;
                EXPECT_EQ(expected.run_offsets, actual.run_offsets) << words;
                for (std::uint64_t p = 0; p < pairs.size(); ++p)
                    if (expected.status[p] != Status::ok) {
                        EXPECT_EQ(expected.failures.message(p), actual.failures.message(p)) << words;
                    }
            }
    }
}

} // namespace
} // namespace nwgpu::test
