// SPDX-License-Identifier: BSD-3-Clause
// See one_diagonal.hpp.
#include "cpu/kernels/isas.hpp" // must come first

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/furthest/one_diagonal.cpp"
#include <hwy/foreach_target.h> // must come before highway.h

#include <hwy/highway.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/equal_letters.hpp"
#include "cpu/furthest/equal_letters-inl.hpp"
#include "cpu/furthest/one_diagonal.hpp"

HWY_BEFORE_NAMESPACE();
namespace nwgpu::cpu::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

constexpr std::int64_t word = OneDiagonal::word, bits_of_block = 64;

// Of a block, the bits of its first letters; there may be more letters than bits.
HWY_INLINE std::uint64_t first_bits(std::int64_t letters)
{
    return letters >= bits_of_block ? ~std::uint64_t{0} : (std::uint64_t{1} << letters) - 1;
}

// Which of the inner letters are equal to outer ones, a bit each; behind the last letter none is.
struct EqualBits {
    std::uint64_t block[OneDiagonal::most_inner / bits_of_block];
    std::int64_t blocks;

    HWY_INLINE EqualBits(std::uint8_t const * a, std::uint8_t const * b, std::int64_t letters) :
        blocks{(letters + bits_of_block - 1) / bits_of_block}
    {
        for (std::int64_t k = 0; k < blocks; ++k) {
            std::uint64_t different = 0;
            for (std::int64_t part = 0; part < bits_of_block; part += letters_at_once)
                if (bits_of_block * k + part < letters)
                    different |= different_letters(a + bits_of_block * k + part, b + bits_of_block * k + part) << part;
            block[k] = ~different & first_bits(letters - bits_of_block * k);
        }
    }
    // Whether `word` equal letters follow each other.
    HWY_INLINE bool has_word() const
    {
        std::uint64_t before = 0; // the last letters of the block before
        for (std::int64_t k = 0; k < blocks; ++k) {
            std::uint64_t const last = block[k];
            std::uint64_t two = last & (last << 1 | before >> 63), before_two = before & before << 1;
            std::uint64_t const four = two & (two << 2 | before_two >> 62), before_four = before_two & before_two << 2;
            if ((four & (four << 4 | before_four >> 60)) != 0)
                return true;
            before = last;
        }
        return false;
    }
    // Below `word` where has_word() is false.
    HWY_INLINE std::int64_t first_run() const { return std::countr_one(block[0]); }
    HWY_INLINE std::int64_t last_run(std::int64_t letters) const
    {
        std::int64_t run = 0;
        while (run < word && block[(letters - 1 - run) / bits_of_block] >> (letters - 1 - run) % bits_of_block & 1)
            ++run;
        return run;
    }
};

struct Occurrences {
    std::uint64_t count, places; // all places added up
};

// Of words of the inner sequence, which begin at these places there, in the outer one, or some letters behind its end.
template <bool with_places>
HWY_INLINE Occurrences find_words(OneDiagonal const & job, std::int64_t const * at, std::int64_t count)
{
    hn::CappedTag<std::uint64_t, 4> const d;
    hn::Repartition<std::uint8_t, decltype(d)> const bytes;
    auto const lanes = static_cast<std::int64_t>(hn::Lanes(d));
    auto const apart = hn::ShiftLeft<3>(hn::Iota(d, 0));
    static_assert(word == 1 << 3);
    auto found = hn::Zero(d), places = hn::Zero(d);
    for (std::int64_t base = 0; base <= job.outer_letters - word; base += word * lanes)
        for (std::int64_t shift = 0; shift < word; ++shift) {
            auto const text = hn::BitCast(d, hn::LoadU(bytes, job.outer + base + shift));
            for (std::int64_t k = 0; k < count; ++k) {
                std::uint64_t letters; // in the order of the machine, as those of the text
                std::memcpy(&letters, job.inner + at[k], word);
                auto const here = hn::VecFromMask(d, hn::Eq(text, hn::Set(d, letters)));
                found = hn::Sub(found, here);
                if constexpr (with_places) {
                    auto const place = hn::Add(apart, hn::Set(d, static_cast<std::uint64_t>(base + shift)));
                    places = hn::Add(places, hn::And(here, place));
                }
            }
        }
    return {hn::GetLane(hn::SumOfLanes(d, found)), hn::GetLane(hn::SumOfLanes(d, places))};
}

// On which diagonal a word lies that occurs once; false: there is none.
HWY_INLINE bool find_diagonal(OneDiagonal & job)
{
    std::int64_t const m = job.inner_letters;
    for (std::int64_t const at : {m / 2 - word / 2, m / 4 - word / 2, m / 4 * 3 - word / 2}) {
        Occurrences const found = find_words<true>(job, &at, 1);
        if (found.count > 1)
            return false;
        if (found.count == 0)
            continue;
        job.diagonal = static_cast<std::int64_t>(found.places) - at;
        return job.diagonal >= 0 && job.diagonal + m <= job.outer_letters;
    }
    return false;
}

// False: there are too many.
HWY_INLINE bool note_mismatches(OneDiagonal & job)
{
    EqualBits const equal{job.inner, job.outer + job.diagonal, job.inner_letters};
    int count = 0;
    for (std::int64_t k = 0; k < equal.blocks; ++k) {
        std::uint64_t different = ~equal.block[k] & first_bits(job.inner_letters - bits_of_block * k);
        for (; different != 0; different &= different - 1) {
            if (count == OneDiagonal::most_mismatches)
                return false;
            job.at[static_cast<std::size_t>(count++)] = bits_of_block * k + std::countr_zero(different);
        }
    }
    job.mismatches = count;
    return true;
}

// Whether each alignment that loses no more has one of some words on this diagonal (lemma 37, a).
HWY_INLINE bool all_have_words_here(OneDiagonal const & job)
{
    if (job.mismatches == 0) // one word is enough: that which told the diagonal, and occurs once
        return true;
    Losses const & losses = job.losses;
    std::int64_t const lost = job.lost(), of_change = losses.of_word(), count = lost / of_change + 1,
                       clipped = job.may_clip ? lost / losses.match : 0,
                       apart = (job.inner_letters - 2 * clipped) / count;
    constexpr std::int64_t most = 16;
    if (apart < word || count > most)
        return false;
    std::int64_t at[most];
    std::uint64_t here = 0;
    for (std::int64_t k = 0; k < count; ++k) {
        at[k] = clipped + apart * k + (apart - word) / 2;
        here += eight_letters(job.inner + at[k]) == eight_letters(job.outer + job.diagonal + at[k]);
    }
    return find_words<false>(job, at, count).count == here;
}

// Of the diagonals that an alignment may reach that loses no more: false if one has a word.
HWY_INLINE bool note_runs(OneDiagonal & job)
{
    std::int64_t const lost = job.lost() - job.losses.open,
                       apart = lost < job.losses.extend ? 0 : lost / job.losses.extend;
    if (apart > OneDiagonal::most_apart)
        return false;
    for (std::int64_t k = -apart; k <= apart; ++k) {
        if (k == 0)
            continue;
        EqualBits const equal{job.inner, job.outer + job.diagonal + k, job.inner_letters};
        if (equal.has_word())
            return false;
        job.first_run = std::max(job.first_run, equal.first_run());
        job.last_run = std::max(job.last_run, equal.last_run(job.inner_letters));
    }
    return true;
}

} // namespace

void one_diagonal(OneDiagonal & job)
{
    // No gap of inner letters may lose so little that it has parts of three words.
    bool const is_proven = find_diagonal(job) && note_mismatches(job) &&
                           job.lost() <= job.losses.open + word * (job.losses.match + job.losses.extend) &&
                           all_have_words_here(job) && note_runs(job) && all_detours_lose_more(job);
    if (!is_proven)
        job.mismatches = -1;
}

} // namespace nwgpu::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
