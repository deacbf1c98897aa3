// SPDX-License-Identifier: BSD-3-Clause
#include "backend/known_score.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

#include "path/common_words.hpp"
#include "path/end.hpp"

namespace nwgpu {

namespace {

// Of both sequences, from a word to the next one that counts: of long sequences, and of short ones.
constexpr std::uint64_t usual_apart = 512, least_apart = 16, letters_per_letter = 256;
// Between two words there may be so many cells, and in all so many per letter; what has more is left out as two gaps.
constexpr double most_cells = 1e9, most_cells_per_letter = 1500;

// The ends of pieces that follow each other, in both sequences; the first is their begin.
std::vector<path::CommonWord> ends_of_pieces(std::vector<path::CommonWord> const & words, PairView const & pair)
{
    std::uint64_t const apart = std::clamp(std::min(pair.m, pair.n) / letters_per_letter, least_apart, usual_apart);
    std::vector<path::CommonWord> ends;
    for (path::CommonWord const & word : words)
        if (ends.empty() || (word.i - ends.back().i >= apart && word.j - ends.back().j >= apart))
            ends.push_back(word);
    if (!ends.empty()) // the last piece is longer than it would have to be
        ends.back() = {words.back().i + path::CommonWord::letters, words.back().j + path::CommonWord::letters};
    return ends;
}

} // namespace

std::uint64_t known_score_bytes(std::uint64_t m, std::uint64_t n, int threads)
{
    constexpr std::uint64_t of_a_thread = 32 << 20, // for pieces of common lengths
        of_a_piece = 128;
    std::uint64_t const letters = m + n;
    return letters + path::common_words_bytes(m, n) + letters / usual_apart * of_a_piece +
           (static_cast<std::uint64_t>(threads) + 1) * of_a_thread;
}

std::int64_t known_score(Piece const & piece, std::uint64_t p, Backend & engine, Monitor & monitor)
{
    PairView const pair = piece.batch.view(p);
    Pair const which = piece.batch.pairs[p];
    std::vector<path::CommonWord> const ends =
        ends_of_pieces(path::common_words(pair, piece.scoring, &monitor.team()), pair);
    if (ends.size() < 2)
        return 0;

    std::uint64_t const count = ends.size() - 1;
    std::vector<std::uint64_t> query_offsets{0}, target_offsets{0}, all(count), computed;
    for (std::uint64_t k = 1; k <= count; ++k) {
        query_offsets.push_back(ends[k].i - ends[0].i);
        target_offsets.push_back(ends[k].j - ends[0].j);
    }
    auto const query_letters = [&](std::uint64_t k) { return query_offsets[k + 1] - query_offsets[k]; };
    auto const target_letters = [&](std::uint64_t k) { return target_offsets[k + 1] - target_offsets[k]; };
    auto const cells = [&](std::uint64_t k) {
        return static_cast<double>(query_letters(k)) * static_cast<double>(target_letters(k));
    };
    std::iota(all.begin(), all.end(), std::uint64_t{0});
    std::ranges::stable_sort(all, {}, cells);
    double left = most_cells_per_letter * static_cast<double>(pair.m + pair.n);
    for (std::uint64_t const k : all)
        if (left -= cells(k); left >= 0 && cells(k) <= most_cells)
            computed.push_back(k);
    std::ranges::sort(computed);

    CodedSequences const queries{
        {{piece.batch.queries.letters(which.query) + ends[0].i, query_offsets.back()}, query_offsets},
        piece.scoring,
        &monitor.team()},
        targets{{{piece.batch.targets.letters(which.target) + ends[0].j, target_offsets.back()}, target_offsets},
                piece.scoring,
                &monitor.team()};
    std::vector<Pair> pairs(count);
    for (std::uint64_t k = 0; k < count; ++k)
        pairs[k] = {k, k};
    Batch const batch{queries, targets, pairs};
    Request const request;
    BatchResult result;
    Answers answers{result, count, request, &monitor.team()};
    Progress const ask = [&](std::uint64_t, std::uint64_t) {
        monitor.poll(0);
        return !monitor.stopped();
    };
    Monitor own{ask, UINT64_MAX, monitor.team()};
    answers.begin(0, count, 0, std::max(engine.threads(), monitor.team().size()) + 2);
    if (!computed.empty())
        engine.align({batch, computed, piece.scoring, request}, own, answers);
    monitor.throw_if_stopped();

    GapCost const gap = piece.scoring.gap();
    std::int64_t best = 0, sum = 0;
    for (std::uint64_t k = 0; k < count; ++k) {
        std::int64_t const two_gaps = path::gap_score(gap, query_letters(k)) + path::gap_score(gap, target_letters(k));
        bool const is_known = !answers.is_open(k) && result.status[k] == Status::ok;
        sum = std::max<std::int64_t>(0, sum + (is_known ? std::max(result.score[k], two_gaps) : two_gaps));
        best = std::max(best, sum);
    }
    return best;
}

} // namespace nwgpu
