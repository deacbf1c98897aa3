// SPDX-License-Identifier: BSD-3-Clause
// The CIGAR of a result: sequence1 is the reference, sequence2 the read, so I is a gap in sequence1.
#pragma once

#include <concepts>
#include <cstdint>
#include <span>
#include <vector>

#include <seqan3/alignment/pairwise/alignment_result.hpp>
#include <seqan3/alphabet/cigar/cigar.hpp>
#include <seqan3/alphabet/gap/gap.hpp>

namespace nwgpu::seqan3 {

// What align_pairwise yields with cigar_options: SeqAn3's result with a CIGAR.
template <typename value_t>
class cigar_result : public ::seqan3::alignment_result<value_t> {
public:
    cigar_result() = default;
    cigar_result(value_t value, std::span<std::uint32_t const> runs) :
        ::seqan3::alignment_result<value_t>{std::move(value)}, runs_(runs.begin(), runs.end())
    {}

    // In BAM encoding, as the library gives them.
    std::vector<std::uint32_t> const & runs() const { return runs_; }

private:
    std::vector<std::uint32_t> runs_;
};

template <typename value_t>
std::vector<::seqan3::cigar> cigar(cigar_result<value_t> const & result)
{
    std::vector<::seqan3::cigar> cigar;
    cigar.reserve(result.runs().size());
    for (std::uint32_t const run : result.runs())
        cigar.push_back({run >> 4, ::seqan3::cigar::operation{}.assign_char("MIDNSHP=X"[run & 15])});
    return cigar;
}

// Of any result that has an alignment, SeqAn3's own as well; `extended`: = and X, else M.
template <typename value_t>
std::vector<::seqan3::cigar> cigar(::seqan3::alignment_result<value_t> const & result, bool extended = true)
{
    using std::get;
    auto const & first = get<0>(result.alignment());
    auto const & second = get<1>(result.alignment());
    std::vector<::seqan3::cigar> cigar;
    char last = 0;
    std::uint32_t length = 0;
    auto const flush = [&] {
        if (length > 0)
            cigar.push_back({length, ::seqan3::cigar::operation{}.assign_char(last)});
        length = 0;
    };
    auto other = std::ranges::begin(second);
    for (auto const letter : first) {
        auto const opposite = *other;
        ++other;
        bool const insertion = letter == ::seqan3::gap{}, deletion = opposite == ::seqan3::gap{};
        char op = 'M';
        if (insertion || deletion)
            op = insertion ? 'I' : 'D';
        else if (extended)
            op = ::seqan3::to_char(letter) == ::seqan3::to_char(opposite) ? '=' : 'X';
        if (op != last)
            flush();
        last = op;
        ++length;
    }
    flush();
    return cigar;
}

} // namespace nwgpu::seqan3
