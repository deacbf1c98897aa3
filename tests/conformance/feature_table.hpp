// SPDX-License-Identifier: BSD-3-Clause
// The features that go together with each other (features_test.cpp), and the pairs that make no sense.
#pragma once

#include <string>
#include <vector>

#include "nwgpu/nwgpu.h"
#include "support/engines.hpp"

namespace nwgpu::test {

// A call, as two features make it.
struct Job {
    BackendKind kind = BackendKind::cpu;
    Request request{Mode{}, Output::cigar, CigarStyle::eqx};
    int threads = 1;
    bool batch = false, similar = false;    // of the pairs
    bool checkpoint = false, limit = false; // stopped and resumed; with less and less memory
    bool lost = false;                      // a GPU that fails on the way
    bool traceback = false;                 // scores first, through the C interface
};

struct Feature {
    std::string name;
    void (*add)(Job &);
};

inline std::vector<Feature> const features{
    {"local", [](Job & job) { job.request.mode.local = true; }},
    {"extend", [](Job & job) { job.request.mode.extend = true; }},
    {"extend_left", [](Job & job) { job.request.mode.extend_left = true; }},
    {"free_ends", [](Job & job) { job.request.mode.free_query_begin = job.request.mode.free_target_end = true; }},
    {"band", [](Job & job) { job.request.mode.band = Diagonals{}; }}, // how wide: see pairs_of
    {"ties", [](Job & job) { job.request.mode.ties = Ties::gaps_first; }},
    {"top", [](Job & job) { job.request.mode.local = true, job.request.top = 5; }},
    {"batch", [](Job & job) { job.batch = true; }},      // on a GPU: of some hundred letters, many at a time
    {"furthest", [](Job & job) { job.similar = true; }}, // furthest-reaching points, as far as they go
    {"threads", [](Job & job) { job.threads = 3; }},
    {"limit", [](Job & job) { job.limit = true; }},
    {"checkpoint", [](Job & job) { job.checkpoint = true; }},
    {"lost_gpu", [](Job & job) { job.lost = true; }},
    {"traceback", [](Job & job) { job.traceback = true; }},
};

// Pairs of features that make no sense, and how the interface refuses them; NWGPU_OK: it cannot be asked.
struct Reason {
    std::string first, second, words;
    nwgpu_status refusal;
};
inline std::vector<Reason> const reasons{
    {"local", "free_ends", "a local alignment begins and ends where it likes", NWGPU_ERROR_INVALID_ARGUMENT},
    {"local", "extend", "there is one mode a call", NWGPU_OK},
    {"local", "extend_left", "there is one mode a call", NWGPU_OK},
    {"extend", "extend_left", "there is one mode a call", NWGPU_OK},
    {"extend", "free_ends", "an extension ends where it likes", NWGPU_ERROR_INVALID_ARGUMENT},
    {"extend_left", "free_ends", "and begins where it likes to the left", NWGPU_ERROR_INVALID_ARGUMENT},
    {"extend", "top", "several alignments are local ones", NWGPU_ERROR_INVALID_ARGUMENT},
    {"extend_left", "top", "several alignments are local ones", NWGPU_ERROR_INVALID_ARGUMENT},
    {"free_ends", "top", "several alignments are local ones", NWGPU_ERROR_INVALID_ARGUMENT},
    {"band", "top", "several alignments are those of the whole matrix", NWGPU_ERROR_INVALID_ARGUMENT},
    {"ties", "top", "the order of several alignments is that of one tie rule", NWGPU_ERROR_INVALID_ARGUMENT},
    {"band", "checkpoint", "bands go along antidiagonals, checkpoints keep rows", NWGPU_ERROR_UNSUPPORTED},
    {"ties", "checkpoint", "so do other ties", NWGPU_ERROR_UNSUPPORTED},
    {"top", "checkpoint", "the alignments after the first need the whole matrix", NWGPU_ERROR_UNSUPPORTED},
    {"batch", "checkpoint", "a checkpoint belongs to one pair", NWGPU_ERROR_INVALID_ARGUMENT},
    {"band", "lost_gpu", "bands are the CPU's from the beginning", NWGPU_OK},
    {"ties", "lost_gpu", "so are other ties", NWGPU_OK},
    {"lost_gpu", "traceback", "a traceback is a call like others, and a context makes its own GPU", NWGPU_OK},
};

} // namespace nwgpu::test
