// SPDX-License-Identifier: BSD-3-Clause
// The engine that chooses between a CPU and a GPU, both stand-ins.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "align/auto_backend.hpp"
#include "support/cases.hpp"
#include "support/stand_in.hpp"

namespace nwgpu::test {

class AutoBackendTest : public testing::Test {
protected:
    AutoBackendTest()
    {
        auto cpu = std::make_unique<StandIn>(1);
        cpu_ = cpu.get();
        auto const make_gpu = [this]() -> std::unique_ptr<Backend> {
            ++made_;
            if (cannot_make_)
                throw Error{Status::device, "no engine"};
            auto gpu = std::make_unique<StandIn>(2);
            gpu->thrown = thrown_;
            gpu->failing = failing_;
            gpu->saves = saves_;
            gpu->answered_before = answered_before_;
            gpu_ = gpu.get();
            return gpu;
        };
        backend_ = make_auto_backend(std::move(cpu), "gpu", make_gpu,
                                     [this](std::string const & text) { log_.push_back(text); });
    }
    BatchResult align(Progress const & progress = {}, Request const & request = {})
    {
        // Pairs 0 and 2 are short, pair 1 is long.
        return align({{0, 0}, {1, 1}, {2, 1}}, progress, request);
    }
    BatchResult align(std::vector<Pair> const & pairs, Progress const & progress = {}, Request const & request = {},
                      std::uint64_t max_host_bytes = 0)
    {
        std::vector<std::uint8_t> const bytes(140120, 'A');
        std::vector<std::uint64_t> const offsets{0, 100, 140100, 140120};
        CodedSequences const sequences{{bytes, offsets}, scoring_};
        return test::align(*backend_, {sequences, sequences, pairs}, scoring_, request, progress, max_host_bytes);
    }

    Scoring const scoring_ = Scoring::uniform(1, 1, {1, 1});
    StandIn *cpu_ = nullptr, *gpu_ = nullptr;
    int made_ = 0;
    bool cannot_make_ = false;
    Status thrown_ = Status::ok, failing_ = Status::ok;
    std::function<void(std::string const &)> saves_; // what the GPU does before it fails
    std::size_t answered_before_ = 0;
    std::unique_ptr<Backend> backend_;
    std::vector<std::string> log_;
};

} // namespace nwgpu::test
