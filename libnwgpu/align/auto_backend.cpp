// SPDX-License-Identifier: BSD-3-Clause
#include "align/auto_backend.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <utility>
#include <vector>

#include "checkpoint/folder.hpp"

namespace nwgpu {

namespace {

// From so many cells on, one pair is faster on a GPU than on a few CPU threads.
constexpr double cells_for_gpu = 2.5e8;
// The same where several alignments are asked for: boundaries are copied, and what they cross is the CPU's.
constexpr double cells_for_gpu_top = 1e9;

struct Part { // some pairs of a batch
    std::vector<Pair> pairs;
    std::vector<std::uint64_t> where;
    std::uint64_t cells = 0;

    void add(Batch const & whole, std::uint64_t p)
    {
        pairs.push_back(whole.pairs[p]);
        where.push_back(p);
        cells += whole.view(p).cells();
    }
    Batch of(Batch const & whole) const { return {whole.queries, whole.targets, pairs}; }
};

// Device memory may be too small for a pair that fits the host.
bool cpu_may_help(Status status)
{
    return status == Status::out_of_device_memory || status == Status::memory_limit || status == Status::device;
}

class AutoBackend final : public Backend {
public:
    AutoBackend(std::unique_ptr<Backend> cpu, std::string gpu_name, std::function<std::unique_ptr<Backend>()> make_gpu,
                std::function<void(std::string const &)> warn) :
        cpu_{std::move(cpu)}, gpu_name_{std::move(gpu_name)}, make_gpu_{std::move(make_gpu)}, warn_{std::move(warn)}
    {}

    std::string name() const override { return gpu_name_ + "+" + cpu_->name(); }
    int threads() const override { return cpu_->threads(); }
    void trim() override
    {
        cpu_->trim();
        std::lock_guard const lock{making_};
        if (gpu_)
            gpu_->trim();
    }

    Estimate estimate(Batch const & batch, Scoring const & scoring, Request const & request) override
    {
        auto const [on_gpu, on_cpu] = split(batch, request);
        Backend * const gpu = on_gpu.pairs.empty() ? nullptr : this->gpu();
        if (!gpu)
            return cpu_->estimate(batch, scoring, request);
        Estimate sum = gpu->estimate(on_gpu.of(batch), scoring, request);
        if (on_cpu.pairs.empty())
            return sum;
        Estimate const other = cpu_->estimate(on_cpu.of(batch), scoring, request);
        sum.cells += other.cells;
        sum.host_bytes += other.host_bytes;
        sum.seconds += other.seconds;
        sum.plan += "\n" + other.plan;
        return sum;
    }

    void align(Batch const & batch, Scoring const & scoring, Request const & request, Progress const & progress,
               BatchResult & result) override
    {
        auto [on_gpu, on_cpu] = split(batch, request);
        if (on_gpu.pairs.empty())
            return cpu_->align(batch, scoring, request, progress, result);
        result.reset(batch.pairs.size());
        BatchResult part;
        // Once the GPU has failed, what is there is its own, unless it was there before.
        std::string const & folder = request.checkpoint.folder;
        bool const was_there = !folder.empty() && checkpoint::holds_slabs(folder);
        if (on_gpu_works(on_gpu, batch, scoring, request, share(progress, 0, on_gpu.cells + on_cpu.cells), part)) {
            replace_pairs(result, part, on_gpu.where);
            std::vector<std::uint64_t> const first = part.first_entries();
            for (std::size_t k = 0; k < on_gpu.where.size(); ++k)
                if (cpu_may_help(part.status[first[k]])) {
                    warn_("pair " + std::to_string(on_gpu.where[k]) + " goes to the CPU: " + part.message[k]);
                    on_cpu.add(batch, on_gpu.where[k]);
                }
        } else {
            for (std::uint64_t const p : on_gpu.where)
                on_cpu.add(batch, p);
            on_gpu.cells = 0;
        }
        if (on_cpu.pairs.empty())
            return;
        Progress const rest = share(progress, on_gpu.cells, on_gpu.cells + on_cpu.cells);
        Request again = request;
        again.checkpoint.resume = request.checkpoint.resume || !was_there;
        cpu_->align(on_cpu.of(batch), scoring, again, rest, part);
        for (std::uint64_t const p : on_cpu.where)
            result.message.erase(p);
        replace_pairs(result, part, on_cpu.where);
    }

private:
    // Bands and other ties are the CPU's.
    static std::pair<Part, Part> split(Batch const & batch, Request const & request)
    {
        Part on_gpu, on_cpu;
        for (std::uint64_t p = 0; p < batch.pairs.size(); ++p) {
            PairView const pair = batch.view(p);
            bool const is_long = static_cast<double>(pair.m) * static_cast<double>(pair.n) >=
                                 (request.top > 1 ? cells_for_gpu_top : cells_for_gpu);
            (is_long && request.mode.is_plain() ? on_gpu : on_cpu).add(batch, p);
        }
        return {on_gpu, on_cpu};
    }

    static Progress share(Progress const & progress, std::uint64_t before, std::uint64_t total)
    {
        if (!progress)
            return {};
        return [&progress, before, total](std::uint64_t done, std::uint64_t) {
            return progress(std::min(before + done, total), total);
        };
    }

    // Null where it cannot be had, or not any more.
    Backend * gpu()
    {
        std::lock_guard const lock{making_};
        if (!gpu_ && !lost_)
            try {
                gpu_ = make_gpu_();
            } catch (Error const & error) {
                lost_ = true;
                warn_(std::string{"using the CPU: "} + error.what());
            }
        return lost_ ? nullptr : gpu_.get();
    }

    bool on_gpu_works(Part const & pairs, Batch const & batch, Scoring const & scoring, Request const & request,
                      Progress const & progress, BatchResult & part)
    {
        try {
            Backend * const gpu = this->gpu();
            if (!gpu)
                return false;
            gpu->align(pairs.of(batch), scoring, request, progress, part);
            return true;
        } catch (Error const & error) {
            if (error.status != Status::device && error.status != Status::device_lost &&
                error.status != Status::out_of_device_memory)
                throw;
            if (error.status == Status::device_lost)
                lost_ = true;
            warn_(std::string{"going on with the CPU: "} + error.what());
            return false;
        }
    }

    std::unique_ptr<Backend> cpu_, gpu_;
    std::string gpu_name_;
    std::function<std::unique_ptr<Backend>()> make_gpu_;
    std::function<void(std::string const &)> warn_;
    std::mutex making_;
    std::atomic<bool> lost_{false};
};

} // namespace

std::unique_ptr<Backend> make_auto_backend(std::unique_ptr<Backend> cpu, std::string gpu_name,
                                           std::function<std::unique_ptr<Backend>()> make_gpu,
                                           std::function<void(std::string const &)> warn)
{
    return std::make_unique<AutoBackend>(std::move(cpu), std::move(gpu_name), std::move(make_gpu), std::move(warn));
}

} // namespace nwgpu
