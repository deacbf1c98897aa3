// SPDX-License-Identifier: BSD-3-Clause
#include "cuda/batch/kept_letters.hpp"

#include <algorithm>

namespace nwgpu::cuda::batch {

bool LettersOnDevice::has(std::uint64_t begin, std::uint64_t end) const
{
    auto const after = parts_.upper_bound(begin);
    return after != parts_.begin() && std::prev(after)->second >= end;
}

double LettersOnDevice::part() const
{
    std::uint64_t sum = 0;
    for (auto const & [begin, end] : parts_)
        sum += end - begin;
    return bytes_ == 0 ? 0 : static_cast<double>(sum) / static_cast<double>(bytes_);
}

void LettersOnDevice::add(std::uint64_t begin, std::uint64_t end)
{
    auto next = parts_.upper_bound(begin);
    if (next != parts_.begin() && std::prev(next)->second >= begin)
        begin = (--next)->first;
    while (next != parts_.end() && next->first <= end) {
        end = std::max(end, next->second);
        next = parts_.erase(next);
    }
    parts_[begin] = end;
}

// The larger side first: it takes longer to copy.
KeptSides sides_to_keep(Batch const & batch, std::uint64_t most)
{
    KeptSides sides;
    auto const keep = [&](CodedSequences const & sequences, bool & is_kept) {
        std::uint64_t const bytes = sequences.letter_count();
        if (!sequences.origin() || bytes < KeptLetters::least_bytes || bytes > most - sides.bytes)
            return;
        is_kept = true;
        sides.bytes += bytes;
    };
    bool const targets_first = batch.targets.letter_count() > batch.queries.letter_count();
    keep(targets_first ? batch.targets : batch.queries, targets_first ? sides.targets : sides.queries);
    if (batch.queries.origin() == batch.targets.origin())
        sides.queries = sides.targets = sides.queries || sides.targets;
    else
        keep(targets_first ? batch.queries : batch.targets, targets_first ? sides.queries : sides.targets);
    return sides;
}

LettersOnDevice * KeptLetters::use(CodedSequences const & sequences, std::uint64_t most)
{
    auto const & origin = sequences.origin();
    std::uint64_t const bytes = sequences.letter_count();
    auto const found = std::ranges::find_if(sides_, [&](Side const & side) { return side.is_of(origin); });
    if (found != sides_.end()) {
        sides_.splice(sides_.begin(), sides_, found);
        found->in_use = true;
        return &found->letters;
    }
    if (bytes > most)
        return nullptr;
    while (bytes_ > most - bytes || sides_.size() >= most_sides)
        if (!give_up())
            return nullptr;
    void * memory = source_.make(bytes);
    while (!memory && give_up())
        memory = source_.make(bytes);
    if (!memory)
        return nullptr;
    try {
        sides_.push_front({origin, {static_cast<std::uint8_t *>(memory), bytes}, true});
    } catch (...) {
        source_.give_back(memory, bytes);
        throw;
    }
    bytes_ += bytes;
    return &sides_.front().letters;
}

void KeptLetters::end_uses() noexcept
{
    for (Side & side : sides_)
        side.in_use = false;
}

LettersOnDevice const * KeptLetters::find(CodedSequences const & sequences) const
{
    auto const found = std::ranges::find_if(
        sides_, [&](Side const & side) { return sequences.origin() && side.is_of(sequences.origin()); });
    return found == sides_.end() ? nullptr : &found->letters;
}

std::uint64_t KeptLetters::bytes_in_use() const
{
    std::uint64_t sum = 0;
    for (Side const & side : sides_)
        sum += side.in_use ? side.letters.bytes() : 0;
    return sum;
}

bool KeptLetters::give_up() noexcept
{
    auto victim = std::ranges::find_if(sides_, [](Side const & side) { return side.origin.expired(); });
    if (victim == sides_.end())
        for (auto side = sides_.begin(); side != sides_.end(); ++side)
            if (!side->in_use)
                victim = side;
    if (victim == sides_.end())
        return false;
    free(victim);
    return true;
}

void KeptLetters::free_those_gone() noexcept
{
    for (auto side = sides_.begin(); side != sides_.end();)
        if (auto const here = side++; here->origin.expired())
            free(here);
}

void KeptLetters::clear() noexcept
{
    while (!sides_.empty())
        free(sides_.begin());
}

void KeptLetters::free(std::list<Side>::iterator side) noexcept
{
    source_.give_back(side->letters.at(0), side->letters.bytes());
    bytes_ -= side->letters.bytes();
    sides_.erase(side);
}

} // namespace nwgpu::cuda::batch
