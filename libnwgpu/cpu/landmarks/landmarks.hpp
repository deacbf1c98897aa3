// SPDX-License-Identifier: BSD-3-Clause
// Words that the path of the tie rule, of a sequence which lies within another one, is proven to cross where a known
// path crosses them: what lies between two of them is the known path's (docs/proofs.md, lemma 42).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "cpu/furthest/one_diagonal.hpp"
#include "cpu/furthest/seed_bound.hpp"
#include "model/cigar.hpp"

namespace nwgpu::cpu {

// A word of the inner sequence that the outer one has once, and that the known path crosses.
struct Landmark {
    static constexpr std::uint64_t letters = std::uint64_t{1} << SeedBound::usual_bits;

    std::uint64_t word;    // words before it
    std::int64_t diagonal; // outer letters less inner ones
    std::int64_t loss;     // of the known path, before it
    std::int64_t lost;     // words before it that the outer sequence does not have
};

class Landmarks {
public:
    // local: else no inner letter may be clipped.  inner_gap: the operation of a gap of inner letters.
    Landmarks(Losses const & losses, bool local, CigarOp inner_gap);

    // Of the global path, by the tie rule, between the inner sequence and some of the outer one's letters from
    // outer_begin on, in runs of equal and of different letters.  diagonals: of the inner sequence's words
    // (SeedBound::find()).
    void find(std::span<std::int32_t const> diagonals, std::span<std::uint32_t const> runs, std::uint64_t outer_begin);
    // Looks for the first and the last that are proven to be crossed.
    bool find_crossed(bool free_begin, bool free_end);
    Landmark const & first() const { return all_[first_]; }
    Landmark const & last() const { return all_[last_]; }
    std::int64_t loss() const { return loss_; } // of all of the known path

private:
    CigarOp outer_gap() const { return inner_gap_ == CigarOp::insertion ? CigarOp::deletion : CigarOp::insertion; }
    std::int64_t loss_of(std::uint32_t run) const;
    std::size_t most_touched(std::int64_t loss, std::int64_t lost, int free_ends) const;

    Losses const losses_;
    bool const local_;
    CigarOp const inner_gap_;
    std::int64_t const cost_; // of a word that a path does not cross, at least
    std::vector<Landmark> all_;
    std::int64_t loss_ = 0, lost_ = 0; // of all of the known path; words
    std::size_t first_ = 0, last_ = 0;
};

} // namespace nwgpu::cpu
