// SPDX-License-Identifier: BSD-3-Clause
// What a long pair will take where that depends on its letters: measured on how it begins.
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>

#include "cpu/work.hpp"

namespace nwgpu::cpu {

// Seconds of a pair of so many letters, both sequences together: of similar pairs some work goes with the letters, and
// some with the differences that two points of a front may be apart, which grow with them.
struct Growth {
    double per_letter = 0, per_letters_squared = 0;
    Work::Way way{};     // threads share a band, and most of what landmarks take, but no fronts
    double measured = 0; // so many letters, of which many times as many are told

    // Words and boxes between landmarks go with the letters; but they miss the caches more and more often.
    double seconds(double letters) const
    {
        constexpr double with_letters = 1.4; // at most: 1 to 120 Mb
        double const all = (per_letter + per_letters_squared * letters) * letters;
        if (way != Work::Way::landmarks || letters <= measured)
            return all;
        return std::min(all, (per_letter + per_letters_squared * measured) * measured *
                                 std::pow(letters / measured, with_letters));
    }
};

// Processor time of this thread: other programs do not count.
double thread_seconds();

// Aligns the pair's first letters, more and more of them, by one thread for some milliseconds, or for about a hundredth
// part of what all of them take.  Nothing where the pair's cells tell how long it takes: the sequences are not similar,
// or nobody looks whether they are.
std::optional<Growth> probe(Work const & work, PairView const & pair, Means const & means, Monitor & monitor);

} // namespace nwgpu::cpu
