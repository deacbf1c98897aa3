// SPDX-License-Identifier: BSD-3-Clause
// The CIGAR helpers of nwgpu.h.
#include <gtest/gtest.h>

#include "support/c_handles.hpp"

namespace nwgpu::test {
namespace {

TEST(CapiCigar, TextFollowsTheSnprintfRule)
{
    uint32_t const runs[] = {3u << 4 | 7, 12u << 4 | 2};
    char text[8] = "xxxxxxx";
    EXPECT_EQ(nwgpu_cigar_to_text(runs, 2, nullptr, 0), 5u);
    EXPECT_EQ(nwgpu_cigar_to_text(runs, 2, text, sizeof text), 5u);
    EXPECT_STREQ(text, "3=12D");
    EXPECT_EQ(nwgpu_cigar_to_text(runs, 2, text, 3), 5u);
    EXPECT_STREQ(text, "3=");
    EXPECT_EQ(nwgpu_cigar_to_text(nullptr, 0, text, sizeof text), 1u);
    EXPECT_STREQ(text, "*");
}

TEST(CapiCigar, ScoreChecksLettersAndRuns)
{
    auto const bytes = [](char const * text) { return reinterpret_cast<uint8_t const *>(text); };
    nwgpu_scoring const scoring = dna_scoring();
    nwgpu_error error = NWGPU_ERROR_INIT;
    uint32_t const runs[] = {1u << 4 | 7, 2u << 4 | 2, 3u << 4 | 7};
    int64_t score = 0;
    EXPECT_EQ(nwgpu_cigar_score(bytes("GAAC"), 4, bytes("gaaaac"), 6, &scoring, runs, 3, &score, &error), NWGPU_OK);
    EXPECT_EQ(score, 4);
    EXPECT_EQ(nwgpu_cigar_score(bytes("GAAC"), 4, bytes("gaaaac"), 6, &scoring, runs, 2, &score, &error),
              NWGPU_ERROR_INVALID_ARGUMENT);
    EXPECT_EQ(nwgpu_cigar_score(bytes("GAAC"), 4, bytes("ga-aac"), 6, &scoring, runs, 3, &score, &error),
              NWGPU_ERROR_INVALID_SEQUENCE);
    EXPECT_STREQ(error.message, "target: letter '-' at position 2 is not in the alphabet");
    EXPECT_EQ(score, 4);
    EXPECT_EQ(nwgpu_cigar_score(nullptr, 0, nullptr, 0, &scoring, nullptr, 0, &score, &error), NWGPU_OK);
    EXPECT_EQ(score, 0);
}

} // namespace
} // namespace nwgpu::test
