// SPDX-License-Identifier: BSD-3-Clause
#include "cuda/batch/batch_scheme.hpp"

#include <algorithm>
#include <numeric>

namespace nwgpu::cuda::batch {

namespace {

constexpr std::int64_t highest = 65535, most_gap = 2000; // of a register; open + extend

std::int64_t unit_of(Scoring const & scoring)
{
    std::int64_t unit = std::gcd(scoring.gap().open, scoring.gap().extend);
    if (scoring.is_uniform())
        unit = std::gcd(unit, std::gcd(scoring.match(), scoring.mismatch()));
    else
        for (std::int32_t const score : scoring.scores())
            unit = std::gcd(unit, std::int64_t{score});
    return std::max<std::int64_t>(unit, 1);
}

} // namespace

std::optional<BatchScheme> make_batch_scheme(Scoring const & scoring, Mode const & mode)
{
    std::int64_t const unit = unit_of(scoring), open = scoring.gap().open / unit, extend = scoring.gap().extend / unit,
                       best = std::max<std::int64_t>(0, scoring.max_score() / unit),
                       worst = std::max(scoring.min_score() / unit, -2 * (open + extend) - 1),
                       drift = mode.local ? 0 : extend;
    if (open + extend > most_gap || best + 2 * drift > 127 || worst + 2 * drift < -128)
        return std::nullopt;
    BatchScheme scheme;
    scheme.unit = unit;
    scheme.open = static_cast<int>(open);
    scheme.extend = static_cast<int>(extend);
    scheme.best = static_cast<int>(best);
    scheme.worst = static_cast<int>(worst);
    scheme.drift = static_cast<int>(drift);
    // Two gaps lead from the origin to any cell, and a step may go below that by a column score, or by opening a gap.
    scheme.zero = static_cast<int>(mode.local ? 4 * (open + extend) + 512 : 6 * open + 1024);
    std::int64_t const differ = std::max(best - worst, best + 2 * (open + extend)); // lemma 26
    scheme.bits = differ < 16 ? 4 : differ < 256 ? 8 : 0;
    scheme.local = mode.local;
    scheme.free_query_begin = mode.free_query_begin;
    scheme.free_query_end = mode.free_query_end;
    scheme.free_target_begin = mode.free_target_begin;
    scheme.free_target_end = mode.free_target_end;
    scheme.uniform = scoring.is_uniform();
    return scheme;
}

bool BatchScheme::fits(std::uint64_t m, std::uint64_t n) const
{
    auto const rows = static_cast<std::int64_t>(m), cols = static_cast<std::int64_t>(n);
    return zero + best * (std::min(rows, cols) + 1) + drift * (rows + cols + 2) + 256 <= highest;
}

WalkScheme walk_scheme(BatchScheme const & scheme, bool letters_apart)
{
    return {scheme.open,
            scheme.extend,
            scheme.best,
            scheme.worst,
            scheme.drift,
            scheme.zero,
            scheme.local,
            scheme.free_query_begin,
            scheme.free_query_end,
            scheme.free_target_begin,
            scheme.free_target_end,
            scheme.uniform,
            letters_apart};
}

std::optional<LetterTable> make_letters(std::bitset<256> const & seen, Scoring const & scoring,
                                        BatchScheme const & scheme)
{
    std::bitset<256> codes;
    for (std::size_t byte = 0; byte < 256; ++byte)
        if (seen[byte])
            codes.set(scoring.codes()[byte]);
    if (codes.count() > most_letters || (codes[invalid_code] && !scoring.any_byte()))
        return std::nullopt;
    LetterTable table;
    std::array<std::uint8_t, 256> number_of{};
    std::array<std::uint8_t, most_letters> code_of{};
    for (std::size_t code = 0; code < 256; ++code)
        if (codes[code]) {
            code_of[static_cast<std::size_t>(table.letters)] = static_cast<std::uint8_t>(code);
            number_of[code] = static_cast<std::uint8_t>(table.letters++);
        }
    for (std::size_t byte = 0; byte < 256; ++byte)
        if (seen[byte]) {
            table.number[byte] = number_of[scoring.codes()[byte]];
            table.identity = table.identity && byte == table.number[byte];
        }
    for (int q = 0; q < table.letters; ++q)
        for (int t = 0; t < table.letters; ++t) {
            std::int64_t const score =
                scoring.score(code_of[static_cast<std::size_t>(q)], code_of[static_cast<std::size_t>(t)]) / scheme.unit;
            table.scores.push_back(static_cast<std::int8_t>(std::max<std::int64_t>(score, scheme.worst)));
        }
    return table;
}

void put_common_first(LetterTable & table, std::vector<std::uint64_t> const & counts, int common)
{
    int const all = table.letters + 1;
    std::vector<std::size_t> order(counts.size()); // numbers of before
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return counts[a] > counts[b]; });
    std::vector<int> now(order.size());
    for (int k = 0; k < table.letters; ++k)
        now[order[static_cast<std::size_t>(k)]] = k < common ? k : k + 1;
    std::vector<std::int8_t> scores(static_cast<std::size_t>(all * all), no_letter_score);
    for (std::size_t q = 0; q < now.size(); ++q)
        for (std::size_t t = 0; t < now.size(); ++t)
            scores[static_cast<std::size_t>(now[q] * all + now[t])] = table.scores[q * now.size() + t];
    for (std::uint8_t & number : table.number)
        number = static_cast<std::uint8_t>(now[number]);
    table.scores = std::move(scores);
    table.letters = all;
    table.identity = false;
}

} // namespace nwgpu::cuda::batch
