// SPDX-License-Identifier: BSD-3-Clause
// What stands behind the opaque handles of nwgpu.h.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "align/aligner.hpp"
#include "model/matrices.hpp"
#include "nwgpu/nwgpu.h"

struct nwgpu_context {
    explicit nwgpu_context(nwgpu::AlignerOptions const & options) : aligner{options}, name{aligner.backend().name()} {}

    nwgpu::Aligner aligner;
    std::string name;
};

struct nwgpu_matrix {
    nwgpu::ScoreMatrix value;
};

struct nwgpu_sequences {
    std::vector<std::uint8_t> bytes;
    std::vector<std::uint64_t> offsets;

    nwgpu::RawSequences raw() const { return {bytes, offsets}; }
};

// The answer, and the question: nwgpu_traceback asks it again.
struct nwgpu_result {
    nwgpu::BatchResult value;
    std::vector<nwgpu::Pair> pairs;
    nwgpu::Scoring scoring;
    nwgpu::Request request;
    std::string algorithm;
};
