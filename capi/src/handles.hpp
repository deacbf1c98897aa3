// SPDX-License-Identifier: BSD-3-Clause
// What stands behind the opaque handles of nwgpu.h.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "align/aligner.hpp"
#include "model/matrices.hpp"
#include "nwgpu/nwgpu.h"

struct nwgpu_context {
    explicit nwgpu_context(nwgpu::AlignerOptions const & options) : aligner{options}, name{aligner.backend().name()} {}

    nwgpu::Aligner aligner;
    std::string name;
    std::shared_ptr<nwgpu::Scoring const> scoring; // of the last call
};

struct nwgpu_matrix {
    nwgpu::ScoreMatrix value;
};

struct nwgpu_sequences {
    static constexpr std::uint64_t margin = nwgpu::CodedSequences::padding;

    std::unique_ptr<std::uint8_t[]> bytes; // the sequences, between margins
    std::vector<std::uint64_t> offsets;
    mutable nwgpu::CodeCache codes;

    nwgpu::RawSequences raw() const { return {{bytes.get() + margin, offsets.back()}, offsets, margin}; }
};

// The answer, and the question: nwgpu_traceback asks it again.
struct nwgpu_result {
    nwgpu::BatchResult value;
    std::vector<nwgpu::Pair> pairs;
    std::shared_ptr<nwgpu::Scoring const> scoring;
    nwgpu::Request request;
    std::string algorithm;
};
