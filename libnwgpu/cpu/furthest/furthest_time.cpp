// SPDX-License-Identifier: BSD-3-Clause
#include "cpu/furthest/furthest_time.hpp"

#include <algorithm>
#include <cmath>

#include "cpu/furthest/first_band.hpp"
#include "cpu/furthest/seed_bound.hpp"

namespace nwgpu::cpu {

namespace {

// What a front takes beside its points; with words, that of the upper bound and the one for the path as well.
constexpr double points_per_front = 25, points_per_front_with_words = 90;
// What finding words takes, per letter of both sequences.
constexpr double points_per_letter = 1.2;
constexpr double worth_finding = 2; // times that
// Beside what is left untold on average: most differences are told by words of their own, and those for the path are
// few.
constexpr double fewer = 0.8;
constexpr double word_letters = 1 << SeedBound::usual_bits;
// What words miss, beside changes of words that have others: gaps' letters, and what the upper bound is too high.
constexpr double missed = 0.09;

// Strips of a narrow band are shared by threads, 16 of which are six times as quick as one; fronts are the work of one.
constexpr double threads_power = 0.65;
constexpr double cells_per_point_at_least = 18, cells_per_point_and_lane = 0.5, most_lanes = 32, unit_costs_share = 0.8;
// What strips take beside their cells, in points, and a band beside its strips, in rows.
constexpr double points_before_strips = 8000, more_band_rows = 768;
// The number of points is a guess: so they have to be quicker than the other way, in proportion.
constexpr double worth = 0.9;

// Of words of bits (bit_group.hpp), the path included.
constexpr double points_per_step = 5;
// Of bits in lanes: of a column, for all pairs, and of a letter of a pair.
constexpr double points_per_column = 2.5, points_per_lane_letter = 0.03;

// Of bands in lanes: of a vector of 64 cells, and more of one with trace bits; shorter vectors take less; rows beside
// the half-widths; of a letter and a change of a pair.
constexpr double points_per_vector = 0.75, points_per_traced_vector = 0.85, more_lane_rows = 32,
                 points_per_band_letter = 0.5, points_per_band_change = 12;
// Of pairs whose matrices are computed as a whole, in lanes or by strips.
constexpr double cells_per_point_of_short = 36, cells_per_point_of_scores = 100;

double cheapest_change(Penalties const & penalties)
{
    return static_cast<double>(std::min(penalties.mismatch, penalties.open + penalties.extend));
}

// Of a penalty, if changes lie anywhere: words with several of them tell of one.
double untold(double penalty, double letters, Penalties const & penalties)
{
    double const changes = penalty / cheapest_change(penalties);
    return std::min(1.0, missed + changes * word_letters / letters) * penalty;
}

} // namespace

double cells_per_point(Penalties const & penalties, OtherWay const & other)
{
    return (cells_per_point_at_least + cells_per_point_and_lane * std::min<double>(other.lanes, most_lanes)) *
           std::pow(other.threads, threads_power) * (penalties.unit_costs() ? unit_costs_share : 1);
}

std::uint64_t points_up_to(std::int64_t penalty, Penalties const & penalties)
{
    auto const s = static_cast<std::uint64_t>(penalty);
    return s * s / (2 * static_cast<std::uint64_t>(penalties.extend)) + s + 1;
}

std::uint64_t points_up_to_with_words(std::int64_t penalty, Penalties const & penalties)
{
    return points_up_to(penalty, penalties) +
           2 * static_cast<std::uint64_t>((penalty + 1) * (penalties.step() / penalties.extend + 1));
}

// A diagonal is left out when what words tell behind the furthest one has grown to what they leave untold.
double points_with_words(double penalty, double untold, double letters, Penalties const & penalties)
{
    double const words_per_penalty = letters / penalty / word_letters,
                 life = untold / (1 + cheapest_change(penalties) * words_per_penalty),
                 width = 2 * life / static_cast<double>(penalties.extend);
    return fewer * penalty * std::min(width, penalty / static_cast<double>(2 * penalties.extend));
}

bool may_be_worth_words(std::int64_t penalty, std::uint64_t m, std::uint64_t n, Penalties const & penalties)
{
    return static_cast<double>(points_up_to(penalty, penalties)) >
           worth_finding * points_per_letter * static_cast<double>(m + n);
}

bool is_worth_words(std::int64_t penalty, std::uint64_t m, std::uint64_t n, Penalties const & penalties)
{
    if (!may_be_worth_words(penalty, m, n, penalties))
        return false;
    auto const letters = static_cast<double>(m + n), s = static_cast<double>(penalty);
    return points_with_words(s, untold(s, letters, penalties), letters / 2, penalties) +
               worth_finding * points_per_letter * letters <
           static_cast<double>(points_up_to(penalty, penalties));
}

bool are_bits_quicker(std::int64_t penalty, std::uint64_t steps)
{
    auto const s = static_cast<double>(penalty);
    return points_per_step * static_cast<double>(steps) < s * s / 2 + points_per_front * s;
}

bool are_lanes_quicker(std::int64_t penalty, std::uint64_t letters, int pairs)
{
    auto const s = static_cast<double>(penalty);
    return (points_per_column / pairs + points_per_lane_letter) * static_cast<double>(letters) <
           s * s / 2 + points_per_front * s;
}

bool are_bands_quicker(BandsInLanes const & bands, std::int64_t penalty, Penalties const & penalties)
{
    auto const s = static_cast<double>(penalty), columns = static_cast<double>(bands.columns);
    auto const rows = [&](std::uint64_t half_width) {
        return std::min(columns, 2 * static_cast<double>(half_width) + more_lane_rows);
    };
    double const vector = (rows(bands.half_width) * points_per_vector +
                           (bands.paths ? rows(bands.kept_half_width) * points_per_traced_vector : 0)) *
                          (most_lanes + bands.lanes) / (3 * most_lanes),
                 changes = s / cheapest_change(penalties),
                 points = columns * (vector / static_cast<double>(bands.pairs) + points_per_band_letter) +
                          points_per_band_change * changes;
    double const whole = columns * columns / (bands.paths ? cells_per_point_of_short : cells_per_point_of_scores),
                 fronts = static_cast<double>(points_up_to(penalty, penalties)) + points_per_front * s;
    return points < worth * (bands.whole_fit ? whole : std::min(whole, fronts));
}

// A band has strips, one of them for the proof, and as many diagonals as gaps can lead to.
SameTime::SameTime(std::uint64_t m, std::uint64_t n, Penalties const & penalties, OtherWay const & other,
                   double cells_per_point) :
    m_{m},
    n_{n},
    penalties_{penalties},
    bands_{is_worth_trying(first_half_width(std::min(m, n)), other.strip_rows, std::max(m, n))}
{
    auto const shorter = static_cast<double>(std::min(m, n)), longer = static_cast<double>(std::max(m, n)),
               strip = static_cast<double>(other.strip_rows);
    whole_ = worth * (longer * shorter / cells_per_point + points_before_strips);
    band_ = worth * longer * (2 * strip + more_band_rows) / cells_per_point;
    more_band_ = worth * longer / static_cast<double>(penalties.extend) / cells_per_point;
}

std::int64_t SameTime::penalty() const
{
    auto const all =
        static_cast<std::int64_t>(bands_ ? std::min(solve(whole_, 0), solve(band_, more_band_)) : solve(whole_, 0));
    if (!may_be_worth_words(all, m_, n_, penalties_))
        return all;
    std::int64_t low = all, high = std::max(all, penalties_.of_gaps(m_, n_));
    while (high - low > low / 64 + 1) {
        std::int64_t const middle = low + (high - low) / 2;
        (is_less_with_words(static_cast<double>(middle)) ? low : high) = middle;
    }
    return low;
}

std::uint64_t SameTime::points(std::int64_t penalty) const
{
    return std::min(may_be_worth_words(penalty, m_, n_, penalties_) ? points_up_to_with_words(penalty, penalties_)
                                                                    : points_up_to(penalty, penalties_),
                    static_cast<std::uint64_t>(of_other(static_cast<double>(penalty))) + 1);
}

// The penalty up to which all points take as much as `points` and `more` points per penalty.
double SameTime::solve(double points, double more) const
{
    auto const extend = static_cast<double>(penalties_.extend);
    double const linear = extend * (more - points_per_front);
    return linear + std::sqrt(linear * linear + 2 * extend * points);
}

double SameTime::of_other(double penalty) const
{
    return bands_ ? std::min(whole_, band_ + more_band_ * penalty) : whole_;
}

bool SameTime::is_less_with_words(double penalty) const
{
    auto const letters = static_cast<double>(m_ + n_);
    return points_with_words(penalty, untold(penalty, letters, penalties_), letters / 2, penalties_) +
               points_per_front_with_words * penalty + points_per_letter * letters <
           of_other(penalty);
}

} // namespace nwgpu::cpu
