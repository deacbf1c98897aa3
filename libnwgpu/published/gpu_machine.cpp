// SPDX-License-Identifier: BSD-3-Clause
// A GPU as a machine for published algorithms: letters and scores on the device, and which function runs which.
#include <array>
#include <optional>

#include "cuda/kernels/letters.hpp"
#include "cuda/kernels/scheme.hpp"
#include "published/gpu_algorithms.hpp"
#include "published/rowscan/several_gpus.hpp"

namespace nwgpu::published {

namespace {

struct Entry {
    std::string_view name;
    PairResult (*solve)(GpuTask const &);
};

constexpr Entry entries[] = {{"gpu1-ml-diag", gpu1_ml_diag},
                             {"gpu2-ml-diagrow2pass", gpu2_ml_diagrow2pass},
                             {"gpu3-ml-diagdiag", gpu3_ml_diagdiag},
                             {"gpu4-ml-diagdiag2pass", gpu4_ml_diagdiag2pass},
                             {"gpu5-coop-diagdiag", gpu5_coop_diagdiag},
                             {"gpu6-coop-diagdiag2pass", gpu6_coop_diagdiag2pass},
                             {"gpu7-mlsp-diagdiag", gpu7_mlsp_diagdiag},
                             {"gpu8-mlsp-diagdiag", gpu8_mlsp_diagdiag},
                             {"gpu9-mlsp-diagdiagdiag", gpu9_mlsp_diagdiagdiag},
                             {"gpu10-mlsp-supertile", gpu10_mlsp_supertile},
                             {"rowscan", rowscan},
                             {"antidiagonal", antidiagonal},
                             {"swat-offload", swat_offload},
                             {"swat-coalesced", swat_coalesced},
                             {"swat-tiled", swat_tiled},
                             {"swat-barrier", swat_barrier},
                             {"cudalign", cudalign}};

class GpuMachine final : public Machine {
public:
    GpuMachine(Entry const & entry, cuda::EngineOptions const & options) : solve_{entry.solve}, device_{options} {}

    std::string name() const override { return cuda::name(device_.index()); }
    int threads() const override { return 1; }
    std::uint64_t device_budget() override
    {
        cuda::DeviceGuard const guard{device_.index()};
        return device_.budget() - device_.used();
    }

    void begin(Batch const & batch, Scoring const & scoring) override
    {
        cuda::DeviceGuard const guard{device_.index()};
        table_.emplace(batch, scoring);
        scores_ = DeviceArray<Score>{device_, table_->scores};
    }

    PairResult solve(Task const & task) override
    {
        cuda::DeviceGuard const guard{device_.index()};
        PairView const & pair = task.pair;
        DeviceArray<std::uint8_t> const query = letters(pair.query, pair.m, table_->query_map);
        DeviceArray<std::uint8_t> const target = letters(pair.target, pair.n, table_->target_map);
        PairResult result = solve_({task, device_, query.data(), target.data(), scores_.data(), table_->target_letters,
                                    static_cast<std::uint32_t>(table_->scores.size())});
        task.monitor.poll(pair.cells());
        return result;
    }

    void trim() override
    {
        cuda::DeviceGuard const guard{device_.index()};
        device_.trim();
    }

private:
    DeviceArray<std::uint8_t> letters(std::uint8_t const * codes, std::uint64_t length, cuda::LetterMap const & map)
    {
        static constexpr std::array<std::uint8_t, letters_behind> zeros{};
        DeviceArray<std::uint8_t> result{device_, length + letters_behind};
        cuda::upload_letters(device_, result.data(), codes, length, map);
        device_.upload(result.data() + length, zeros.data(), letters_behind);
        return result;
    }

    PairResult (*solve_)(GpuTask const &);
    Device device_;
    std::optional<cuda::ScoreTable> table_;
    DeviceArray<Score> scores_;
};

} // namespace

std::unique_ptr<Machine> make_cuda_machine(Choice const & choice, cuda::EngineOptions const & options)
{
    Algorithm const & algorithm = *choice.algorithm;
    std::string const needs = "algorithm " + std::string{algorithm.name} + " needs a GPU: ";
    if (cuda::device_count() == 0)
        throw Error{Status::no_device, needs + cuda::why_none()};
    if (options.device < 0 || options.device >= cuda::device_count())
        throw Error{Status::no_device, needs + "there is no CUDA device " + std::to_string(options.device)};
    if (choice.value_or("gpus", 1) > 1)
        return make_several_gpus(choice, options);
    for (Entry const & entry : entries)
        if (entry.name == algorithm.name)
            return std::make_unique<GpuMachine>(entry, options);
    throw Error{Status::internal, "algorithm " + std::string{algorithm.name} + " has no CUDA code"};
}

} // namespace nwgpu::published
