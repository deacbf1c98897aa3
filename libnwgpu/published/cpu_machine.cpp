// SPDX-License-Identifier: BSD-3-Clause
// The CPU as a machine for published algorithms: which function runs which.
#include <string_view>

#include "published/cpu_algorithms.hpp"

namespace nwgpu::published {

namespace {

using Solve = PairResult (*)(Task const &, int threads);

Solve function_of(std::string_view name)
{
    if (name == "cpu1-st-row")
        return cpu1_st_row;
    if (name == "cpu2-st-diag")
        return cpu2_st_diag;
    if (name == "cpu3-st-diagrow")
        return cpu3_st_diagrow;
    if (name == "cpu4-mt-diagrow")
        return cpu4_mt_diagrow;
    if (name == "swat-serial")
        return swat_serial;
    throw Error{Status::internal, "algorithm " + std::string{name} + " has no CPU code"};
}

class CpuMachine final : public Machine {
public:
    CpuMachine(Algorithm const & algorithm, int threads) : solve_{function_of(algorithm.name)}, threads_{threads} {}
    std::string name() const override { return "cpu"; }
    int threads() const override { return threads_; }
    std::uint64_t device_budget() override { return 0; }
    void begin(Batch const &, Scoring const &) override {}
    PairResult solve(Task const & task) override { return solve_(task, threads_); }
    void trim() override {}

private:
    Solve solve_;
    int threads_;
};

} // namespace

std::unique_ptr<Machine> make_cpu_machine(Algorithm const & algorithm, int threads)
{
    return std::make_unique<CpuMachine>(algorithm, threads);
}

} // namespace nwgpu::published
