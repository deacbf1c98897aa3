// SPDX-License-Identifier: BSD-3-Clause
// The part of this suite that CTest runs: on a few small pairs every peer that was found must agree with our scores,
// and every CIGAR must score what it says.  Known defects of peers are printed, not counted.  No timing.
#include "check.hpp"
#include "generator.hpp"
#include "registry.hpp"

#include <algorithm>
#include <cstdio>
#include <stdexcept>

using namespace performance;

namespace {

// Equal lengths within a batch, and more than 100 pairs: SeqAn's vectorised engines want both.
Pairs small_pairs(Scheme scheme, std::size_t count)
{
    Random random{"smoke"};
    Pairs pairs;
    for (std::size_t i = 0; i < count; ++i) {
        bool const protein = scheme == Scheme::protein;
        std::string const query = protein ? random_protein(random, 70) : random_dna(random, 70);
        std::string target = protein ? homologous_protein(random, query) : mutated_dna(random, query, 0.1);
        target.resize(80, 'A');
        pairs.queries.push_back(query);
        pairs.targets.push_back(std::move(target));
    }
    return pairs;
}

int disagreements(Task const & task, Pairs const & pairs, int & comparisons)
{
    Shape const shape{pairs.queries.size(), 70, 80};
    std::vector<std::int64_t> expected;
    int failed = 0;
    for (auto const & peer : peers()) {
        if (!peer->refusal(task, shape).empty())
            continue;
        std::vector<Alignment> answers;
        peer->open(task, pairs)->align(&answers);
        if (expected.empty())
            std::transform(answers.begin(), answers.end(), std::back_inserter(expected),
                           [](Alignment const & answer) { return answer.score; });
        std::string const wrong = check(task, pairs, expected, answers);
        ++comparisons;
        if (wrong.empty())
            continue;
        std::string const defect = peer->known_defect(task, shape);
        failed += defect.empty();
        std::printf("scheme %d span %d output %d: %s%s: %s\n", static_cast<int>(task.scheme),
                    static_cast<int>(task.span), static_cast<int>(task.output), peer->name().c_str(),
                    defect.empty() ? "" : " (known)", wrong.c_str());
    }
    return failed;
}

} // namespace

int main()
try {
    int failed = 0, comparisons = 0;
    for (std::size_t count : {std::size_t{1}, std::size_t{128}})
        for (Scheme scheme : {Scheme::dna, Scheme::penalties, Scheme::protein, Scheme::edit}) {
            Pairs const pairs = small_pairs(scheme, count);
            for (Span span : {Span::global, Span::semi_global, Span::local})
                for (Output output : {Output::score, Output::cigar})
                    for (int threads : {1, 3})
                        failed += disagreements({scheme, span, output, threads}, pairs, comparisons);
        }
    std::printf("%d comparisons, %d wrong; peers not found: %s\n", comparisons, failed, missing_peers().c_str());
    return failed != 0;
} catch (std::exception const & error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
}
