// SPDX-License-Identifier: BSD-3-Clause
// Every feature together with every other one, on each engine: answers against the oracle, CIGAR included, or, where a
// pair makes no sense, the refusal that the interface gives.  What the command adds has a table of its own
// (tests/cli/features_test.py).
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "align/auto_backend.hpp"
#include "backend/monitor.hpp"
#include "base/error.hpp"
#include "conformance/feature_table.hpp"
#include "nwgpu/nwgpu.h"
#include "reference/oracle.hpp"
#include "support/folder.hpp"
#include "support/top.hpp"

namespace nwgpu::test {
namespace {

// Loses the first pair of a call half-way, as far as its checkpoint goes, and all others.
class LosingGpu final : public Backend {
public:
    explicit LosingGpu(bool saves) :
        engine_{cpu::make_engine(
            {.threads = 1, .tuning = {.max_trace_bytes = 1u << 16, .slab_strips = 1, .most_slabs = saves}})}
    {}
    std::string name() const override { return "losing"; }
    int threads() const override { return 1; }
    void trim() override {}
    Estimate estimate(Piece const & piece) override { return engine_->estimate(piece); }
    void check_memory(Piece const &) override {}
    void align(Piece const & piece, Monitor &, Answers & answers) override
    {
        Team team{1};
        Progress const silent;
        Monitor monitor{silent, 1, team}; // that it stops is nobody's wish
        bool const saves = !piece.request.checkpoint.folder.empty();
        try {
            engine_->align({piece.batch, piece.pairs.first(1), piece.scoring, piece.request, piece.max_host_bytes},
                           monitor, answers);
            EXPECT_FALSE(saves) << "the first slab ends the call";
        } catch (Error const & error) {
            EXPECT_TRUE(saves) << error.what();
        }
        throw Error{Status::device_lost, "lost"};
    }

private:
    std::unique_ptr<Backend> engine_;
};

// One pair, or many; large where a GPU takes nothing smaller, or saves nothing of it.
std::vector<SequencePair> pairs_of(Job & job, Random & random, std::string_view letters)
{
    bool const large = job.lost || (job.kind == BackendKind::cuda && job.checkpoint);
    std::uint64_t const longest = !large ? 2900 : job.request.top > 1 ? 33000 : 30000;
    // No GPU is asked for pairs that the CPU finds to be similar, or knows a narrow band of.
    bool const similar = job.similar && !job.lost;
    Model const of_long = job.lost && !job.similar ? Model::uniform : Model::structured;
    std::vector<SequencePair> pairs;
    auto const add = [&](Model model, std::uint64_t m, std::uint64_t n) {
        pairs.push_back(random_pair(random, similar ? Model::mutated : model, m, n, letters, similar ? 0.01 : 0.1));
    };
    if (!job.batch || job.lost)
        add(of_long, longest, longest - 200);
    if (job.batch) {
        if (job.lost)
            add(Model::mutated, longest - 1000, longest - 900);
        for (int k = 0; k < 150; ++k) {
            std::uint64_t const m = random.between(20, 200);
            add(random.pick(all_models()), m, random.between(m - 15, m + 15));
        }
    }
    if (job.request.mode.band)
        job.request.mode.band = job.batch ? Diagonals{-20, 25} : Diagonals{-300, 90};
    return pairs;
}

// The alignments of each pair, or why there are none.
struct Answer {
    Status status = Status::ok;
    std::vector<PairResult> alignments;
    bool operator==(Answer const &) const = default;
};

std::vector<Answer> answers_of(BatchResult const & result, std::uint64_t pairs)
{
    std::vector<Answer> answers(pairs);
    for (std::uint64_t e = 0; e < result.count(); ++e)
        answers[result.pair[e]].status = result.status[e];
    for (std::uint64_t p = 0; p < pairs; ++p)
        if (answers[p].status == Status::ok)
            answers[p].alignments = entries_of(result, p);
    return answers;
}

EngineSetup setup_of(Job const & job, std::uint64_t most_slabs = 0)
{
    if (job.kind == BackendKind::cuda) {
        cuda::Tuning tuning;
        if (job.checkpoint)
            tuning = {.max_traced_cells = 1, .band = -1, .slab_rows = 5000, .most_slabs = most_slabs};
        return on_gpu(tuning, job.limit ? std::uint64_t{300} << 20 : 0);
    }
    cpu::Tuning tuning;
    if (job.checkpoint)
        tuning = {.max_trace_bytes = 1u << 16, .slab_strips = 1, .most_slabs = most_slabs};
    tuning.furthest = job.similar ? std::int64_t{1} << 40 : 0;
    return {.threads = job.threads, .tuning = tuning};
}

// Through the engine, stopped by its first slab and resumed where there is a checkpoint.
BatchResult align_once(Job const & job, PairSet const & set, Scheme const & s, std::uint64_t limit)
{
    TemporaryFolder const folder;
    Request request = job.request;
    if (job.checkpoint)
        request.checkpoint = {folder / "run", false, 0};
    if (job.lost) {
        int lost = 0;
        auto const gpu = make_auto_backend(
            cpu::make_engine(setup_of(job)), "losing", [&] { return std::make_unique<LosingGpu>(job.checkpoint); },
            [&](std::string const &) { ++lost; }, {}, 0);
        BatchResult result = align(*gpu, set.batch(), s.scoring, request, {}, limit);
        EXPECT_EQ(lost, 1) << "the GPU is asked, and fails";
        return result;
    }
    if (job.checkpoint) {
        EngineSetup first = setup_of(job, 1);
        first.max_host_bytes = limit;
        try {
            align(first, set.batch(), s.scoring, request);
            ADD_FAILURE() << "not stopped";
        } catch (Error const & error) {
            if (error.status == Status::memory_limit)
                throw;
            EXPECT_EQ(error.status, Status::cancelled) << error.what();
        }
        EXPECT_TRUE(std::filesystem::exists(folder / "run/slab-000000.nwgpu"));
        request.checkpoint.resume = true;
    }
    EngineSetup setup = setup_of(job);
    setup.max_host_bytes = limit;
    return align(setup, set.batch(), s.scoring, request);
}

template <typename Handle>
using Owned = std::unique_ptr<Handle, void (*)(Handle *)>;

std::int32_t mode_of_interface(Mode const & mode)
{
    return mode.extend             ? NWGPU_MODE_EXTEND
           : mode.extend_left      ? NWGPU_MODE_EXTEND_LEFT
           : mode.local            ? NWGPU_MODE_LOCAL
           : mode.free_query_begin ? NWGPU_MODE_FREE_ENDS
                                   : NWGPU_MODE_GLOBAL;
}

// Through the C interface: the scores of all pairs, then their paths.  Returns what the first call that fails does.
nwgpu_status align_by_interface(Job const & job, PairSet const & set, Scheme const & s, std::uint64_t limit,
                                std::vector<Answer> & answers)
{
    nwgpu_context_options options = NWGPU_CONTEXT_OPTIONS_INIT;
    options.backend = static_cast<std::int32_t>(job.kind);
    options.cpu_threads = job.threads;
    options.max_host_bytes = limit;
    nwgpu_context * context = nullptr;
    nwgpu_status status = nwgpu_context_create(&options, &context, nullptr);
    Owned<nwgpu_context> const context_owner{context, nwgpu_context_destroy};
    auto const sequences = [&](auto member) {
        std::string letters;
        std::vector<std::uint64_t> offsets{0};
        for (std::uint64_t p = 0; p < set.count(); ++p)
            offsets.push_back((letters += set[p].*member).size());
        nwgpu_sequences * made = nullptr;
        if (status == NWGPU_OK)
            status = nwgpu_sequences_create(context, reinterpret_cast<std::uint8_t const *>(letters.data()),
                                            offsets.data(), set.count(), &made, nullptr);
        return Owned<nwgpu_sequences>{made, nwgpu_sequences_destroy};
    };
    auto const queries = sequences(&SequencePair::query), targets = sequences(&SequencePair::target);
    nwgpu_scoring scoring = NWGPU_SCORING_INIT;
    scoring.match = s.scoring.match();
    scoring.mismatch = s.scoring.mismatch();
    scoring.gap_open = s.scoring.gap().open;
    scoring.gap_extend = s.scoring.gap().extend;

    Mode const & mode = job.request.mode;
    nwgpu_align_options align = NWGPU_ALIGN_OPTIONS_INIT;
    bool const free_ends = mode.free_query_begin;
    align.mode = mode_of_interface(mode);
    align.free_ends = free_ends ? NWGPU_FREE_QUERY_BEGIN | NWGPU_FREE_TARGET_END : 0;
    align.ties = static_cast<std::int32_t>(mode.ties);
    Diagonals const diagonals = mode.band.value_or(Diagonals{});
    nwgpu_band const band{sizeof(nwgpu_band), diagonals.lower, diagonals.upper};
    align.band = mode.band ? &band : nullptr;
    nwgpu_top const top{sizeof(nwgpu_top), job.request.top};
    align.top = &top;
    TemporaryFolder const folder;
    std::string const run = folder / "run";
    nwgpu_checkpoint checkpoint{sizeof(nwgpu_checkpoint), 0, run.c_str(), 0};
    align.checkpoint = job.checkpoint ? &checkpoint : nullptr;

    nwgpu_result *scores = nullptr, *paths = nullptr;
    if (status == NWGPU_OK)
        status = nwgpu_align(context, queries.get(), targets.get(), nullptr, 0, &scoring, &align, &scores, nullptr);
    Owned<nwgpu_result> const scores_owner{scores, nwgpu_result_destroy};
    if (status == NWGPU_OK)
        status = nwgpu_traceback(context, queries.get(), targets.get(), scores, nullptr, 0, nullptr, &paths, nullptr);
    Owned<nwgpu_result> const paths_owner{paths, nwgpu_result_destroy};
    std::uint32_t const * runs = nullptr;
    std::uint64_t const * offsets = nullptr;
    if (status == NWGPU_OK)
        status = nwgpu_result_cigars(paths, &runs, &offsets, nullptr);
    if (status != NWGPU_OK)
        return status;
    EXPECT_EQ(nwgpu_result_count(scores), nwgpu_result_count(paths));
    answers.assign(set.count(), {});
    for (std::uint64_t e = 0; e < nwgpu_result_count(paths); ++e) {
        Answer & answer = answers[nwgpu_result_pairs(paths)[e]];
        answer.status = static_cast<Status>(nwgpu_result_statuses(paths)[e]);
        if (answer.status != Status::ok)
            continue;
        EXPECT_EQ(nwgpu_result_scores(paths)[e], nwgpu_result_scores(scores)[e]);
        std::uint64_t const * const span = nwgpu_result_spans(paths) + 4 * e;
        answer.alignments.push_back({nwgpu_result_scores(paths)[e],
                                     {span[0], span[1], span[2], span[3]},
                                     {runs + offsets[e], runs + offsets[e + 1]}});
    }
    return NWGPU_OK;
}

// All pairs without memory where the call as a whole is refused for it.
std::vector<Answer> answers_to(Job const & job, PairSet const & set, Scheme const & s, std::uint64_t limit)
{
    std::vector<Answer> answers(set.count(), {Status::memory_limit, {}});
    if (job.traceback) {
        nwgpu_status const status = align_by_interface(job, set, s, limit, answers);
        EXPECT_TRUE(status == NWGPU_OK || status == NWGPU_ERROR_MEMORY_LIMIT) << nwgpu_status_name(status);
        return answers;
    }
    try {
        return answers_of(align_once(job, set, s, limit), set.count());
    } catch (Error const & error) {
        EXPECT_EQ(error.status, Status::memory_limit) << error.what();
        return answers;
    }
}

std::vector<Answer> expected_answers(Job const & job, PairSet const & set, Scheme const & s)
{
    Request const & request = job.request;
    if (set[0].query.size() > 5000) // too large for the oracle
        return answers_of(align(EngineSetup{}, set.batch(), s.scoring, request), set.count());
    std::vector<Answer> answers(set.count());
    for (std::uint64_t p = 0; p < set.count(); ++p)
        try {
            answers[p].alignments = reference::align_top(set.view(p), s.scoring, request.top, request.style);
            if (request.top == 1)
                answers[p].alignments = {reference::align(set.view(p), s.scoring, request.mode, request.style)};
        } catch (Error const & error) {
            answers[p] = {error.status, {}};
        }
    return answers;
}

void check_answers(std::vector<Answer> const & expected, std::vector<Answer> const & actual, bool limited,
                   std::string const & words)
{
    ASSERT_EQ(expected.size(), actual.size()) << words;
    for (std::uint64_t p = 0; p < expected.size(); ++p) {
        if (limited && actual[p].status == Status::memory_limit)
            continue;
        std::string const where = words + " pair=" + std::to_string(p);
        ASSERT_EQ(expected[p].status, actual[p].status) << where;
        expect_same_top(expected[p].alignments, actual[p].alignments, Output::cigar, where);
    }
}

struct FeaturePair {
    std::size_t first, second;
};
std::string name_of(FeaturePair const & pair) { return features[pair.first].name + "_" + features[pair.second].name; }

Reason const * reason_of(FeaturePair const & pair)
{
    auto const found = std::ranges::find_if(reasons, [&](Reason const & reason) {
        return reason.first == features[pair.first].name && reason.second == features[pair.second].name;
    });
    return found == reasons.end() ? nullptr : &*found;
}

class FeaturesTest : public OnEachEngine<FeaturePair> {};

TEST_P(FeaturesTest, GoTogetherOrAreRefused)
{
    Scheme const & s = scheme("dna_2_4_4_2");
    Job job{.kind = kind()};
    features[value().first].add(job);
    features[value().second].add(job);
    std::string const words = "FeaturesTest seed=61 " + test::name_of(kind()) + " " + name_of(value());
    Random random{61};
    PairSet const set{pairs_of(job, random, s.letters), s.scoring};
    std::vector<Answer> ignored;
    if (Reason const * const reason = reason_of(value())) {
        if (reason->refusal != NWGPU_OK) {
            EXPECT_EQ(align_by_interface(job, set, s, 0, ignored), reason->refusal) << reason->words;
        }
        return;
    }
    if (kind() == BackendKind::cuda && job.lost)
        return; // the GPU of that is a stand-in
    auto const expected = expected_answers(job, set, s);
    check_answers(expected, answers_to(job, set, s, 0), false, words);
    if (!job.limit || kind() == BackendKind::cuda)
        return;
    // Less and less memory: the same answers, until there are none.
    Request request = job.request;
    TemporaryFolder const folder;
    if (job.checkpoint)
        request.checkpoint.folder = folder / "run";
    std::uint64_t limit = estimate(setup_of(job), set.batch(), s.scoring, request).host_bytes;
    if (request.top > 1)
        limit *= 4; // the estimate is for the first alignment
    int answered = 0;
    for (bool refused = false; !refused && !HasFailure(); limit = limit * 4 / 5) {
        auto const actual = answers_to(job, set, s, limit);
        check_answers(expected, actual, true, words + " limit=" + std::to_string(limit));
        refused = std::ranges::any_of(actual, [](Answer const & answer) { return answer.status != Status::ok; });
        answered += !refused;
        ASSERT_GT(limit, 1000u) << words;
    }
    EXPECT_GE(answered, 1) << words << ": the estimate is enough";
}

std::vector<FeaturePair> all_pairs()
{
    std::vector<FeaturePair> pairs;
    for (std::size_t first = 0; first < features.size(); ++first)
        for (std::size_t second = first + 1; second < features.size(); ++second)
            pairs.push_back({first, second});
    return pairs;
}
INSTANTIATE_TEST_SUITE_P(All, FeaturesTest, on_each_engine(testing::ValuesIn(all_pairs())), ParameterNames{});

// A reason that names no pair excuses nothing.
TEST(FeaturesTable, ReasonsNamePairs)
{
    for (Reason const & reason : reasons)
        EXPECT_TRUE(
            std::ranges::any_of(all_pairs(), [&](FeaturePair const & pair) { return reason_of(pair) == &reason; }))
            << reason.first << " " << reason.second;
}

} // namespace
} // namespace nwgpu::test
