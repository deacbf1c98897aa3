// SPDX-License-Identifier: BSD-3-Clause
// Sets of sequences whose memory is used again: new pages take longer than the letters.
#pragma once

#include "sequence_set.hpp"

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

namespace cli {

// Copies are of one store.
class SetStore {
public:
    static constexpr std::uint64_t least_kept = 1 << 24; // letters: a reader makes room for so many

    // Of a set that is used again; one with longer sequences leaves nothing behind.
    explicit SetStore(std::uint64_t most_letters = least_kept) : kept_(std::make_shared<Kept>(most_letters)) {}

    // From now on sets of up to so many letters.
    void keep(std::uint64_t most_letters)
    {
        std::lock_guard const lock(kept_->mutex);
        kept_->most_letters = most_letters;
    }
    // An empty set, which comes back here when it is not used any more; the store may be gone then.
    std::shared_ptr<SequenceSet> make()
    {
        std::unique_ptr<SequenceSet> set = kept_->take();
        if (!set)
            set = std::make_unique<SequenceSet>();
        return {set.release(),
                [kept = kept_](SequenceSet * used) { kept->take_back(std::unique_ptr<SequenceSet>(used)); }};
    }

private:
    struct Kept {
        explicit Kept(std::uint64_t letters) : most_letters(letters) {}

        std::uint64_t most_letters;
        std::mutex mutex; // of all here
        std::vector<std::unique_ptr<SequenceSet>> sets;

        std::unique_ptr<SequenceSet> take()
        {
            std::lock_guard const lock(mutex);
            if (sets.empty())
                return nullptr;
            std::unique_ptr<SequenceSet> set = std::move(sets.back());
            sets.pop_back();
            return set;
        }

        void take_back(std::unique_ptr<SequenceSet> set)
        {
            constexpr std::size_t most_sets = 256;
            set->clear();
            std::lock_guard const lock(mutex);
            if (set->room() <= most_letters && sets.size() < most_sets)
                sets.push_back(std::move(set));
        }
    };
    std::shared_ptr<Kept> kept_;
};

} // namespace cli
