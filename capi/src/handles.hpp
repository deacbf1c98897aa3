// SPDX-License-Identifier: BSD-3-Clause
// What stands behind the opaque handles of nwgpu.h.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "align/aligner.hpp"
#include "call_state.hpp"
#include "model/matrices.hpp"

struct nwgpu_context {
    explicit nwgpu_context(nwgpu::AlignerOptions const & options) : aligner{options}, name{aligner.backend().name()} {}

    nwgpu::Aligner aligner;
    std::string name;
    std::string algorithm;                         // published, in place of the engine; empty: the engine
    std::shared_ptr<nwgpu::Scoring const> scoring; // of the last call
    nwgpu::capi::CallState call;
};

struct nwgpu_matrix {
    nwgpu::ScoreMatrix value;
};

struct nwgpu_sequences {
    static constexpr std::uint64_t margin = nwgpu::CodedSequences::padding;

    std::unique_ptr<std::uint8_t[]> copy; // the letters, between margins; null: they are the caller's
    std::uint8_t const * bytes = nullptr; // the first letter
    std::vector<std::uint64_t> offsets;   // from 0
    std::uint64_t fingerprint = 0;        // of letters and offsets
    mutable nwgpu::CodeCache codes;
    std::shared_ptr<void const> origin = std::make_shared<char>(); // RawSequences::origin

    nwgpu::RawSequences raw() const { return {{bytes, offsets.back()}, offsets, copy ? margin : 0, origin}; }
};

// The answer, and the question: nwgpu_traceback asks it again.
struct nwgpu_result {
    nwgpu::BatchResult value;
    nwgpu::Array<nwgpu::Pair> pairs;    // that were aligned
    std::vector<std::uint64_t> numbers; // of the entries' pairs in an earlier call; empty: as in `value`
    std::shared_ptr<nwgpu::Scoring const> scoring;
    nwgpu::Request request;
    std::string algorithm;
    std::uint64_t queries = 0, targets = 0; // fingerprints
};
