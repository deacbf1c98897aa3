// SPDX-License-Identifier: BSD-3-Clause
// The SeqAn3 adapter beside SeqAn3 and the C API, in one run and interleaved: nwgpu_perf_seqan3 [pairs [repetitions]].
// Prints medians of wall time, and whether all scores were the same.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

#include <sys/resource.h>

#include <nwgpu/nwgpu.hpp>
#include <nwgpu/seqan3/align_pairwise.hpp>

#include <seqan3/alphabet/nucleotide/dna4.hpp>
#include <seqan3/utility/views/zip.hpp>

#include "support/random.hpp"

namespace {

using nwgpu::test::Random;
using seqan3::dna4;
namespace align_cfg = seqan3::align_cfg;
using Sequences = std::vector<std::vector<dna4>>;

std::vector<dna4> letters_of(std::string const & text)
{
    std::vector<dna4> letters;
    for (char const c : text)
        letters.push_back(dna4{}.assign_char(c));
    return letters;
}

auto affine()
{
    return align_cfg::method_global{} |
           align_cfg::scoring_scheme{
               seqan3::nucleotide_scoring_scheme{seqan3::match_score{4}, seqan3::mismatch_score{-5}}} |
           align_cfg::gap_cost_affine{align_cfg::open_score{-10}, align_cfg::extension_score{-1}};
}
// What is fastest in SeqAn3.
auto vectorised(std::uint32_t threads)
{
    return affine() | align_cfg::output_score{} | align_cfg::score_type<std::int16_t>{} | align_cfg::vectorised{} |
           align_cfg::parallel{threads};
}

template <typename results_t>
std::int64_t sum_of(results_t && results)
{
    std::int64_t sum = 0;
    for (auto && result : results)
        sum += result.score();
    return sum;
}

// Sequences laid end to end, as nwgpu::Sequences takes them.
struct Bytes {
    std::vector<std::uint8_t> bytes;
    std::vector<std::uint64_t> offsets{0};

    explicit Bytes(Sequences const & sequences)
    {
        for (auto const & sequence : sequences) {
            for (dna4 const letter : sequence)
                bytes.push_back(static_cast<std::uint8_t>(letter.to_char()));
            offsets.push_back(bytes.size());
        }
    }
};

// The same batch through nwgpu.hpp, from bytes to scores.
std::int64_t sum_by_c_api(Sequences const & first, Sequences const & second, int threads)
{
    static Bytes const queries{second}, targets{first};
    nwgpu_context_options given = NWGPU_CONTEXT_OPTIONS_INIT;
    given.cpu_threads = threads;
    nwgpu::Context context{given};
    nwgpu_scoring scoring = NWGPU_SCORING_INIT;
    scoring.match = 4;
    scoring.mismatch = 5;
    scoring.gap_open = 10;
    scoring.gap_extend = 1;
    nwgpu::Sequences const query{context, queries.bytes, queries.offsets};
    nwgpu::Sequences const target{context, targets.bytes, targets.offsets};
    nwgpu::Result const result = context.align(query, target, scoring, NWGPU_ALIGN_OPTIONS_INIT);
    auto const scores = result.scores();
    return std::accumulate(scores.begin(), scores.end(), std::int64_t{0});
}

struct Contender {
    char const * name;
    std::function<std::int64_t()> run;
    std::vector<double> seconds{};
};

// The first contender is the one that others are compared with.
void compare(std::string const & what, std::vector<Contender> contenders, int repetitions)
{
    std::int64_t const expected = contenders.back().run(); // also warms up
    bool equal = true;
    for (int k = 0; k < repetitions; ++k)
        for (Contender & contender : contenders) {
            auto const begin = std::chrono::steady_clock::now();
            equal = contender.run() == expected && equal;
            contender.seconds.push_back(
                std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
        }
    auto const median = [](std::vector<double> & values) {
        std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
        return values[values.size() / 2];
    };
    double const base = median(contenders[0].seconds);
    std::printf("%s%s\n", what.c_str(), equal ? "" : "  SCORES DIFFER");
    for (Contender & contender : contenders) {
        double const seconds = median(contender.seconds);
        std::printf("    %-16s %9.2f ms  %6.1fx\n", contender.name, seconds * 1e3, base / seconds);
    }
    std::fflush(stdout);
}

void run_batches(std::size_t count, int repetitions)
{
    Random random{1};
    Sequences first, second;
    for (std::size_t p = 0; p < count; ++p) {
        auto const pair = nwgpu::test::random_pair(random, nwgpu::test::Model::mutated, 150, 200, "ACGT", 0.1);
        first.push_back(letters_of(pair.target));
        second.push_back(letters_of(pair.query));
    }
    auto pairs = seqan3::views::zip(first, second);
    for (std::uint32_t const threads : {1u, 2u}) {
        std::string const words = std::to_string(count) + " pairs of 150 x 200, threads=" + std::to_string(threads);
        auto const scores = vectorised(threads);
        compare(words + ", scores",
                {{"SeqAn3", [&] { return sum_of(seqan3::align_pairwise(pairs, scores)); }},
                 {"adapter", [&] { return sum_of(nwgpu::seqan3::align_pairwise(pairs, scores)); }},
                 {"C API", [&] { return sum_by_c_api(first, second, static_cast<int>(threads)); }}},
                repetitions);
        auto const rows = affine() | align_cfg::parallel{threads};
        compare(words + ", alignments",
                {{"SeqAn3", [&] { return sum_of(seqan3::align_pairwise(pairs, rows)); }},
                 {"adapter", [&] { return sum_of(nwgpu::seqan3::align_pairwise(pairs, rows)); }},
                 {"adapter, CIGARs",
                  [&] { return sum_of(nwgpu::seqan3::align_pairwise(pairs, rows, nwgpu::seqan3::cigar_options{})); }}},
                1);
    }
}

void run_pairs(int repetitions)
{
    Random random{2};
    std::string const text = nwgpu::test::random_sequence(random, 10000, "ACGT");
    auto const first = letters_of(text), similar = letters_of(nwgpu::test::mutated(random, text, "ACGT", 0.1)),
               other = letters_of(nwgpu::test::random_sequence(random, 10000, "ACGT"));
    auto const edit = align_cfg::method_global{} | align_cfg::edit_scheme;
    auto const pair = [&](std::string const & what, auto const & second, auto const & config) {
        auto const tie = std::tie(first, second);
        compare("10 kb x 10 kb, alignment, " + what,
                {{"SeqAn3", [&] { return sum_of(seqan3::align_pairwise(tie, config)); }},
                 {"adapter", [&] { return sum_of(nwgpu::seqan3::align_pairwise(tie, config)); }}},
                repetitions);
    };
    pair("90 % similar", similar, affine());
    pair("unrelated", other, affine());
    pair("90 % similar, edit distance", similar, edit);

    auto const tiny = letters_of("ACGTGACTGACTGACTTTGA");
    auto const thousand = [&](auto align) {
        std::int64_t sum = 0;
        for (int k = 0; k < 1000; ++k)
            sum += sum_of(align(std::tie(tiny, tiny)));
        return sum;
    };
    compare(
        "1000 calls with one pair of 20 x 20, alignment",
        {{"SeqAn3", [&] { return thousand([](auto tie) { return seqan3::align_pairwise(tie, affine()); }); }},
         {"adapter", [&] { return thousand([](auto tie) { return nwgpu::seqan3::align_pairwise(tie, affine()); }); }}},
        repetitions);
}

// SeqAn3 has no memory for this one.
void run_long_pair()
{
    Random random{3};
    std::string const text = nwgpu::test::random_sequence(random, 100000, "ACGT");
    auto const first = letters_of(text), second = letters_of(nwgpu::test::mutated(random, text, "ACGT", 0.1));
    compare("100 kb x 100 kb, alignment",
            {{"adapter", [&] { return sum_of(nwgpu::seqan3::align_pairwise(std::tie(first, second), affine())); }}}, 3);
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    std::printf("    peak of the process so far: %ld MiB\n", usage.ru_maxrss >> 10);
}

} // namespace

int main(int argc, char ** argv)
{
    std::size_t const count = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 100000;
    int const repetitions = argc > 2 ? std::atoi(argv[2]) : 5;
    run_long_pair();
    run_pairs(repetitions);
    run_batches(count, repetitions);
}
