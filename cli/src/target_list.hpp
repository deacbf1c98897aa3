// SPDX-License-Identifier: BSD-3-Clause
// Names and lengths of all targets, which headers have.  They are known once all targets are read: that may be while
// the first ones are aligned.
#pragma once

#include "sequence_set.hpp"

#include <condition_variable>
#include <cstdint>
#include <exception>
#include <mutex>
#include <vector>

namespace cli {

class TargetList {
public:
    // Some that follow each other.
    struct Part {
        Texts names;
        std::vector<std::uint64_t> lengths;
        std::uint64_t first = 0; // number, among all, of the first one

        std::uint64_t size() const { return lengths.size(); }
    };

    // By one thread: all targets in order, then the end, or why there are no more.
    void add(SequenceSet const & targets);
    void end(std::exception_ptr failure = nullptr);

    // By any thread: waits for the end.  Throws the failure, or Interrupted when Ctrl-C comes first.
    std::vector<Part> const & parts() const;

    template <typename Visit> // visit(name, length)
    void for_each(Visit const & visit) const
    {
        for (Part const & part : parts())
            for (std::uint64_t i = 0; i < part.size(); ++i)
                visit(part.names.part(i), part.lengths[i]);
    }
    std::uint64_t size() const
    {
        std::vector<Part> const & all = parts();
        return all.empty() ? 0 : all.back().first + all.back().size();
    }

private:
    std::vector<Part> parts_;
    mutable std::mutex mutex_; // of all below
    mutable std::condition_variable changed_;
    bool ended_ = false; // then parts_ does not change any more
    std::exception_ptr failure_;
};

} // namespace cli
