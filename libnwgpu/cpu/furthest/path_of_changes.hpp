// SPDX-License-Identifier: BSD-3-Clause
// The runs of a path that is told from change to change.
#pragma once

#include <cstdint>
#include <span>

#include "cpu/furthest/separate_changes.hpp"
#include "model/cigar_style.hpp"
#include "model/mode.hpp"
#include "model/result.hpp"

namespace nwgpu::cpu {

// Where runs are written one behind the other.
struct RunsEnd {
    static constexpr CigarOp none{15};

    std::uint32_t * next;
    CigarOp last = none; // of the run before

    // `length` is not 0.
    void add(CigarOp op, std::uint64_t length)
    {
        if (op == last)
            length += run_length(*--next);
        last = op;
        for (; length > max_run; length -= max_run)
            *next++ = cigar_run(op, max_run);
        *next++ = cigar_run(op, static_cast<std::uint32_t>(length));
    }
};

// From the begin of a path to its end.
class PathOfChanges {
public:
    PathOfChanges(Request const & request, PairResult & result) :
        runs_{result.runs},
        writes_{request.output >= Output::span},
        same_{op_of_equal(request.style)},
        different_{op_of_different(request.style)}
    {
        runs_.clear();
    }

    void equal(std::uint64_t length) { add(same_, length); }
    void mismatch() { add(different_, 1); }
    void gap(CigarOp op, std::uint64_t length) { add(op, length); }
    // All of a path, in place of what was there.
    void follow(SeparateChanges const & found)
    {
        if (!writes_)
            return;
        std::span<SeparateChanges::Change const> const changes{found.memory->changes.data(),
                                                               static_cast<std::size_t>(found.count)};
        CigarOp const ops[] = {different_, CigarOp::insertion, CigarOp::deletion};
        runs_.resize(2 * changes.size() + 1 + static_cast<std::uint64_t>(found.sequences.m) / max_run);
        RunsEnd end{runs_.data()};
        std::int64_t i = 0;
        for (SeparateChanges::Change const & change : changes) {
            if (change.at > i)
                end.add(same_, static_cast<std::uint64_t>(change.at - i));
            end.add(ops[static_cast<std::size_t>(change.kind)], 1);
            i = change.at + (change.kind != SeparateChanges::Kind::deletion);
        }
        if (found.sequences.m > i)
            end.add(same_, static_cast<std::uint64_t>(found.sequences.m - i));
        runs_.resize(static_cast<std::size_t>(end.next - runs_.data()));
    }

private:
    void add(CigarOp op, std::uint64_t length)
    {
        if (!writes_ || length == 0)
            return;
        std::size_t const before = runs_.size();
        CigarOp const last = before > 0 ? run_op(runs_.back()) : RunsEnd::none;
        runs_.resize(before + 1 + length / max_run);
        RunsEnd end{runs_.data() + before, last};
        end.add(op, length);
        runs_.resize(static_cast<std::size_t>(end.next - runs_.data()));
    }

    Runs & runs_;
    bool const writes_;
    CigarOp const same_, different_;
};

} // namespace nwgpu::cpu
