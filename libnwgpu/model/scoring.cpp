// SPDX-License-Identifier: BSD-3-Clause
// Validation of scoring schemes, and what follows from one: its best and worst scores.
#include "model/scoring.hpp"

#include <algorithm>
#include <string>

#include "base/error.hpp"

namespace nwgpu {

namespace {

void check_cost(std::int64_t value, std::string const & name)
{
    if (value < 0)
        throw Error{Status::invalid_argument, name + " must not be negative"};
    if (value > max_cost)
        throw Error{Status::too_large, name + " is larger than 2^30"};
}

// What is asked of letter codes: plain loops over all of them, which become vector instructions, as this is a part of
// every call.
struct CodesInUse {
    explicit CodesInUse(LetterCodes const & codes)
    {
        for (std::size_t byte = 0; byte < codes.size(); ++byte) {
            std::uint8_t const code = codes[byte];
            invalid |= static_cast<std::uint8_t>(code == invalid_code);
            other |= static_cast<std::uint8_t>(code ^ static_cast<std::uint8_t>(byte));
            last = std::max<std::uint8_t>(last, code == invalid_code ? 0 : code);
        }
    }
    std::uint8_t invalid = 0; // not 0: some letter is
    std::uint8_t other = 0;   // not 0: some letter is not its own code
    std::uint8_t last = 0;    // the highest valid code
};

void check_gap(GapCost gap)
{
    check_cost(gap.open, "gap_open");
    check_cost(gap.extend, "gap_extend");
}

} // namespace

Scoring Scoring::uniform(std::int64_t match, std::int64_t mismatch, GapCost gap, LetterCodes const * codes)
{
    check_cost(match, "match");
    check_cost(mismatch, "mismatch");
    check_gap(gap);

    Scoring result;
    result.match_ = match;
    result.mismatch_ = mismatch;
    result.gap_ = gap;
    result.max_score_ = match;
    result.min_score_ = -mismatch;
    if (codes) {
        CodesInUse const used{*codes};
        result.codes_ = *codes;
        result.any_byte_ = used.invalid == 0;
        result.letters_are_codes_ = used.other == 0;
    } else {
        for (std::size_t byte = 0; byte < 256; ++byte)
            result.codes_[byte] = static_cast<std::uint8_t>(byte);
        result.any_byte_ = result.letters_are_codes_ = true;
    }
    return result;
}

Scoring Scoring::matrix(std::vector<std::int32_t> scores, int size, LetterCodes const & codes, GapCost gap)
{
    check_gap(gap);
    if (size < 1 || size > max_matrix_size)
        throw Error{Status::invalid_argument, "a matrix has 1 to 128 letters"};
    std::size_t const letters = static_cast<std::size_t>(size);
    if (scores.size() != letters * letters)
        throw Error{Status::invalid_argument, "a matrix needs size * size scores"};
    std::int32_t lowest = scores[0], highest = scores[0];
    for (std::int32_t const score : scores) {
        lowest = std::min(lowest, score);
        highest = std::max(highest, score);
    }
    if (lowest < -max_cost || highest > max_cost)
        throw Error{Status::too_large, "a matrix score is larger than 2^30"};
    CodesInUse const used{codes};
    if (used.last >= letters)
        throw Error{Status::invalid_argument, "a letter code is outside the matrix"};

    Scoring result;
    result.size_ = size;
    result.gap_ = gap;
    result.codes_ = codes;
    result.any_byte_ = used.invalid == 0;
    result.letters_are_codes_ = used.other == 0;
    result.max_score_ = highest;
    result.min_score_ = lowest;
    result.best_target_.assign(letters, lowest);
    result.best_query_.assign(letters, lowest);
    std::int32_t * const best_target = result.best_target_.data();
    for (std::size_t query = 0; query < letters; ++query) {
        std::int32_t const * const row = scores.data() + query * letters;
        std::int32_t best = lowest;
        for (std::size_t target = 0; target < letters; ++target) {
            best = std::max(best, row[target]);
            best_target[target] = std::max(best_target[target], row[target]);
        }
        result.best_query_[query] = best;
    }
    result.scores_ = std::move(scores);
    return result;
}

std::int64_t lowest_useful_score(Scoring const & scoring)
{
    return -2 * (scoring.gap().open + scoring.gap().extend) - 1;
}

} // namespace nwgpu
