// SPDX-License-Identifier: BSD-3-Clause
// Whether further pairs are worth a quick try before their cells are computed.
#pragma once

namespace nwgpu::cpu {

// Worth it while so many of eight tries have had an answer; and one of sixteen pairs is tried in any case.
class TriesSoFar {
public:
    explicit TriesSoFar(int of_eight) : of_eight_{of_eight} {}

    bool is_worth_a_try() { return 8 * found_ >= of_eight_ * tried_ || ++left_out_ % between_tries == 0; }
    void note(bool found)
    {
        found_ += found;
        if (++tried_ == most_noted) {
            tried_ /= 2;
            found_ /= 2;
        }
    }

private:
    static constexpr int between_tries = 16, most_noted = 32;
    int const of_eight_;
    int tried_ = 1, found_ = 1, left_out_ = 0; // as if one had been tried, and found
};

} // namespace nwgpu::cpu
