// SPDX-License-Identifier: BSD-3-Clause
// CIGAR runs in BAM encoding: length << 4 | operation.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/allocated.hpp"
#include "base/uninitialized.hpp"

namespace nwgpu {

enum class CigarOp : std::uint32_t { match = 0, insertion = 1, deletion = 2, equal = 7, different = 8 };

constexpr std::uint32_t max_run = (1u << 28) - 1;

constexpr std::uint32_t cigar_run(CigarOp op, std::uint32_t length)
{
    return length << 4 | static_cast<std::uint32_t>(op);
}
constexpr CigarOp run_op(std::uint32_t run) { return static_cast<CigarOp>(run & 15); }
constexpr std::uint32_t run_length(std::uint32_t run) { return run >> 4; }

// Many of them are laid one after the other by many threads.
using Runs = Array<std::uint32_t>;

// "3=1X2D", "*" for no runs.
std::string cigar_text(std::span<std::uint32_t const> runs);
// The same into `text` as far as it reaches, without a NUL; returns the length of the whole.
std::uint64_t write_cigar(std::span<std::uint32_t const> runs, std::span<char> text);

// Collects the operations of a path walked from its end to its begin; merges neighbours, splits runs at max_run.
class CigarBuilder {
public:
    // What a CIGAR of so many runs takes while it is collected, which doubles the memory when that is full, and while
    // it is turned round.
    static constexpr std::uint64_t bytes(std::uint64_t runs)
    {
        return allocated(3 * sizeof(std::uint32_t) * std::max(runs, first_runs), 3);
    }

    void clear();
    void add(CigarOp op, std::uint64_t length = 1)
    {
        if (op == op_) {
            length_ += length;
            return;
        }
        if (length_ - 1 < max_run && reversed_.size() < reversed_.capacity())
            reversed_.push_back(cigar_run(op_, static_cast<std::uint32_t>(length_)));
        else
            flush();
        op_ = op;
        length_ = length;
    }
    // A part of the path that was collected before, begin first.
    void add(std::span<std::uint32_t const> runs)
    {
        for (auto run = runs.rbegin(); run != runs.rend(); ++run)
            add(run_op(*run), run_length(*run));
    }
    // `length` columns of two letters, from the last one to the first: runs of equal and of different letters.  Reads
    // up to 7 letters behind them.
    void add_letters(std::uint8_t const * query, std::uint8_t const * target, std::uint64_t length);
    // Appends the runs, begin of the path first, to `runs`.  The builder is empty afterwards.
    void finish(Runs & runs);
    // That it holds for further paths.
    std::uint64_t bytes() const { return reversed_.capacity() * sizeof(std::uint32_t); }

private:
    static constexpr std::uint64_t first_runs = 128; // for which memory is taken at first

    void flush();
    std::vector<std::uint32_t> reversed_;
    CigarOp op_ = CigarOp::match;
    std::uint64_t length_ = 0;
};

} // namespace nwgpu
