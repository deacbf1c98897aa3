// SPDX-License-Identifier: BSD-3-Clause
// Pairs that differ so little that comparing their letters once is enough: equal sequences, sequences of one length
// with few mismatches, those that one gap makes equal (docs/proofs.md, lemma 30), and those whose changes lie apart
// (lemma 34).
#pragma once

#include <algorithm>

#include "backend/monitor.hpp"
#include "cpu/furthest/penalties.hpp"
#include "cpu/furthest/separate_changes.hpp"
#include "cpu/kernels/kernels.hpp"
#include "model/batch.hpp"
#include "model/mode.hpp"
#include "model/result.hpp"

namespace nwgpu::cpu {

// Whether pairs of a call are worth a search for changes that lie apart (lemma 34): three of four before had them, or
// some of these are to be tried again.
class ApartSoFar {
public:
    // monitor: asked between turns of a long search; null: nobody stops it.
    explicit ApartSoFar(SeparateChanges::Limits limits = {}, Monitor * monitor = nullptr) :
        limits_{limits}, monitor_{monitor}
    {}

    SeparateChanges::Limits const & limits() const { return limits_; }
    // Room for the changes of a query of so many letters, until the next call.
    void lend_room(std::int64_t letters, SeparateChanges & job)
    {
        constexpr std::int64_t most = 1 << 18;
        std::int64_t const room =
            std::min(most, limits_.changes + letters / limits_.letters_apart) + 2 * SeparateChanges::most_cost_together;
        if (auto const count = static_cast<std::size_t>(room); memory_.changes.size() < count) {
            memory_.places.resize(count); // first: if there is no memory for the changes, the next call asks again
            memory_.changes.resize(count);
        }
        job.most = static_cast<std::int64_t>(memory_.changes.size());
        job.memory = &memory_;
    }
    bool is_stopped() const
    {
        if (monitor_)
            monitor_->poll(0);
        return monitor_ && monitor_->stopped();
    }
    bool is_worth_a_try() { return 4 * found_ >= 3 * tried_ || ++left_out_ % between_tries == 0; }
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
    SeparateChanges::Limits limits_;
    Monitor * monitor_;
    int tried_ = 0, found_ = 0, left_out_ = 0;
    SeparateChanges::Memory memory_;
};

// False, and nothing is said, if they differ more.  Neither is empty; the mode is global, the scheme uniform.  What
// `result` was before does not matter.
bool align_few_changes(PairView const & pair, Penalties const & penalties, KernelTable const & kernels,
                       Request const & request, ApartSoFar & apart, PairResult & result);

} // namespace nwgpu::cpu
