// SPDX-License-Identifier: BSD-3-Clause
// One pair as a published algorithm gets it, and what runs such algorithms: a CPU or a GPU.
#pragma once

#include <memory>
#include <string>

#include "backend/monitor.hpp"
#include "cuda/engine.hpp"
#include "model/batch.hpp"
#include "model/mode.hpp"
#include "model/result.hpp"
#include "published/registry.hpp"

namespace nwgpu::published {

struct Task {
    PairView pair; // neither sequence is empty
    Scoring const & scoring;
    Request const & request;
    Choice const & choice;
    Monitor & monitor;
    std::uint64_t max_host_bytes;

    bool traced() const { return request.output >= Output::span; }
    std::int32_t open() const { return static_cast<std::int32_t>(scoring.gap().open); }
    std::int32_t extend() const { return static_cast<std::int32_t>(scoring.gap().extend); }
};

class Machine {
public:
    virtual ~Machine() = default;
    virtual std::string name() const = 0;
    virtual int threads() const = 0;
    virtual std::uint64_t device_budget() = 0; // bytes
    // What all pairs of one call share.
    virtual void begin(Batch const & batch, Scoring const & scoring) = 0;
    // Score and end, and begin and runs if the task is traced.
    virtual PairResult solve(Task const & task) = 0;
    virtual void trim() = 0;
};

std::unique_ptr<Machine> make_cpu_machine(Algorithm const & algorithm, int threads);
// Throws Error unsupported (build without CUDA) or no_device.
// As many GPUs as the choice asks for.
std::unique_ptr<Machine> make_cuda_machine(Choice const & choice, cuda::EngineOptions const & options);

} // namespace nwgpu::published
