// SPDX-License-Identifier: BSD-3-Clause
#include "cpu/pair/small_codes.hpp"

#include <array>

#include "cpu/kernels/kernels.hpp"

namespace nwgpu::cpu {

namespace {

constexpr std::uint64_t margin = CodedSequences::padding;

// Numbers the letters as they come.
class Numbering {
public:
    Numbering() { number_.fill(none); }

    // False where there are more letters than numbers.
    bool number(std::uint8_t const * letters, std::uint64_t count, std::uint8_t * out)
    {
        for (std::uint64_t i = 0; i < count; ++i) {
            std::uint8_t & number = number_[letters[i]];
            if (number == none) {
                if (next_ == most_small_codes)
                    return false;
                number = next_++;
            }
            out[i] = number;
        }
        return true;
    }

private:
    static constexpr std::uint8_t none = 255;
    std::array<std::uint8_t, 256> number_;
    std::uint8_t next_ = 0;
};

} // namespace

std::uint64_t SmallCodes::bytes(std::uint64_t m, std::uint64_t n) { return m + n + 3 * margin; }

SmallCodes::SmallCodes(PairView const & pair)
{
    codes_.assign(bytes(pair.m, pair.n), 0);
    std::uint8_t *const query = codes_.data() + margin, *const target = query + pair.m + margin;
    Numbering numbering;
    if (numbering.number(pair.query, pair.m, query) && numbering.number(pair.target, pair.n, target))
        pair_ = {query, pair.m, target, pair.n};
    else
        codes_ = {};
}

} // namespace nwgpu::cpu
