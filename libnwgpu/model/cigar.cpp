// SPDX-License-Identifier: BSD-3-Clause
// CIGAR text, and runs collected from the end of a path.
#include "model/cigar.hpp"

namespace nwgpu {

std::string cigar_text(std::span<std::uint32_t const> runs)
{
    constexpr char letters[] = "MIDNSHP=X???????";
    if (runs.empty())
        return "*";
    std::string text;
    for (std::uint32_t const run : runs) {
        text += std::to_string(run_length(run));
        text += letters[run & 15];
    }
    return text;
}

void CigarBuilder::clear()
{
    reversed_.clear();
    length_ = 0;
}

void CigarBuilder::finish(std::vector<std::uint32_t> & runs)
{
    flush();
    runs.insert(runs.end(), reversed_.rbegin(), reversed_.rend());
    clear();
}

// The remainder of a split run goes first, which is last in the finished path.
void CigarBuilder::flush()
{
    if (reversed_.empty())
        reversed_.reserve(128);
    if (std::uint64_t const rest = length_ % max_run; rest != 0)
        reversed_.push_back(cigar_run(op_, static_cast<std::uint32_t>(rest)));
    for (std::uint64_t whole = length_ / max_run; whole > 0; --whole)
        reversed_.push_back(cigar_run(op_, max_run));
    length_ = 0;
}

} // namespace nwgpu
