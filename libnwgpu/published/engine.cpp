// SPDX-License-Identifier: BSD-3-Clause
#include "published/engine.hpp"

#include <algorithm>
#include <mutex>
#include <new>

#include "base/machine_bytes.hpp"
#include "published/parts/target_parts.hpp"
#include "published/parts/task.hpp"

namespace nwgpu::published {

namespace {

// On a GPU tiles reach beyond the ends of the sequences by less than this.
constexpr std::uint64_t most_padding = 1 << 16;

class Engine final : public Backend {
public:
    Engine(Choice choice, EngineOptions const & options) :
        choice_{std::move(choice)},
        team_{options.team ? options.team : std::make_shared<Team>(options.threads)},
        machine_{choice_.algorithm->processor == Processor::cpu ? make_cpu_machine(*choice_.algorithm, team_->size())
                                                                : make_cuda_machine(choice_, options.cuda)}
    {}

    std::string name() const override { return std::string{choice_.algorithm->name} + " on " + machine_->name(); }
    int threads() const override { return machine_->threads(); }
    void trim() override
    {
        std::lock_guard const lock{mutex_};
        machine_->trim();
    }

    Estimate estimate(Piece const & piece) override
    {
        auto const & [batch, pairs, scoring, request, max_host_bytes, queue] = piece;
        std::lock_guard const lock{mutex_};
        check_fits(*choice_.algorithm, scoring, request);
        Cut const cut{choice_, request.mode};
        Estimate estimate;
        for (std::uint64_t const p : pairs) {
            PairView const pair = batch.view(p);
            estimate.cells += pair.cells();
            Memory const memory = memory_of(pair, scoring, cut);
            estimate.host_bytes = std::max(estimate.host_bytes, memory.host + 8 * (pair.m + pair.n) + 4096);
            if (choice_.algorithm->processor == Processor::cuda)
                estimate.device_bytes = std::max(estimate.device_bytes,
                                                 memory.device + 2 * (pair.m + largest_part(pair, scoring, cut).share));
        }
        estimate.seconds =
            static_cast<double>(estimate.cells) / choice_.algorithm->cells_per_second / static_cast<double>(cut.gpus);
        estimate.plan = std::to_string(pairs.size()) + " pairs by " + name();
        if (!choice_.values.empty())
            estimate.plan += ", " + describe_values(choice_);
        return estimate;
    }

    // Limits of memory are the pair's.
    void check_memory(Piece const &) override {}

    void align(Piece const & piece, Monitor & monitor, Answers & answers) override
    {
        auto const & [batch, pairs, scoring, request, max_host_bytes, queue] = piece;
        std::lock_guard const lock{mutex_};
        check_fits(*choice_.algorithm, scoring, request);
        std::uint64_t const memory = max_host_bytes != 0 ? max_host_bytes : machine_bytes();
        AnswerWriter writer{&answers};
        machine_->begin(batch, scoring);
        for (std::uint64_t const p : pairs) {
            try {
                PairResult answer = align_pair({batch.view(p), scoring, request, choice_, monitor, memory});
                writer.put(p, answer);
            } catch (Error const & error) {
                if (error.status == Status::cancelled || error.status == Status::device_lost ||
                    error.status == Status::checkpoint)
                    throw;
                writer.fail(p, error.status, error.what());
            } catch (std::bad_alloc const &) {
                writer.fail(p, Status::out_of_host_memory, "out of memory");
            }
            monitor.throw_if_stopped();
        }
    }

private:
    // Of each GPU, and of the host for all of them.
    Memory memory_of(PairView const & pair, Scoring const & scoring, Cut const & cut) const
    {
        Memory memory = choice_.algorithm->memory(pair.m, largest_part(pair, scoring, cut).part, choice_.values);
        memory.host *= cut.gpus;
        return memory;
    }

    PairResult align_pair(Task const & task)
    {
        PairView const & pair = task.pair;
        std::string const of = "algorithm " + std::string{choice_.algorithm->name} + ": ";
        std::uint64_t const more = choice_.algorithm->processor == Processor::cuda ? most_padding : 0;
        if (!scores_fit(task.scoring, pair.m + more, pair.n + more))
            throw Error{Status::too_large, of + "the scores of this pair may leave 32 bits"};
        Memory const memory = memory_of(pair, task.scoring, {choice_, task.request.mode});
        if (memory.host > task.max_host_bytes)
            throw Error{Status::memory_limit, of + "the pair needs " + std::to_string(memory.host) +
                                                  " bytes of host memory, there are " +
                                                  std::to_string(task.max_host_bytes)};
        if (memory.device > 0 && memory.device > machine_->device_budget())
            throw Error{Status::memory_limit, of + "the pair needs " + std::to_string(memory.device) +
                                                  " bytes of device memory, there are " +
                                                  std::to_string(machine_->device_budget())};
        return machine_->solve(task);
    }

    std::mutex mutex_;
    Choice choice_;
    std::shared_ptr<Team> team_;
    std::unique_ptr<Machine> machine_;
};

} // namespace

std::unique_ptr<Backend> make_engine(std::string_view choice, EngineOptions const & options)
{
    return std::make_unique<Engine>(parse_choice(choice), options);
}

} // namespace nwgpu::published
