// SPDX-License-Identifier: BSD-3-Clause
// Turning letters into codes, once per call, so that no engine ever sees a letter.
#include "model/batch.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <string>

#include "base/large_pages.hpp"
#include "base/pieces.hpp"
#include "model/failures.hpp"

namespace nwgpu {

namespace {

constexpr std::uint64_t letters_of_piece = std::uint64_t{1} << 16;

} // namespace

std::uint8_t translate(std::uint8_t const * letters, std::uint64_t n, std::uint8_t const * codes, std::uint8_t * out)
{
    std::uint8_t all = 0;
    for (std::uint64_t i = 0; i < n; ++i) {
        std::uint8_t const code = codes[letters[i]];
        all |= code;
        out[i] = code;
    }
    return all;
}

CodedSequences::CodedSequences(RawSequences const & raw, Scoring const & scoring, Team * team, Translate translate,
                               GoOn const & go_on) :
    raw_{raw}
{
    bool const same = scoring.letters_are_codes();
    if (same && raw.margin >= padding) {
        first_ = raw.bytes.data();
        return;
    }
    storage_ = std::make_unique_for_overwrite<std::uint8_t[]>(raw.bytes.size() + 2 * padding);
    prefer_large_pages(storage_.get(), raw.bytes.size() + 2 * padding);
    std::uint8_t * const first = storage_.get() + padding;
    std::uint64_t const all = raw.bytes.size();
    first_ = first;
    std::fill_n(first - padding, padding, std::uint8_t{0});
    std::fill_n(first + all, padding, std::uint8_t{0});
    if (same) {
        for_pieces_while(
            go_on, team, all,
            [&](std::uint64_t begin, std::uint64_t end) {
                std::copy_n(raw.bytes.data() + begin, end - begin, first + begin);
            },
            letters_of_piece);
        return;
    }
    std::uint8_t const * const codes = scoring.codes().data();
    std::atomic<std::uint8_t> seen{0};
    for_pieces_while(
        go_on, team, all,
        [&](std::uint64_t begin, std::uint64_t end) {
            seen |= translate(raw.bytes.data() + begin, end - begin, codes, first + begin);
        },
        letters_of_piece);
    if (seen >= 128 && !scoring.any_byte())
        find_invalid(first, scoring.codes());
}

void CodedSequences::find_invalid(std::uint8_t * codes, LetterCodes const & letter_codes)
{
    invalid_ = std::make_unique<Invalid>(Invalid{letter_codes, std::vector<bool>(count())});
    for (std::uint64_t i = 0; i < count(); ++i) {
        std::uint8_t * const begin = codes + raw_.offsets[i];
        if (std::memchr(begin, invalid_code, length(i))) {
            invalid_->sequences[i] = true;
            // What engines read beside others must be a code.
            std::replace(begin, begin + length(i), invalid_code, std::uint8_t{0});
        }
    }
}

std::uint64_t CodedSequences::first_invalid(std::uint64_t i) const
{
    if (is_valid(i))
        return UINT64_MAX;
    if (made_)
        return made_->first_invalid(i);
    std::uint8_t const * const letters = raw_.data(i);
    std::uint64_t position = 0; // the last one if it is not found: the letters are the caller's, who may change them
    while (position + 1 < length(i) && invalid_->codes[letters[position]] != invalid_code)
        ++position;
    return position;
}

std::shared_ptr<CodedSequences const> CodeCache::get(RawSequences const & raw, Scoring const & scoring, Team * team,
                                                     Translate translate, GoOn const & go_on)
{
    auto const make = [&] { return std::make_shared<CodedSequences const>(raw, scoring, team, translate, go_on); };
    // Who would have to wait makes codes of its own; so does a forked child whose parent was within.
    std::unique_lock const lock{mutex_, std::try_to_lock};
    if (!lock)
        return make();
    if (!fits(scoring)) {
        kept_.reset(); // its memory first
        kept_ = make();
        codes_ = scoring.codes();
        any_byte_ = scoring.any_byte();
    }
    return kept_;
}

CodedSequences::CodedSequences(RawSequences const & raw, Make make) :
    CodedSequences{raw, std::make_shared<Lazy>(std::move(make))}
{}

void CodedSequences::code() const
{
    if (!are_letters())
        return;
    {
        std::lock_guard const lock{lazy_->mutex};
        if (!lazy_->made)
            lazy_->made = lazy_->make();
        made_ = lazy_->made;
    }
    first_ = made_->first_;
}

std::string CodedSequences::why_invalid(std::uint64_t i) const
{
    std::uint64_t const position = first_invalid(i);
    return invalid_letter_text(letter(i, position), position);
}

} // namespace nwgpu
