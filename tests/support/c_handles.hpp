// SPDX-License-Identifier: BSD-3-Clause
// The C API for C++ tests: owning handles, and the calls that every test makes.  Header only; sees nwgpu.h alone.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "nwgpu/nwgpu.h"

namespace nwgpu::test {

template <auto destroy>
struct Destroy {
    template <typename Handle>
    void operator()(Handle * handle) const
    {
        destroy(handle);
    }
};
using Context = std::unique_ptr<nwgpu_context, Destroy<nwgpu_context_destroy>>;
using Sequences = std::unique_ptr<nwgpu_sequences, Destroy<nwgpu_sequences_destroy>>;
using Matrix = std::unique_ptr<nwgpu_matrix, Destroy<nwgpu_matrix_destroy>>;
using Result = std::unique_ptr<nwgpu_result, Destroy<nwgpu_result_destroy>>;

inline nwgpu_context_options cpu_options(int threads = 0)
{
    nwgpu_context_options options{};
    options.struct_size = sizeof options;
    options.backend = NWGPU_BACKEND_CPU;
    options.cpu_threads = threads;
    return options;
}

inline nwgpu_scoring dna_scoring()
{
    return {sizeof(nwgpu_scoring), 4, 5, 10, 1, 0, nullptr, nwgpu_alphabet_codes("dna")};
}

inline nwgpu_align_options align_options(int32_t output = NWGPU_OUTPUT_CIGAR, int32_t span = NWGPU_SPAN_GLOBAL)
{
    nwgpu_align_options options{};
    options.struct_size = sizeof options;
    options.span = span;
    options.output = output;
    return options;
}

inline Context make_context(nwgpu_context_options const & options = cpu_options())
{
    nwgpu_error error = NWGPU_ERROR_INIT;
    nwgpu_context * context = nullptr;
    EXPECT_EQ(nwgpu_context_create(&options, &context, &error), NWGPU_OK) << error.message;
    return Context{context};
}

inline Sequences make_sequences(Context const & context, std::vector<std::string> const & list)
{
    std::string bytes;
    std::vector<uint64_t> offsets{0};
    for (std::string const & sequence : list) {
        bytes += sequence;
        offsets.push_back(bytes.size());
    }
    nwgpu_error error = NWGPU_ERROR_INIT;
    nwgpu_sequences * sequences = nullptr;
    EXPECT_EQ(nwgpu_sequences_create(context.get(), reinterpret_cast<uint8_t const *>(bytes.data()), offsets.data(),
                                     list.size(), &sequences, &error),
              NWGPU_OK)
        << error.message;
    return Sequences{sequences};
}

inline Result align(Context const & context, Sequences const & queries, Sequences const & targets,
                    nwgpu_align_options const & options = align_options(),
                    nwgpu_scoring const & scoring = dna_scoring())
{
    nwgpu_error error = NWGPU_ERROR_INIT;
    nwgpu_result * result = nullptr;
    EXPECT_EQ(nwgpu_align(context.get(), queries.get(), targets.get(), nullptr, 0, &scoring, &options, &result, &error),
              NWGPU_OK)
        << error.message;
    return Result{result};
}

inline std::string cigar(Result const & result, uint64_t pair = 0)
{
    uint32_t const * runs = nullptr;
    uint64_t const * offsets = nullptr;
    if (nwgpu_result_cigars(result.get(), &runs, &offsets, nullptr) != NWGPU_OK)
        return "none";
    char text[256];
    nwgpu_cigar_to_text(runs + offsets[pair], offsets[pair + 1] - offsets[pair], text, sizeof text);
    return text;
}

} // namespace nwgpu::test
