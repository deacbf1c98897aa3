// SPDX-License-Identifier: BSD-3-Clause
// Sets of sequences whose memory is used again: new pages take longer than the letters.
#pragma once

#include "sequence_set.hpp"

#include <memory>
#include <mutex>
#include <vector>

namespace cli {

class SetStore {
public:
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
        std::mutex mutex;
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
            constexpr std::uint64_t most_letters = std::uint64_t{16} << 20; // long sequences leave nothing behind
            constexpr std::size_t most_sets = 256;
            if (set->room() > most_letters)
                return;
            set->clear();
            std::lock_guard const lock(mutex);
            if (sets.size() < most_sets)
                sets.push_back(std::move(set));
        }
    };
    std::shared_ptr<Kept> kept_ = std::make_shared<Kept>();
};

} // namespace cli
