// SPDX-License-Identifier: BSD-3-Clause
// Placeholder of the CPU engine: the oracle, pair by pair.
#include "cpu/engine.hpp"

#include <omp.h>

#include "reference/oracle.hpp"

namespace nwgpu::cpu {

namespace {

class Engine final : public Backend {
public:
    explicit Engine(int threads) : threads_{threads > 0 ? threads : omp_get_max_threads()} {}

    std::string name() const override { return "cpu:oracle"; }
    int threads() const override { return threads_; }
    void trim() override {}

    Estimate estimate(Batch const & batch, Scoring const &, Request const &) override
    {
        Estimate result;
        for (std::uint64_t p = 0; p < batch.pairs.size(); ++p)
            result.cells += batch.view(p).m * batch.view(p).n;
        result.host_bytes = result.cells * 24;
        result.plan = "oracle";
        return result;
    }

    void align(Batch const & batch, Scoring const & scoring, Request const & request, Progress const & progress,
               BatchResult & result) override
    {
        std::uint64_t const total = estimate(batch, scoring, request).cells;
        std::uint64_t done = 0;
        std::vector<PairResult> pairs(batch.pairs.size());
        result.reset(pairs.size());
        for (std::size_t first = 0; first < pairs.size(); first += 64) {
            std::size_t const last = std::min(first + 64, pairs.size());
#pragma omp parallel for num_threads(threads_) schedule(dynamic)
            for (std::size_t p = first; p < last; ++p)
                pairs[p] = reference::align(batch.view(p), scoring, request.mode, request.style);
            for (std::size_t p = first; p < last; ++p)
                done += batch.view(p).m * batch.view(p).n;
            if (progress && !progress(done, total))
                throw Error{Status::cancelled, "cancelled"};
        }
        for (std::size_t p = 0; p < pairs.size(); ++p) {
            result.score[p] = pairs[p].score;
            AlignedSpan const full = pairs[p].span;
            if (request.output >= Output::span)
                result.span[p] = full;
            else if (request.output == Output::end)
                result.span[p] = {no_position, full.query_end, no_position, full.target_end};
            if (request.output == Output::cigar)
                result.runs.insert(result.runs.end(), pairs[p].runs.begin(), pairs[p].runs.end());
            result.run_offsets[p + 1] = result.runs.size();
        }
    }

private:
    int threads_;
};

} // namespace

std::vector<std::string> available_isas() { return compiled_isas(); }
std::vector<std::string> compiled_isas() { return {"oracle"}; }

std::unique_ptr<Backend> make_engine(EngineOptions const & options)
{
    if (!options.isa.empty() && options.isa != "oracle")
        throw Error{Status::unsupported, "instruction set '" + options.isa + "' is not available"};
    return std::make_unique<Engine>(options.threads);
}

} // namespace nwgpu::cpu
