// SPDX-License-Identifier: BSD-3-Clause
// Pairs of real genomes for GPU tests, and what the CUDAlign paper found for them.
#pragma once

#include <cstdint>
#include <string>

#include <gtest/gtest.h>

#include "model/alphabet.hpp"
#include "support/cases.hpp"
#include "support/data.hpp"

namespace nwgpu::test {

inline SequencePair genomes(std::string const & query, std::string const & target)
{
    auto const read = [](std::string const & name) {
        std::string sequence = read_fasta(name).front().sequence;
        for (char & letter : sequence)
            letter = fold_case(letter);
        return sequence;
    };
    return {read(query), read(target)};
}

// match +1, mismatch -3, first gap 5, extension 2
inline Scheme const & cudalign() { return scheme("dna_1_3_3_2"); }

// Score and end of the best local alignment: the thesis's table 6.7.
struct Published {
    char const * query;
    char const * target;
    std::int64_t score;
    std::uint64_t query_end, target_end;
};

inline auto published_pairs()
{
    return testing::Values(Published{"genomes/NC_000898.1_human_herpesvirus_6B.fa.gz",
                                     "genomes/NC_007605.1_human_herpesvirus_4.fa.gz", 18, 41058, 44353},
                           Published{"genomes/CP000051.1_chlamydia_trachomatis.fa.gz",
                                     "genomes/AE002160.2_chlamydia_muridarum.fa.gz", 88353, 722725, 1072950},
                           Published{"genomes/BA000035.2_corynebacterium_efficiens.fa.gz",
                                     "genomes/BX927147.1_corynebacterium_glutamicum.fa.gz", 4226, 2991493, 2689488});
}

} // namespace nwgpu::test
