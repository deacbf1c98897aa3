// SPDX-License-Identifier: BSD-3-Clause
#include "cuda/kernels/scheme.hpp"

#include <algorithm>
#include <bitset>
#include <cstring>

#include "cuda/kernels/kernels.hpp"

namespace nwgpu::cuda {

namespace {

// Codes that occur.  Long sequences are read in blocks: where they have few kinds of letters, as nucleotides have, it
// is enough that all of a block, eight at a time, are among the kinds seen before.
class SeenCodes {
public:
    void add(std::uint8_t const * codes, std::uint64_t length)
    {
        for (; length >= block; codes += block, length -= block)
            if (!all_known(codes)) {
                mark(codes, block);
                if (kinds_ <= few)
                    note_kinds();
            }
        mark(codes, length);
    }
    bool has(int code) const { return seen_[code] != 0; }

private:
    static constexpr std::uint64_t block = 4096;
    static constexpr int few = 5;

    void mark(std::uint8_t const * codes, std::uint64_t length)
    {
        for (std::uint64_t k = 0; k < length; ++k)
            seen_[codes[k]] = 1;
    }
    void note_kinds()
    {
        kinds_ = 0;
        for (int code = 0; code < 256; ++code)
            if (has(code) && ++kinds_ <= few)
                std::fill(kind_.begin() + (kinds_ - 1), kind_.end(), each_byte * static_cast<unsigned>(code));
    }
    bool all_known(std::uint8_t const * codes) const
    {
        if (kinds_ == 0 || kinds_ > few)
            return false;
        std::uint64_t unknown = 0; // bit 7 of each byte
        for (std::uint64_t k = 0; k < block; k += 8) {
            std::uint64_t letters, differ = UINT64_MAX;
            std::memcpy(&letters, codes + k, 8);
            for (std::uint64_t const kind : kind_) {
                std::uint64_t const other = letters ^ kind; // bytes that are 0 are this kind
                differ &= ((other & low_bits) + low_bits) | other;
            }
            unknown |= differ;
        }
        return (unknown & ~low_bits) == 0;
    }

    static constexpr std::uint64_t each_byte = 0x0101010101010101, low_bits = 0x7f * each_byte;
    std::array<std::uint8_t, 256> seen_{};
    std::array<std::uint64_t, few> kind_{}; // a code in all bytes
    int kinds_ = 0;
};

std::bitset<256> codes_in(SeenCodes const & seen, Scoring const & scoring)
{
    std::bitset<256> present;
    for (int code = 0; code < (scoring.is_uniform() ? 256 : scoring.size()); ++code)
        present[code] = seen.has(code);
    return present;
}

std::bitset<256> codes_in(UsedSequences const & sequences, Scoring const & scoring)
{
    SeenCodes seen;
    sequences.for_each([&](std::uint8_t const * codes, std::uint64_t length) { seen.add(codes, length); });
    return codes_in(seen, scoring);
}

std::bitset<256> codes_in(std::uint8_t const * codes, std::uint64_t count, Scoring const & scoring)
{
    SeenCodes seen;
    seen.add(codes, count);
    return codes_in(seen, scoring);
}

// Numbers the codes of `own`; under match/mismatch all codes that the other side lacks are one letter, which matches
// nothing.
std::uint32_t number(std::bitset<256> const & own, std::bitset<256> const & other, bool uniform, LetterMap & map,
                     std::vector<int> & code_of)
{
    int unmatched = -1;
    for (int code = 0; code < 256; ++code) {
        if (!own[code])
            continue;
        if (uniform && !other[code]) {
            if (unmatched < 0) {
                unmatched = static_cast<int>(code_of.size());
                code_of.push_back(-1);
            }
            map[code] = static_cast<std::uint8_t>(unmatched);
            continue;
        }
        map[code] = static_cast<std::uint8_t>(code_of.size());
        code_of.push_back(code);
    }
    return static_cast<std::uint32_t>(code_of.size());
}

} // namespace

ScoreTable::ScoreTable(UsedSequences const & queries, UsedSequences const & targets, Scoring const & scoring) :
    ScoreTable{codes_in(queries, scoring), codes_in(targets, scoring), scoring}
{}

ScoreTable::ScoreTable(PairView const & pair, Scoring const & scoring) :
    ScoreTable{codes_in(pair.query, pair.m, scoring), codes_in(pair.target, pair.n, scoring), scoring}
{}

ScoreTable::ScoreTable(Present const & queries, Present const & targets, Scoring const & scoring)
{
    std::vector<int> query_codes, target_codes;
    query_letters = number(queries, targets, scoring.is_uniform(), query_map, query_codes);
    target_letters = number(targets, queries, scoring.is_uniform(), target_map, target_codes);
    std::int64_t const lowest = lowest_useful_score(scoring);
    scores.resize(std::size_t{query_letters} * target_letters);
    for (std::uint32_t q = 0; q < query_letters; ++q)
        for (std::uint32_t t = 0; t < target_letters; ++t) {
            bool const unmatched = query_codes[q] < 0 || target_codes[t] < 0;
            std::int64_t const score = unmatched ? -scoring.mismatch()
                                                 : scoring.score(static_cast<std::uint8_t>(query_codes[q]),
                                                                 static_cast<std::uint8_t>(target_codes[t]));
            scores[std::size_t{q} * target_letters + t] = static_cast<std::int32_t>(std::max(score, lowest));
        }
}

int most_packed_rows(Scoring const & scoring, bool local)
{
    std::int64_t const open = scoring.gap().open, extend = scoring.gap().extend, bias = (local ? 1 : 2) * extend;
    std::int64_t const best = std::max<std::int64_t>(0, scoring.max_score());
    std::int64_t const worst = std::max(scoring.min_score(), lowest_useful_score(scoring));
    if (best + bias > 127 || worst + bias < -128 || open + extend > 4000)
        return 0;
    // Between two cells of a warp, 64 * pairs rows and 63 columns apart, with the base moved every 256 columns, the
    // register moves by at most this much; then a step, and the floor's drift within a block.  Where both halves are
    // added to at once, the lower one must not borrow from the upper one.
    std::int64_t const room = local ? open + 64 * extend + open + extend : 0;
    int most = 0;
    for (int const pairs : packed_rows) {
        std::int64_t const span = 64 * pairs + 64 + 256 + 96;
        if (span * (best + 2 * extend) + 6 * (open + extend) + 64 * extend + 256 + room <= 30000)
            most = pairs;
    }
    return most;
}

} // namespace nwgpu::cuda
