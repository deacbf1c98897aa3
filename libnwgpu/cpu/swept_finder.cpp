// SPDX-License-Identifier: BSD-3-Clause
// The K best local alignments in a matrix that another engine has swept.
#include "cpu/engine.hpp"
#include "cpu/kernels/kernel_table.hpp"
#include "cpu/top/align_top.hpp"

namespace nwgpu::cpu {

namespace {

constexpr double cells_per_second = 8e9; // of a thread, for predictions

class Finder final : public checkpoint::SweptFinder {
public:
    explicit Finder(EngineOptions const & options) :
        options_{options},
        kernels_{kernel_table(options.isa)},
        team_{options.team ? options.team : std::make_shared<Team>(options.threads)}
    {}

    Cost cost(Scoring const & scoring, Request const & request, checkpoint::SlabShape const & shape,
              std::uint64_t max_host_bytes) const override
    {
        PairPlan const plan = plan_of(Scheme{scoring}, request, shape, max_host_bytes);
        return {plan.bytes, plan.work / (cells_per_second * team_->size())};
    }

    PairResult find(PairView const & pair, Scoring const & scoring, Request const & request,
                    checkpoint::SweptMatrix swept, std::uint64_t max_host_bytes,
                    std::function<bool()> const & goes_on) const override
    {
        Scheme const scheme{scoring};
        PairPlan const plan = plan_of(scheme, request, swept.slab.shape, max_host_bytes);
        Progress progress;
        if (goes_on)
            progress = [&](std::uint64_t, std::uint64_t) { return goes_on(); };
        Monitor monitor{progress, pair.cells(), *team_};
        return align_top(pair, scheme, kernels_, request, plan, monitor, &swept);
    }

private:
    PairPlan plan_of(Scheme const & scheme, Request const & request, checkpoint::SlabShape const & shape,
                     std::uint64_t max_host_bytes) const
    {
        return plan_swept(shape, scheme, kernels_, request, team_->size(), max_host_bytes, options_.tuning);
    }

    EngineOptions const options_;
    KernelTable const & kernels_;
    std::shared_ptr<Team> const team_;
};

} // namespace

std::shared_ptr<checkpoint::SweptFinder const> make_swept_finder(EngineOptions const & options)
{
    return std::make_shared<Finder>(options);
}

} // namespace nwgpu::cpu
