// SPDX-License-Identifier: BSD-3-Clause
// The benchmark program: one Google Benchmark per workload and peer, named <workload>/<peer>, each checked against
// our scores before its time counts.  Exit status 1 if a check failed that no known defect explains.
//   --plan         prints workload, peer, quick, refusal (tab separated) instead of running
//   --data-files   prints the real files that would be used from NWGPU_PERF_DATA
// All other options are Google Benchmark's.
#include "check.hpp"
#include "registry.hpp"
#include "workloads.hpp"

#include <benchmark/benchmark.h>

#include "real_data.hpp"

#include <cstdio>
#include <cstring>
#include <map>
#include <stdexcept>

namespace {

using namespace performance;

bool mismatch_seen = false;

// The data of a workload and our scores for them; kept, because all its peers run in one process.
struct Reference {
    Pairs pairs;
    std::vector<std::int64_t> scores;
    double cells = 0;
};

Reference const & reference(Workload const & workload)
{
    static std::map<std::string, Reference> known;
    if (auto found = known.find(workload.name); found != known.end())
        return found->second;
    Reference made;
    made.pairs = workload.make();
    for (std::size_t i = 0; i < made.pairs.queries.size(); ++i)
        made.cells +=
            static_cast<double>(made.pairs.queries[i].size()) * static_cast<double>(made.pairs.targets[i].size());
    Task task = workload.task;
    task.output = Output::score;
    std::vector<Alignment> answers;
    peers().front()->open(task, made.pairs)->align(&answers);
    for (Alignment const & answer : answers)
        made.scores.push_back(answer.score);
    return known.emplace(workload.name, std::move(made)).first->second;
}

struct Contestant {
    std::unique_ptr<Session> session;
    std::string problem; // why it is not timed
    bool checked = false;
};

void judge(Contestant & contestant, Workload const & workload, Peer const & peer,
           std::vector<Alignment> const & answers)
{
    Reference const & expected = reference(workload);
    contestant.checked = true;
    std::string const found = check(workload.task, expected.pairs, expected.scores, answers);
    if (found.empty())
        return;
    std::string const defect = peer.known_defect(workload.task, workload.shape);
    mismatch_seen = mismatch_seen || defect.empty();
    contestant.problem = defect.empty() ? "MISMATCH: " + found : "known defect: " + defect + " (" + found + ")";
    contestant.session.reset();
}

Contestant & contestant(Workload const & workload, Peer const & peer)
{
    static std::map<std::string, Contestant> known;
    auto [place, is_new] = known.try_emplace(workload.name + "/" + peer.name());
    Contestant & it = place->second;
    if (!is_new)
        return it;
    Reference const & data = reference(workload);
    it.session = peer.open(workload.task, data.pairs);
    if (!workload.heavy) {
        std::vector<Alignment> answers;
        it.session->align(&answers);
        judge(it, workload, peer, answers);
    }
    return it;
}

void measure(benchmark::State & state, Workload const & workload, Peer const & peer)
{
    try {
        Contestant & it = contestant(workload, peer);
        if (!it.problem.empty())
            return state.SkipWithError(it.problem.c_str());
        std::vector<Alignment> answers;
        for (auto _ : state) {
            answers.clear();
            benchmark::DoNotOptimize(it.session->align(it.checked ? nullptr : &answers));
        }
        if (!it.checked)
            judge(it, workload, peer, answers);
        if (!it.problem.empty())
            return state.SkipWithError(it.problem.c_str());
        using benchmark::Counter;
        Reference const & data = reference(workload);
        state.counters["GCUPS"] = Counter(data.cells / 1e9, Counter::kIsIterationInvariantRate);
        state.counters["pairs/s"] =
            Counter(static_cast<double>(data.pairs.queries.size()), Counter::kIsIterationInvariantRate);
    } catch (std::exception const & error) {
        mismatch_seen = true;
        state.SkipWithError((std::string{"FAILED: "} + error.what()).c_str());
    }
}

void print_plan()
{
    for (Workload const & workload : workloads())
        for (auto const & peer : peers())
            std::printf("%s\t%s\t%d\t%s\n", workload.name.c_str(), peer->name().c_str(), workload.quick,
                        refusal(workload, *peer).c_str());
}

} // namespace

int main(int argc, char ** argv)
{
    if (argc == 2 && std::strcmp(argv[1], "--plan") == 0)
        return print_plan(), 0;
    if (argc == 2 && std::strcmp(argv[1], "--data-files") == 0) {
        for (std::string const & file : real_files())
            std::printf("%s\n", file.c_str());
        return 0;
    }
    benchmark::AddCustomContext("nwgpu", nwgpu_description());
    benchmark::AddCustomContext("missing_peers", missing_peers().empty() ? "none" : missing_peers());
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv))
        return 2;
    for (Workload const & workload : workloads())
        for (auto const & peer : peers()) {
            if (!refusal(workload, *peer).empty())
                continue;
            auto * registered = benchmark::RegisterBenchmark(
                (workload.name + "/" + peer->name()).c_str(),
                [&workload, &peer = *peer](benchmark::State & state) { measure(state, workload, peer); });
            registered->MeasureProcessCPUTime()->UseRealTime()->Unit(benchmark::kMicrosecond);
            if (workload.heavy)
                registered->Iterations(1);
        }
    benchmark::RunSpecifiedBenchmarks();
    return mismatch_seen;
}
