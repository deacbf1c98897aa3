// SPDX-License-Identifier: BSD-3-Clause
// Re-scoring of CIGARs and comparison of scores; uses neither our library nor a peer.
#include "check.hpp"

#include "peers/scheme.hpp"

namespace performance {

namespace {

bool fits_span(Task const & task, std::string const & query, std::string const & target, Alignment const & alignment)
{
    bool const whole_query = alignment.query_begin == 0 && alignment.query_end == query.size();
    bool const whole_target = alignment.target_begin == 0 && alignment.target_end == target.size();
    switch (task.span) {
    case Span::global:
        return whole_query && whole_target;
    case Span::semi_global:
        return whole_query;
    case Span::local:
        break;
    }
    return true;
}

} // namespace

std::optional<std::int64_t> rescore(Task const & task, std::string const & query, std::string const & target,
                                    Alignment const & alignment)
{
    auto const scores = matrix(task.scheme);
    auto const query_codes = encode(task.scheme, query), target_codes = encode(task.scheme, target);
    std::size_t const size = letters(task.scheme).size();
    Costs const c = costs(task.scheme);
    if (!fits_span(task, query, target, alignment))
        return std::nullopt;

    std::int64_t score = 0;
    std::size_t i = alignment.query_begin, j = alignment.target_begin;
    std::uint32_t previous = bam::match;
    for (std::uint32_t run : alignment.runs) {
        std::uint32_t const op = run & 15u;
        std::size_t const length = run >> 4;
        bool const uses_query = op != bam::deletion, uses_target = op != bam::insertion;
        if (i + uses_query * length > alignment.query_end || j + uses_target * length > alignment.target_end)
            return std::nullopt;
        if (op == bam::insertion || op == bam::deletion) {
            score -= c.extend * static_cast<std::int64_t>(length) + (op == previous ? 0 : c.open);
        } else if (op == bam::match || op == bam::equal || op == bam::different) {
            for (std::size_t k = 0; k < length; ++k) {
                bool const same = query[i + k] == target[j + k];
                if ((op == bam::equal && !same) || (op == bam::different && same))
                    return std::nullopt;
                score += scores[query_codes[i + k] * size + target_codes[j + k]];
            }
        } else {
            return std::nullopt;
        }
        i += uses_query * length;
        j += uses_target * length;
        previous = op;
    }
    if (i != alignment.query_end || j != alignment.target_end)
        return std::nullopt;
    return score;
}

std::string check(Task const & task, Pairs const & pairs, std::vector<std::int64_t> const & expected_scores,
                  std::vector<Alignment> const & answers)
{
    if (answers.size() != pairs.queries.size() || expected_scores.size() != answers.size())
        return std::to_string(answers.size()) + " answers for " + std::to_string(pairs.queries.size()) + " pairs";
    std::size_t wrong_scores = 0, wrong_cigars = 0;
    std::string first;
    for (std::size_t i = 0; i < answers.size(); ++i) {
        std::int64_t const expected = expected_scores[i];
        if (answers[i].score != expected) {
            if (wrong_scores++ == 0)
                first = "pair " + std::to_string(i) + " scores " + std::to_string(answers[i].score) + ", nwgpu " +
                        std::to_string(expected);
        } else if (task.output == Output::cigar) {
            auto const scored = rescore(task, pairs.queries[i], pairs.targets[i], answers[i]);
            if (scored != expected && wrong_cigars++ == 0 && first.empty())
                first = "pair " + std::to_string(i) + ": CIGAR " +
                        (scored ? "scores " + std::to_string(*scored) + ", not " + std::to_string(expected)
                                : std::string{"does not fit the sequences"});
        }
    }
    if (first.empty())
        return {};
    return std::to_string(wrong_scores) + " wrong scores and " + std::to_string(wrong_cigars) + " wrong CIGARs in " +
           std::to_string(answers.size()) + " pairs; " + first;
}

} // namespace performance
