// SPDX-License-Identifier: BSD-3-Clause
// Each GPU finds the best end in its share of the target, by the tie rule: the first column, then the first row.  The
// best of these ends, of equal ones that of the first share, is the end of the whole:
//
//     A share holds all alignments that end in its own columns.  In the columns before them, which it has in common
//     with earlier shares, scores may be too low, but never too high.  So a cell with the best score of all shares has
//     that score in the whole matrix; and the share whose own column it is in has found it, or one before it.
//
// Nothing is exchanged but ends.  The path is found by the first GPU, in the columns that it can touch.
#include "published/rowscan/several_gpus.hpp"

#include <algorithm>
#include <atomic>

#include "base/team.hpp"
#include "published/parts/target_parts.hpp"

namespace nwgpu::published {

namespace {

bool lower(PairResult const & a, PairResult const & b) { return a.score < b.score; }

class SeveralGpus final : public Machine {
public:
    SeveralGpus(Choice const & choice, cuda::EngineOptions const & options) :
        one_{choice.with("gpus", 1)}, gpus_{static_cast<std::size_t>(choice.value("gpus"))}, team_{choice.value("gpus")}
    {
        at_once(gpus_.size(), [&](std::size_t k) {
            cuda::EngineOptions own = options;
            own.device = static_cast<int>((static_cast<std::size_t>(options.device) + k) %
                                          static_cast<std::size_t>(cuda::device_count()));
            if (k > 0)
                own.stream = nullptr;
            gpus_[k] = make_cuda_machine(one_, own);
        });
    }

    std::string name() const override { return std::to_string(gpus_.size()) + " x " + gpus_.front()->name(); }
    int threads() const override { return static_cast<int>(gpus_.size()); }
    std::uint64_t device_budget() override
    {
        std::uint64_t least = UINT64_MAX;
        for (auto const & gpu : gpus_)
            least = std::min(least, gpu->device_budget());
        return least;
    }
    void begin(Batch const & batch, Scoring const & scoring) override
    {
        at_once(gpus_.size(), [&](std::size_t k) { gpus_[k]->begin(batch, scoring); });
    }
    void trim() override
    {
        for (auto const & gpu : gpus_)
            gpu->trim();
    }

    PairResult solve(Task const & task) override
    {
        Cut const cut{task.choice, task.request.mode};
        if (!cut.cuts())
            return gpus_.front()->solve(task);
        std::uint64_t const overlap = proven_overlap(task.pair, task.scoring, cut);
        std::vector<path::OverlappingPart> const shares = path::overlapping_parts(task.pair.n, cut.gpus, overlap);
        std::vector<PairResult> ends(shares.size());
        Choice const each = one_.with("parts", static_cast<int>(cut.parts));
        at_once(shares.size(), [&](std::size_t k) {
            ends[k] = solve_columns(task, *gpus_[k], shares[k].begin, shares[k].end,
                                    std::min(Output::end, task.request.output), each);
        });
        PairResult end = *std::max_element(ends.begin(), ends.end(), lower);
        if (!task.traced() || end.score == 0)
            return end;
        // Twice the span, as end_path.cuh wants it.
        std::uint64_t const to = end.span.target_end, touched = 2 * (overlap + 2);
        return solve_columns(task, *gpus_.front(), to - std::min(to, touched), to, task.request.output,
                             one_.with("parts", 1));
    }

private:
    // work(0), ..., work(count - 1), each by a thread of its own, as far as there are threads.  Waits for all, also
    // where one throws.
    template <class Work>
    void at_once(std::size_t count, Work const & work)
    {
        std::atomic<std::size_t> next{0};
        team_.run(static_cast<int>(count), [&](int) {
            for (std::size_t k = next++; k < count; k = next++)
                work(k);
        });
    }

    // Of the pair with target letters begin + 1 .. end alone.
    static PairResult solve_columns(Task const & task, Machine & gpu, std::uint64_t begin, std::uint64_t end,
                                    Output output, Choice const & choice)
    {
        PairView pair = task.pair;
        pair.target += begin;
        pair.n = end - begin;
        Request request = task.request;
        request.output = output;
        PairResult result = gpu.solve({pair, task.scoring, request, choice, task.monitor, task.max_host_bytes});
        if (result.score > 0) { // else the empty alignment, which begins and ends at 0
            result.span.target_begin += output >= Output::span ? begin : 0;
            result.span.target_end += begin;
        }
        return result;
    }

    Choice one_;
    std::vector<std::unique_ptr<Machine>> gpus_;
    Team team_; // one thread for each of them
};

} // namespace

std::unique_ptr<Machine> make_several_gpus(Choice const & choice, cuda::EngineOptions const & options)
{
    int const wanted = choice.value("gpus"), there = cuda::device_count();
    if (wanted > there)
        throw Error{Status::no_device, "algorithm " + std::string{choice.algorithm->name} + ": gpus=" +
                                           std::to_string(wanted) + ", but this machine has " + std::to_string(there)};
    return std::make_unique<SeveralGpus>(choice, options);
}

} // namespace nwgpu::published
