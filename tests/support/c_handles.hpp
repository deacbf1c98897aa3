// SPDX-License-Identifier: BSD-3-Clause
// The C API for C++ tests, over nwgpu.hpp: the calls that every test makes, with failures as test failures.  Header
// only.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "nwgpu/nwgpu.hpp"

namespace nwgpu::test {

inline nwgpu_context_options cpu_options(int threads = 0)
{
    nwgpu_context_options options = NWGPU_CONTEXT_OPTIONS_INIT;
    options.backend = NWGPU_BACKEND_CPU;
    options.cpu_threads = threads;
    return options;
}

inline nwgpu_scoring dna_scoring()
{
    nwgpu_scoring scoring = NWGPU_SCORING_INIT;
    scoring.match = 4;
    scoring.mismatch = 5;
    scoring.gap_open = 10;
    scoring.gap_extend = 1;
    scoring.letter_codes = nwgpu_alphabet_letter_codes("dna");
    return scoring;
}

inline nwgpu_align_options align_options(int32_t output = NWGPU_OUTPUT_CIGAR, int32_t mode = NWGPU_MODE_GLOBAL)
{
    nwgpu_align_options options = NWGPU_ALIGN_OPTIONS_INIT;
    options.mode = mode;
    options.output = output;
    return options;
}

inline Context make_context(nwgpu_context_options const & options = cpu_options()) { return Context{options}; }

inline Sequences make_sequences(Context & context, std::vector<std::string> const & list) { return {context, list}; }

inline Result align(Context & context, Sequences const & queries, Sequences const & targets,
                    nwgpu_align_options const & options = align_options(),
                    nwgpu_scoring const & scoring = dna_scoring())
{
    return context.align(queries, targets, scoring, options);
}

// Two sequences of `length` letters that take all cells of their matrix: long enough, a call reports and can be ended.
inline std::pair<std::string, std::string> unrelated_letters(std::size_t length)
{
    std::pair<std::string, std::string> both{std::string(length, 'A'), std::string(length, 'A')};
    uint32_t state = 1;
    for (std::string * const sequence : {&both.first, &both.second})
        for (char & letter : *sequence)
            letter = "ACGT"[(state = state * 1664525 + 1013904223) >> 30];
    return both;
}

// The status of nwgpu_align; *error, if given, is filled in.
inline nwgpu_status align_status(Context & context, Sequences const & queries, Sequences const & targets,
                                 nwgpu_align_options const & options, nwgpu_scoring const & scoring = dna_scoring(),
                                 nwgpu_error * error = nullptr)
{
    nwgpu_result * result = nullptr;
    nwgpu_status const status =
        nwgpu_align(context.get(), queries.get(), targets.get(), nullptr, 0, &scoring, &options, &result, error);
    EXPECT_EQ(status == NWGPU_OK, result != nullptr) << "a result exactly on success";
    nwgpu_result_destroy(result);
    return status;
}

// Of an entry; "none" where no CIGARs were asked for.
inline std::string cigar(Result const & result, uint64_t entry = 0)
{
    try {
        return to_string(result.cigar(entry));
    } catch (Error const &) {
        return "none";
    }
}

} // namespace nwgpu::test
