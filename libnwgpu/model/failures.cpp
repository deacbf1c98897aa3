// SPDX-License-Identifier: BSD-3-Clause
#include "model/failures.hpp"

#include <algorithm>

namespace nwgpu {

std::string invalid_letter_text(std::uint8_t letter, std::uint64_t position)
{
    bool const printable = letter > 32 && letter < 127;
    std::string const shown = printable ? std::string{'\''} + static_cast<char>(letter) + '\'' : std::to_string(letter);
    return "letter " + shown + " at position " + std::to_string(position) + " is not in the alphabet";
}

void Failures::add_letter(std::uint64_t pair, Side side, std::uint8_t letter, std::uint64_t position)
{
    add(pair, side == Side::query ? Kind::query_letter : Kind::target_letter, position, letter);
}

void Failures::add(std::uint64_t pair, Status status, std::string const & text)
{
    std::string const kept = text.substr(0, most_text_length);
    auto const same = std::find_if(texts_.rbegin(), texts_.rend(),
                                   [&](Text const & known) { return known.status == status && known.text == kept; });
    if (same != texts_.rend())
        return add(pair, Kind::text, static_cast<std::uint64_t>(texts_.rend() - same) - 1);
    auto const similar =
        std::find_if(texts_.begin(), texts_.end(), [&](Text const & known) { return known.status == status; });
    if (similar != texts_.end() && texts_.size() >= most_texts)
        return add(pair, Kind::similar_text, static_cast<std::uint64_t>(similar - texts_.begin()));
    texts_.push_back({status, kept});
    add(pair, Kind::text, texts_.size() - 1);
}

void Failures::add(std::uint64_t pair, Kind kind, std::uint64_t number, std::uint8_t letter)
{
    if (!failures_)
        failures_.emplace();
    failures_->push_back({pair, number << 16 | std::uint64_t{letter} << 8 | static_cast<std::uint64_t>(kind)});
}

void Failures::sort()
{
    if (failures_)
        std::sort(failures_->begin(), failures_->end(), [](auto const & a, auto const & b) { return a.pair < b.pair; });
}

Failures::Failure const * Failures::find(std::uint64_t pair) const
{
    if (!failures_)
        return nullptr;
    auto const found = std::lower_bound(failures_->begin(), failures_->end(), pair,
                                        [](Failure const & failure, std::uint64_t p) { return failure.pair < p; });
    return found == failures_->end() || found->pair != pair ? nullptr : &*found;
}

void Failures::add(std::uint64_t pair, Failures const & others, std::uint64_t other)
{
    Failure const * const found = others.find(other);
    if (!found)
        return;
    if (found->kind() == Kind::query_letter || found->kind() == Kind::target_letter)
        return add(pair, found->kind(), found->number(), found->letter());
    Text const & text = others.texts_[found->number()];
    add(pair, text.status, text.text);
}

std::string Failures::message(std::uint64_t pair) const
{
    Failure const * const found = find(pair);
    if (!found)
        return {};
    switch (found->kind()) {
    case Kind::query_letter:
        return "query: " + invalid_letter_text(found->letter(), found->number());
    case Kind::target_letter:
        return "target: " + invalid_letter_text(found->letter(), found->number());
    case Kind::text:
        return texts_[found->number()].text;
    case Kind::similar_text:
        break;
    }
    return "as another pair: " + texts_[found->number()].text;
}

} // namespace nwgpu
