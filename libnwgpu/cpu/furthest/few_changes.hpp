// SPDX-License-Identifier: BSD-3-Clause
// Pairs that differ so little that comparing their letters once is enough: equal sequences, sequences of one length
// with few mismatches, those that one gap makes equal (docs/proofs.md, lemma 30), and those whose changes lie apart
// (lemma 34).
#pragma once

#include <algorithm>

#include "backend/looks.hpp"
#include "backend/monitor.hpp"
#include "cpu/furthest/far_words.hpp"
#include "cpu/furthest/penalties.hpp"
#include "cpu/furthest/separate_changes.hpp"
#include "cpu/furthest/tries_so_far.hpp"
#include "cpu/kernels/kernels.hpp"
#include "model/batch.hpp"
#include "model/mode.hpp"
#include "model/result.hpp"

namespace nwgpu::cpu {

// Whether pairs of a call are worth a search for changes that lie apart (lemma 34), and what that needs.
class ApartSoFar : public TriesSoFar {
public:
    // monitor: asked between turns of a long search; null: nobody stops it.
    explicit ApartSoFar(SeparateChanges::Limits limits = {}, Monitor * monitor = nullptr) :
        TriesSoFar{6}, limits_{limits}, monitor_{monitor}
    {}

    SeparateChanges::Limits const & limits() const { return limits_; }
    // Room for the changes of a query of so many letters, until the next call.
    void lend_room(std::int64_t letters, SeparateChanges & job)
    {
        if (auto const count = static_cast<std::size_t>(room(letters, limits_)); memory_.changes.size() < count) {
            memory_.places.resize(count); // first: if there is no memory for the changes, the next call asks again
            memory_.changes.resize(count);
        }
        job.most = static_cast<std::int64_t>(memory_.changes.size());
        job.memory = &memory_;
        job.monitor = monitor_;
    }
    // Upper bound of what is allocated for a query of so many letters.
    static std::uint64_t bytes(std::uint64_t letters)
    {
        constexpr std::uint64_t of_a_change = sizeof(SeparateChanges::Change) + sizeof(SeparateChanges::Place);
        auto const changes = static_cast<std::uint64_t>(room(static_cast<std::int64_t>(letters), {}));
        std::uint64_t const words = letters / far_word_letters;
        return of_a_change * changes + 2 * words * sizeof(SeparateChanges::FarWord) + WordLists::bytes_for(words);
    }
    // Gives the room back.
    void trim() { memory_ = {}; }
    // Another one, from now on.
    void ask(Monitor & monitor) { monitor_ = &monitor; }
    bool is_stopped() const { return !Looks{monitor_}.look(); }

private:
    // Changes of a query of so many letters, and what is told together beyond its end.
    static std::int64_t room(std::int64_t letters, SeparateChanges::Limits const & limits)
    {
        constexpr std::int64_t most = 1 << 18;
        return std::min(most, limits.changes + letters / limits.letters_apart) +
               2 * SeparateChanges::most_cost_together;
    }

    SeparateChanges::Limits limits_;
    Monitor * monitor_;
    SeparateChanges::Memory memory_;
};

// False, and nothing is said, if they differ more.  Neither is empty; the mode is global, the scheme uniform.  What
// `result` was before does not matter.
bool align_few_changes(PairView const & pair, Penalties const & penalties, KernelTable const & kernels,
                       Request const & request, ApartSoFar & apart, PairResult & result);

} // namespace nwgpu::cpu
