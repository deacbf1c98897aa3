// SPDX-License-Identifier: BSD-3-Clause
// The problem as engines see it: sequences turned into letter codes, and the pairs to align.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "base/go_on.hpp"
#include "model/scoring.hpp"

namespace nwgpu {

class Team;

// Raw sequences, end to end: sequence i is bytes[offsets[i]] .. bytes[offsets[i + 1] - 1].  offsets[0] is 0.
struct RawSequences {
    std::span<std::uint8_t const> bytes;
    std::span<std::uint64_t const> offsets; // count + 1
    std::uint64_t margin = 0;               // bytes that can be read before the first and after the last
    // Whose they are, for engines that keep copies from call to call: as long as it lives, the letters stay as they
    // are, and no others have it.  Null: they may change after the call.
    std::shared_ptr<void const> origin = nullptr;

    std::uint64_t count() const { return offsets.size() - 1; }
    std::uint64_t length(std::uint64_t i) const { return offsets[i + 1] - offsets[i]; }
    std::uint8_t const * data(std::uint64_t i) const { return bytes.data() + offsets[i]; }
};

// Letters into codes by a table of 256; returns all the codes, or-ed: above 127 if there is an invalid one.
using Translate = std::uint8_t (*)(std::uint8_t const * letters, std::uint64_t n, std::uint8_t const * codes,
                                   std::uint8_t * out);
// One letter after the other.
std::uint8_t translate(std::uint8_t const * letters, std::uint64_t n, std::uint8_t const * codes, std::uint8_t * out);

// The same sequences as codes of one scoring scheme.  `padding` bytes on both sides of each sequence hold codes, of its
// neighbours or 0, so that engines may read whole vectors past both ends.  Where every byte is its own code and there
// is such a margin already, they are the raw sequences.
class CodedSequences {
public:
    static constexpr std::uint64_t padding = 128;

    // Many letters are translated by all threads of the team, if there is one.  go_on(), if any, is asked by all of
    // them now and then; Error cancelled once it is false.
    CodedSequences(RawSequences const & raw, Scoring const & scoring, Team * team = nullptr,
                   Translate translate = nwgpu::translate, GoOn const & go_on = {});
    // For an engine that makes codes itself: codes() are letters, and all of them count as valid, until code() calls
    // `make`, if ever.
    using Make = std::function<std::shared_ptr<CodedSequences const>()>;
    CodedSequences(RawSequences const & raw, Make make);
    // The same letters, for an engine that is at work beside others: code() of these does not change those of the
    // others, and the codes are made once for all.  Only where are_letters() is, or was, true; on any thread.
    CodedSequences beside() const { return CodedSequences{raw_, lazy_}; }

    bool are_letters() const { return lazy_ && !made_; }
    // Not while another thread is at work on these sequences.
    void code() const;

    std::uint64_t count() const { return raw_.count(); }
    std::uint64_t length(std::uint64_t i) const { return raw_.length(i); }
    std::uint8_t const * codes(std::uint64_t i) const { return first_ + raw_.offsets[i]; }
    std::uint8_t const * letters(std::uint64_t i) const { return raw_.data(i); } // as the caller gave them
    std::uint8_t letter(std::uint64_t i, std::uint64_t position) const { return raw_.data(i)[position]; }
    std::uint64_t letter_count() const { return raw_.bytes.size(); }
    std::shared_ptr<void const> const & origin() const { return raw_.origin; } // of the letters
    // Whether all letters are in the alphabet.
    bool is_valid(std::uint64_t i) const { return made_ ? made_->is_valid(i) : !invalid_ || !invalid_->sequences[i]; }
    // Position of the first letter outside the alphabet, or UINT64_MAX.  O(length) for an invalid sequence.
    std::uint64_t first_invalid(std::uint64_t i) const;
    // Names that letter and its position, for messages.
    std::string why_invalid(std::uint64_t i) const;
    // What all this takes, at most.
    std::uint64_t bytes() const { return bytes_for(raw_); }
    static std::uint64_t bytes_for(RawSequences const & raw)
    {
        return raw.bytes.size() + 2 * padding + raw.count() / 8 + sizeof(CodedSequences) + sizeof(Invalid);
    }

private:
    struct Invalid {
        LetterCodes codes;
        std::vector<bool> sequences;
    };

    struct Lazy { // codes that nobody may want
        explicit Lazy(Make make_codes) : make{std::move(make_codes)} {}

        Make const make;
        std::mutex mutex;
        std::shared_ptr<CodedSequences const> made;
    };

    CodedSequences(RawSequences const & raw, std::shared_ptr<Lazy> const & lazy) :
        raw_{raw}, first_{raw.bytes.data()}, lazy_{lazy}
    {}
    void find_invalid(std::uint8_t * codes, LetterCodes const & letter_codes);

    RawSequences raw_;
    std::unique_ptr<std::uint8_t[]> storage_;
    mutable std::uint8_t const * first_ = nullptr; // code of the first letter
    std::unique_ptr<Invalid> invalid_;             // null: there is none
    std::shared_ptr<Lazy> lazy_;
    mutable std::shared_ptr<CodedSequences const> made_;
};

// Keeps the codes of one set of sequences for later calls with the same codes of letters.  Thread-safe.
class CodeCache {
public:
    std::shared_ptr<CodedSequences const> get(RawSequences const & raw, Scoring const & scoring, Team * team,
                                              Translate translate, GoOn const & go_on = {});

private:
    bool fits(Scoring const & scoring) const
    {
        return kept_ && codes_ == scoring.codes() && any_byte_ == scoring.any_byte();
    }

    std::mutex mutex_;
    std::shared_ptr<CodedSequences const> kept_;
    LetterCodes codes_{}; // of the scoring that it was made for
    bool any_byte_ = false;
};

struct Pair {
    std::uint64_t query = 0, target = 0; // indices
};

// One pair of coded sequences.
struct PairView {
    std::uint8_t const * query = nullptr;
    std::uint64_t m = 0; // query letters: rows
    std::uint8_t const * target = nullptr;
    std::uint64_t n = 0; // target letters: columns
    std::uint64_t cells() const { return m * n; }
};

struct Batch {
    CodedSequences const & queries;
    CodedSequences const & targets;
    std::span<Pair const> pairs;

    PairView view(std::uint64_t p) const
    {
        Pair const pair = pairs[p];
        return {queries.codes(pair.query), queries.length(pair.query), targets.codes(pair.target),
                targets.length(pair.target)};
    }
    bool are_letters() const { return queries.are_letters() || targets.are_letters(); }
    void code() const
    {
        queries.code();
        targets.code();
    }
    bool is_valid(std::uint64_t p) const
    {
        return queries.is_valid(pairs[p].query) && targets.is_valid(pairs[p].target);
    }
    std::uint64_t cells() const
    {
        std::uint64_t sum = 0;
        for (std::uint64_t p = 0; p < pairs.size(); ++p)
            sum += view(p).cells();
        return sum;
    }
};

} // namespace nwgpu
