// SPDX-License-Identifier: BSD-3-Clause
// Why pairs of a call have failed, in 16 bytes per failed pair and nothing per good one: messages are put together when
// they are asked for.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "base/error.hpp"

namespace nwgpu {

// "letter '*' at position 1 is not in the alphabet"
std::string invalid_letter_text(std::uint8_t letter, std::uint64_t position);

class Failures {
public:
    enum class Side : std::uint8_t { query, target };

    // Upper bounds of what they take: per failed pair, and of all texts.
    static constexpr std::uint64_t bytes_per_pair = 17, most_text_bytes = 16384;

    std::uint64_t count() const { return failures_ ? failures_->size() : 0; }
    std::uint64_t bytes() const { return count() * bytes_per_pair; }

    // A letter of the pair's query or target is not in the alphabet.
    void add_letter(std::uint64_t pair, Side side, std::uint8_t letter, std::uint64_t position);
    // Any other reason.  Of many different texts only the first ones are kept; then pairs share those of their status.
    void add(std::uint64_t pair, Status status, std::string const & text);
    // As `pair`, what has failed as another pair of other failures; nothing where that has not.  O(log count).
    void add(std::uint64_t pair, Failures const & others, std::uint64_t other);
    // Before they are asked for.
    void sort();
    // Empty for a pair that has not failed.  O(log count).
    std::string message(std::uint64_t pair) const;

private:
    enum class Kind : std::uint8_t { query_letter, target_letter, text, similar_text };

    struct Failure {
        std::uint64_t pair;
        std::uint64_t reason; // number << 16 | letter << 8 | kind

        Kind kind() const { return static_cast<Kind>(reason & 0xff); }
        std::uint8_t letter() const { return static_cast<std::uint8_t>(reason >> 8); }
        std::uint64_t number() const { return reason >> 16; } // the letter's position, or the text's index
    };
    static_assert(sizeof(Failure) == 16);

    struct Text {
        Status status;
        std::string text;
    };
    static constexpr std::size_t most_texts = 24, most_text_length = 255;

    void add(std::uint64_t pair, Kind kind, std::uint64_t number, std::uint8_t letter = 0);
    Failure const * find(std::uint64_t pair) const;

    std::optional<std::deque<Failure>> failures_; // none: nothing is allocated; a deque is never copied while it grows
    std::vector<Text> texts_;
};

} // namespace nwgpu
