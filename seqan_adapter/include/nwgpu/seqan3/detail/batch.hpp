// SPDX-License-Identifier: BSD-3-Clause
// Pairs as the library takes them: the ranks of their letters end to end.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <memory>
#include <ranges>
#include <tuple>
#include <vector>

#include "types.hpp"

namespace nwgpu::seqan3::detail {

// Whether a letter in memory is its rank, as for the nucleotides and amino acids of SeqAn3.
template <typename letter_t>
consteval bool is_rank_in_memory()
{
    if constexpr (sizeof(letter_t) == 1 && std::is_trivially_copyable_v<letter_t> &&
                  ::seqan3::writable_semialphabet<letter_t>) {
        for (std::size_t rank = 0; rank < ::seqan3::alphabet_size<letter_t>; ++rank) {
            letter_t letter{};
            ::seqan3::assign_rank_to(static_cast<::seqan3::alphabet_rank_t<letter_t>>(rank), letter);
            if (std::bit_cast<std::uint8_t>(letter) != rank)
                return false;
        }
        return true;
    } else {
        return false;
    }
}

// Sequences end to end.
class letters {
public:
    std::uint8_t const * bytes() const { return bytes_.get(); }
    std::size_t size() const { return offsets_.back(); }
    std::uint64_t const * offsets() const { return offsets_.data(); }
    std::uint64_t length(std::size_t i) const { return offsets_[i + 1] - offsets_[i]; }
    void clear() { offsets_.resize(1); }

    // `codes`: of the ranks, or NULL where ranks are codes.
    template <typename sequence_t>
    void append(sequence_t && sequence, std::uint8_t const * codes)
    {
        using letter_t = std::ranges::range_value_t<sequence_t>;
        std::size_t const n = static_cast<std::size_t>(std::ranges::size(sequence)), begin = size();
        reserve(begin + n);
        std::uint8_t * const __restrict out = bytes_.get() + begin;
        if constexpr (std::ranges::contiguous_range<sequence_t> && is_rank_in_memory<letter_t>()) {
            if (n > 0)
                std::memcpy(out, std::ranges::data(sequence), n);
        } else {
            auto letter = std::ranges::begin(sequence);
            for (std::size_t i = 0; i < n; ++i, ++letter)
                out[i] = static_cast<std::uint8_t>(::seqan3::to_rank(static_cast<letter_t>(*letter)));
        }
        if (codes)
            for (std::size_t i = 0; i < n; ++i)
                out[i] = codes[out[i]];
        offsets_.push_back(begin + n);
    }

    void append_codes(std::uint8_t const * codes, std::size_t n)
    {
        std::size_t const begin = size();
        reserve(begin + n);
        if (n > 0)
            std::memcpy(bytes_.get() + begin, codes, n);
        offsets_.push_back(begin + n);
    }

private:
    void reserve(std::size_t size)
    {
        if (size <= capacity_)
            return;
        std::size_t const capacity = std::max(size, 2 * capacity_);
        auto bytes = std::make_unique_for_overwrite<std::uint8_t[]>(capacity);
        if (this->size() > 0)
            std::memcpy(bytes.get(), bytes_.get(), this->size());
        bytes_ = std::move(bytes);
        capacity_ = capacity;
    }

    std::unique_ptr<std::uint8_t[]> bytes_;
    std::size_t capacity_ = 0;
    std::vector<std::uint64_t> offsets_{0};
};

// Some pairs in the order of the range; where alignments are asked for, with views of their sequences.
template <typename types>
struct batch {
    using first_view = decltype(::seqan3::views::type_reduce(std::declval<typename types::first_sequence &>()));
    using second_view = decltype(::seqan3::views::type_reduce(std::declval<typename types::second_sequence &>()));

    letters queries, targets;
    std::vector<std::tuple<first_view, second_view>> views;
    std::uint64_t first_id = 0;
    std::size_t count = 0;
    std::uint64_t largest = 0; // matrix cells of a pair

    void clear(std::uint64_t id)
    {
        largest = 0;
        queries.clear();
        targets.clear();
        views.clear();
        first_id = id;
        count = 0;
    }
    template <typename pair_t>
    void append(pair_t && pair, std::uint8_t const * query_codes)
    {
        using std::get;
        auto && first = get<0>(pair);
        auto && second = get<1>(pair);
        targets.append(first, nullptr);
        queries.append(second, types::same_letters ? nullptr : query_codes);
        if constexpr (types::wants_alignment)
            views.emplace_back(::seqan3::views::type_reduce(first), ::seqan3::views::type_reduce(second));
        largest = std::max(largest, targets.length(count) * queries.length(count));
        ++count;
    }
};

} // namespace nwgpu::seqan3::detail
