// SPDX-License-Identifier: BSD-3-Clause
// What furthest-reaching points take, and what the other way takes: measured, in the time of a point of 16 bits.
#pragma once

#include <cstddef>
#include <cstdint>

#include "cpu/furthest/penalties.hpp"

namespace nwgpu::cpu {

// What the other way would take: the whole matrix, or a band, of strips of cells of 8 bits.
struct OtherWay {
    std::uint64_t strip_rows = 0;
    int lanes = 0; // of 8 bits
    int threads = 1;
    std::uint64_t bytes = 0; // that may be allocated
};

// How many cells are computed in the time of a point; how much longer a point of 32 bits takes.
double cells_per_point(Penalties const & penalties, OtherWay const & other);
constexpr double slower_32_bits = 1.2;

// Upper bound of the points of all fronts up to the end, of which it is known to have this penalty at most.
std::uint64_t points_up_to(std::int64_t penalty, Penalties const & penalties);
// The same where words leave out diagonals, which stay for a step before they are left out.
std::uint64_t points_up_to_with_words(std::int64_t penalty, Penalties const & penalties);
// About how many are computed up to the end where words leave so much of its penalty untold (seed_bound.hpp), a second
// time for the path included.
double points_with_words(double penalty, double untold, double letters, Penalties const & penalties);
// Whether finding words takes less time than it saves, of a pair of such a penalty; and of lower ones, perhaps.
bool is_worth_words(std::int64_t penalty, std::uint64_t m, std::uint64_t n, Penalties const & penalties);
bool may_be_worth_words(std::int64_t penalty, std::uint64_t m, std::uint64_t n, Penalties const & penalties);

// Whether a band of bits takes less time than fronts to a pair's end, of unit costs.
bool are_bits_quicker(std::int64_t penalty, std::uint64_t steps);
// Whether bits of so many pairs in the lanes of a vector do.
bool are_lanes_quicker(std::int64_t penalty, std::uint64_t letters, int pairs);

// Groups of bands in lanes (batch/band_batch.hpp).
struct BandsInLanes {
    std::uint64_t columns = 0, half_width = 0;
    std::uint64_t kept_half_width = 0; // of which trace bits are kept
    int lanes = 0;                     // of 8 bits
    std::size_t pairs = 0;             // in them
    bool whole_fit = false;            // lanes would have whole matrices otherwise
    bool paths = false;                // are asked for
};
// Whether those take less time than the other ways to pairs of such a penalty: fronts, strips, lanes of whole matrices.
bool are_bands_quicker(BandsInLanes const & bands, std::int64_t penalty, Penalties const & penalties);

// Where both ways take as much time.
class SameTime {
public:
    // The penalties live longer than this.
    SameTime(std::uint64_t m, std::uint64_t n, Penalties const & penalties, OtherWay const & other,
             double cells_per_point);

    std::int64_t penalty() const;
    // That a pair of such a penalty may take.
    std::uint64_t points(std::int64_t penalty) const;

private:
    double solve(double points, double more) const;
    double of_other(double penalty) const;
    bool is_less_with_words(double penalty) const;

    std::uint64_t m_, n_;
    Penalties const & penalties_;
    bool bands_;
    double whole_, band_, more_band_; // points: of the whole matrix, of a band, and of a band per penalty
};

} // namespace nwgpu::cpu
