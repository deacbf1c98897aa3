// SPDX-License-Identifier: BSD-3-Clause
// Times calls of many pairs, all copies and the coding of letters included, on a warm context: one line per work.  The
// pairs are some thousands of different ones, again and again; every answer is compared with the CPU engine's.
// Arguments: words that a work's name must contain, all works otherwise; --repeat N; --share F (of the pairs);
// --cpu (times the CPU engine, too, but for works of minutes); --devices 0,1 (several GPUs; the first alone is timed
// beside them).  Works whose name has the word "kept" repeat a call with the same handles, whose letters stay on the
// device.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "align/aligner.hpp"
#include "cuda/engine.hpp"
#include "model/alphabet.hpp"
#include "support/cases.hpp"

namespace {

using namespace nwgpu;
using namespace nwgpu::test;

enum class Memory { pageable, page_locked };

struct Work {
    char const * name;
    std::uint64_t pairs;
    std::uint64_t m_low, m_high, n_low, n_high; // n_high 0: a copy of the query with changes
    double divergence;                          // of the target, or of the part that the query comes from
    Mode mode;
    Output output;
    bool protein = false;
    Memory memory = Memory::pageable;
    std::uint64_t queries = 0; // that meet all targets; 0: each target has its own
    std::uint64_t best = 0;    // pairs of each query are asked for; 0: all

    // Letters have an origin, so that an engine may keep them.
    bool is_kept() const { return std::string_view{name}.ends_with("kept"); }
    // As databases of proteins have: B, Z or X in the place of one letter of 3000.
    bool has_rare_letters() const { return std::string_view{name}.find("rare letters") != std::string_view::npos; }
};

Mode const local{.local = true}, fitting{.free_target_begin = true, .free_target_end = true};
constexpr std::uint64_t M = 1000000;

std::vector<Work> const works{
    {"reads 150 x 200 global score, locked",
     M,
     150,
     150,
     200,
     200,
     0.05,
     {},
     Output::score,
     false,
     Memory::page_locked},
    {"reads 150 x 200 local end, locked", M, 150, 150, 200, 200, 0.05, local, Output::end, false, Memory::page_locked},
    {"reads 150 x 200 global cigar, locked",
     M,
     150,
     150,
     200,
     200,
     0.05,
     {},
     Output::cigar,
     false,
     Memory::page_locked},
    {"reads 150 x 200 local cigar, locked", M, 150, 150, 200, 200, 0.05, local, Output::cigar, false,
     Memory::page_locked},
    {"reads 150 x 200 global score", M, 150, 150, 200, 200, 0.05, {}, Output::score},
    {"reads 150 x 200 global cigar", M, 150, 150, 200, 200, 0.05, {}, Output::cigar},
    {"reads 150 x 200 local cigar", M, 150, 150, 200, 200, 0.05, local, Output::cigar},
    {"reads 150 x 200 semi-global score", M, 150, 150, 200, 200, 0.05, fitting, Output::score},
    {"reads 150 x 200 semi-global cigar", M, 150, 150, 200, 200, 0.05, fitting, Output::cigar},
    {"mixed 50..300 x 100..400 global cigar, locked",
     M,
     50,
     300,
     100,
     400,
     0.05,
     {},
     Output::cigar,
     false,
     Memory::page_locked},
    {"mixed 50..300 x 100..400 local cigar, locked", M, 50, 300, 100, 400, 0.05, local, Output::cigar, false,
     Memory::page_locked},
    {"1 kb 5% global cigar, locked", M / 5, 1000, 1000, 0, 0, 0.05, {}, Output::cigar, false, Memory::page_locked},
    {"1 kb 5% local cigar, locked", M / 5, 1000, 1000, 0, 0, 0.05, local, Output::cigar, false, Memory::page_locked},
    {"1 kb 5% global score, locked", M / 5, 1000, 1000, 0, 0, 0.05, {}, Output::score, false, Memory::page_locked},
    {"10 kb 5% global cigar, locked", M / 50, 10000, 10000, 0, 0, 0.05, {}, Output::cigar, false, Memory::page_locked},
    {"10 kb 1% global cigar, locked", M / 50, 10000, 10000, 0, 0, 0.01, {}, Output::cigar, false, Memory::page_locked},
    {"15 kb 0.2% global cigar", M / 50, 15000, 15000, 0, 0, 0.002, {}, Output::cigar},
    {"unrelated 1 kb global cigar", M / 10, 1000, 1000, 1000, 1000, 3, {}, Output::cigar},
    {"2.4 kb 5% global cigar", M / 50, 2400, 2400, 0, 0, 0.05, {}, Output::cigar},
    {"reads 150 x 200 global score, kept", M, 150, 150, 200, 200, 0.05, {}, Output::score},
    {"reads 150 x 200 local end, kept", M, 150, 150, 200, 200, 0.05, local, Output::end},
    {"reads 150 x 200 global cigar, kept", M, 150, 150, 200, 200, 0.05, {}, Output::cigar},
    {"1 kb 5% global cigar, kept", M / 5, 1000, 1000, 0, 0, 0.05, {}, Output::cigar},
    {"protein pairs 100..600 local cigar", M / 10, 100, 600, 100, 600, 0.3, local, Output::cigar, true},
    {"protein pairs 100..600 local score", M / 10, 100, 600, 100, 600, 0.3, local, Output::score, true},
    {"protein 400 against 100..600 local score", M / 5, 400, 400, 100, 600, 0.3, local, Output::score, true,
     Memory::pageable, 1},
    {"protein 144 against 40..680 local score", M / 2, 144, 144, 40, 680, 0.3, local, Output::score, true,
     Memory::pageable, 1},
    {"protein 375 against 40..680 local score", M / 2, 375, 375, 40, 680, 0.3, local, Output::score, true,
     Memory::pageable, 1},
    {"protein 144 against 40..680 local score, kept", M / 2, 144, 144, 40, 680, 0.3, local, Output::score, true,
     Memory::pageable, 1},
    {"protein 375 against 40..680 local score, kept", M / 2, 375, 375, 40, 680, 0.3, local, Output::score, true,
     Memory::pageable, 1},
    {"protein 375 against 40..680 local 10 best, kept", M / 2, 375, 375, 40, 680, 0.3, local, Output::score, true,
     Memory::pageable, 1, 10},
    {"protein 375 against 40..680 with rare letters local score", M / 2, 375, 375, 40, 680, 0.3, local, Output::score,
     true, Memory::pageable, 1},
    {"protein 1000 against 40..680 local score", M / 2, 1000, 1000, 40, 680, 0.3, local, Output::score, true,
     Memory::pageable, 1},
    {"protein 2368 against 40..680 local score", M / 2, 2368, 2368, 40, 680, 0.3, local, Output::score, true,
     Memory::pageable, 1},
    {"protein 5478 against 40..680 local score", M / 5, 5478, 5478, 40, 680, 0.3, local, Output::score, true,
     Memory::pageable, 1},
    {"8 proteins 2504..5478 against 40..680 local score", 8 * M / 5, 2504, 5478, 40, 680, 0.3, local, Output::score,
     true, Memory::pageable, 8},
    {"32 proteins against 40..680 local score", 16 * M, 144, 2368, 40, 680, 0.3, local, Output::score, true,
     Memory::pageable, 32},
    {"32 proteins against 40..680 local 10 best", 16 * M, 144, 2368, 40, 680, 0.3, local, Output::score, true,
     Memory::pageable, 32, 10},
    {"30 kb 5% global cigar", M / 100, 30000, 30000, 0, 0, 0.05, {}, Output::cigar},
    {"100 kb 5% global cigar", M / 500, 100000, 100000, 0, 0, 0.05, {}, Output::cigar},
    {"100 kb 1% global cigar", M / 500, 100000, 100000, 0, 0, 0.01, {}, Output::cigar},
    {"100 kb 5% global score", M / 500, 100000, 100000, 0, 0, 0.05, {}, Output::score},
    {"reads 10 kb x 12 kb semi-global cigar", M / 50, 10000, 10000, 12000, 12000, 0.05, fitting, Output::cigar},
    {"tiny 8 x 12 global cigar", 4 * M, 8, 8, 12, 12, 0.1, {}, Output::cigar},
};

Scoring scoring_of(Work const & work)
{
    if (work.protein)
        return named_matrix("BLOSUM62", {10, 1}, "ARNDCQEGHILKMFPSTWYV").scoring;
    return Scoring::uniform(1, 3, {3, 2}, work.memory == Memory::page_locked ? nullptr : alphabet_codes("dna"));
}

// Sequences end to end, with a margin.
class Text {
public:
    static constexpr std::uint64_t margin = 128;
    Text(std::vector<std::string> const & pool, std::uint64_t count, Memory memory, bool kept) : memory_{memory}
    {
        if (kept)
            origin_ = std::make_shared<char>();
        std::uint64_t bytes = 2 * margin;
        for (std::uint64_t k = 0; k < count; ++k)
            bytes += pool[k % pool.size()].size();
        data_ = static_cast<std::uint8_t *>(memory == Memory::page_locked ? cuda::allocate_pinned(bytes, 0)
                                                                          : std::malloc(bytes));
        std::uint8_t * at = data_ + margin;
        for (std::uint64_t k = 0; k < count; ++k) {
            std::string const & one = pool[k % pool.size()];
            std::memcpy(at, one.data(), one.size());
            at += one.size();
            offsets_.push_back(offsets_.back() + one.size());
        }
    }
    Text(Text const &) = delete;
    ~Text() { memory_ == Memory::page_locked ? cuda::free_pinned(data_) : std::free(data_); }
    RawSequences raw() const { return {{data_ + margin, offsets_.back()}, offsets_, margin, origin_}; }

private:
    std::shared_ptr<void const> origin_;
    Memory memory_;
    std::uint8_t * data_;
    std::vector<std::uint64_t> offsets_{0};
};

struct Options {
    int repeat = 3;
    double share = 1;
    bool cpu = false;
    std::vector<int> devices;
};

std::vector<int> numbers_in(char const * list)
{
    std::vector<int> numbers;
    for (char * end = nullptr;; list = end + 1) {
        numbers.push_back(static_cast<int>(std::strtol(list, &end, 10)));
        if (*end != ',')
            return numbers;
    }
}

double seconds_of(auto const & what)
{
    auto const begin = std::chrono::steady_clock::now();
    what();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

// What is expected of all pairs, by those of the first `different` targets, which come again and again.
class Expected {
public:
    Expected(BatchResult result, std::uint64_t different, bool all) :
        result_{std::move(result)}, different_{different}, all_{all}
    {}

    std::uint64_t entry(Pair const & pair) const
    {
        return (all_ ? pair.query * different_ : 0) + pair.target % different_;
    }
    bool is(BatchResult const & result, std::uint64_t k, Pair const & pair, Output output) const
    {
        std::uint64_t const e = entry(pair);
        bool same = result.status[k] == Status::ok && result.score[k] == result_.score[e];
        if (output > Output::score)
            same = same && result.span[k] == result_.span[e];
        if (output == Output::cigar)
            same = same && std::equal(result.runs.begin() + static_cast<std::ptrdiff_t>(result.run_offsets[k]),
                                      result.runs.begin() + static_cast<std::ptrdiff_t>(result.run_offsets[k + 1]),
                                      result_.runs.begin() + static_cast<std::ptrdiff_t>(result_.run_offsets[e]),
                                      result_.runs.begin() + static_cast<std::ptrdiff_t>(result_.run_offsets[e + 1]));
        return same;
    }
    // Of a query and so many targets.
    std::vector<Pair> best(std::uint64_t query, std::uint64_t targets, std::uint64_t count) const
    {
        std::vector<Pair> pairs;
        for (std::uint64_t target = 0; target < targets; ++target)
            pairs.push_back({query, target});
        count = std::min(count, targets);
        std::partial_sort(pairs.begin(), pairs.begin() + static_cast<std::ptrdiff_t>(count), pairs.end(),
                          [&](Pair const & a, Pair const & b) {
                              auto const score_a = result_.score[entry(a)], score_b = result_.score[entry(b)];
                              return score_a != score_b ? score_a > score_b : a.target < b.target;
                          });
        pairs.resize(count);
        return pairs;
    }

private:
    BatchResult result_;
    std::uint64_t different_;
    bool all_;
};

// `one`: where `gpu` has several devices, the first of them.
void run_work(Work const & work, Aligner & gpu, Aligner * one, Aligner & cpu, Options const & options)
{
    Random random{7};
    std::string_view const letters = work.protein ? "ARNDCQEGHILKMFPSTWYV" : "ACGT";
    std::uint64_t const count = static_cast<std::uint64_t>(static_cast<double>(work.pairs) * options.share),
                        target_count = count / std::max<std::uint64_t>(work.queries, 1),
                        different =
                            std::min<std::uint64_t>(target_count, 4'000'000 / (work.m_high + work.n_high) + 100);
    std::vector<std::string> queries, targets;
    for (std::uint64_t k = 0; k < different; ++k) {
        std::uint64_t const m = random.between(work.m_low, work.m_high),
                            n = work.n_high == 0 ? 0 : random.between(work.n_low, work.n_high);
        queries.push_back(random_sequence(random, m, letters));
        std::string copy = mutated(random, queries.back(), letters, work.divergence);
        if (n > 0) { // somewhere in the target, or a part of it
            std::string target = random_sequence(random, n, letters);
            std::uint64_t const length = std::min<std::uint64_t>(n, copy.size());
            target.replace(random.below(n - length + 1), length, copy, 0, length);
            copy = target;
        }
        if (work.has_rare_letters())
            for (char & letter : copy)
                if (random.chance(1.0 / 3000))
                    letter = "BZX"[random.below(3)];
        targets.push_back(copy);
    }
    if (work.queries > 0)
        queries.resize(std::min(work.queries, different));
    Text const query_text{queries, work.queries > 0 ? queries.size() : count, work.memory, work.is_kept()},
        target_text{targets, target_count, work.memory, work.is_kept()};
    // Each query with these targets, or each target with its own query.
    auto const pairs_with = [&](std::uint64_t first_targets) {
        std::vector<Pair> pairs;
        if (work.queries == 0)
            for (std::uint64_t k = 0; k < first_targets; ++k)
                pairs.push_back({k, k});
        else
            for (std::uint64_t query = 0; query < queries.size(); ++query)
                for (std::uint64_t target = 0; target < first_targets; ++target)
                    pairs.push_back({query, target});
        return pairs;
    };
    std::vector<Pair> const pairs = pairs_with(target_count), first_pairs = pairs_with(different);
    double cells = 0;
    for (Pair const & pair : pairs)
        cells += static_cast<double>(queries[pair.query % queries.size()].size()) *
                 static_cast<double>(targets[pair.target % different].size());
    Scoring const scoring = scoring_of(work);
    Request const request{work.mode, work.output, CigarStyle::eqx};
    Problem const problem{query_text.raw(), target_text.raw(), pairs}, all{problem.queries, problem.targets, {}};
    BatchResult result;
    BestResult best_result;
    Best const wanted{work.best};
    double best = 1e9;
    auto const call = [&](Aligner & aligner) {
        if (work.best > 0)
            best_result = aligner.align_best(all, Pairing::all, wanted, scoring, request, {});
        else
            result = aligner.align(problem, scoring, request, {});
    };
    if (work.is_kept()) // what it is about are later calls
        call(gpu);
    double const predicted = (work.best > 0 ? gpu.estimate_best(all, Pairing::all, wanted, scoring, request)
                                            : gpu.estimate(problem, scoring, request))
                                 .seconds;
    for (int k = 0; k < options.repeat; ++k) {
        result = {}; // which takes time of its own
        best_result = {};
        best = std::min(best, seconds_of([&] { call(gpu); }));
    }
    Expected const expected{cpu.align({problem.queries, problem.targets, first_pairs}, scoring, request, {}), different,
                            work.queries > 0};
    std::uint64_t wrong = 0, answers = pairs.size();
    if (work.best > 0) {
        std::vector<Pair> best_pairs;
        for (std::uint64_t query = 0; query < queries.size(); ++query)
            for (Pair const & pair : expected.best(query, target_count, work.best))
                best_pairs.push_back(pair);
        answers = best_pairs.size();
        for (std::uint64_t k = 0; k < answers; ++k)
            wrong += k >= best_result.pairs.size() || best_result.pairs[k].query != best_pairs[k].query ||
                     best_result.pairs[k].target != best_pairs[k].target ||
                     !expected.is(best_result.value, k, best_pairs[k], work.output);
    } else {
        for (std::uint64_t k = 0; k < answers; ++k)
            wrong += !expected.is(result, k, pairs[k], work.output);
    }
    std::printf("%-46s %9.2f ms (predicted %7.2f)  %8.3f M pairs/s  %7.3f T  %llu of %llu wrong", work.name, best * 1e3,
                predicted * 1e3, static_cast<double>(pairs.size()) / best / 1e6, cells / best / 1e12,
                static_cast<unsigned long long>(wrong), static_cast<unsigned long long>(answers));
    if (one) {
        double alone = 1e9;
        for (int k = 0; k < options.repeat; ++k)
            alone = std::min(alone, seconds_of([&] { call(*one); }));
        std::printf("  one GPU %9.2f ms: %5.2f x", alone * 1e3, alone / best);
    }
    if (options.cpu && work.queries < 2) { // those take minutes
        call(cpu);
        double const seconds = seconds_of([&] { call(cpu); });
        std::printf("  CPU %8.3f M pairs/s  %7.3f T", static_cast<double>(pairs.size()) / seconds / 1e6,
                    cells / seconds / 1e12);
    }
    std::printf("\n");
    std::fflush(stdout);
}

} // namespace

int main(int argc, char ** argv)
{
    Options options;
    std::vector<std::string> words;
    for (int k = 1; k < argc; ++k)
        if (std::strcmp(argv[k], "--repeat") == 0 && k + 1 < argc)
            options.repeat = std::atoi(argv[++k]);
        else if (std::strcmp(argv[k], "--share") == 0 && k + 1 < argc)
            options.share = std::atof(argv[++k]);
        else if (std::strcmp(argv[k], "--cpu") == 0)
            options.cpu = true;
        else if (std::strcmp(argv[k], "--devices") == 0 && k + 1 < argc)
            options.devices = numbers_in(argv[++k]);
        else
            words.push_back(argv[k]);
    if (cuda::device_count() == 0) {
        std::printf("no GPU: %s\n", cuda::why_none().c_str());
        return 77;
    }
    std::printf("%s, %d processors\n", cuda::describe(0).c_str(), usable_processors());
    AlignerOptions gpu_options, cpu_options;
    gpu_options.backend = BackendKind::cuda;
    cpu_options.backend = BackendKind::cpu;
    std::unique_ptr<Aligner> one;
    if (!options.devices.empty()) {
        gpu_options.device = options.devices.front();
        one = std::make_unique<Aligner>(gpu_options);
        gpu_options.devices = options.devices;
    }
    Aligner gpu{gpu_options}, cpu{cpu_options};
    for (Work const & work : works) {
        bool wanted = words.empty();
        for (std::string const & word : words)
            wanted = wanted || std::strstr(work.name, word.c_str()) != nullptr;
        if (wanted)
            run_work(work, gpu, one.get(), cpu, options);
    }
}
