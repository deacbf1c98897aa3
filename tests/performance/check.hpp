// SPDX-License-Identifier: BSD-3-Clause
// Before a peer is timed its answers are checked: the scores against ours, each CIGAR by scoring it anew.
#pragma once

#include "peers/peer.hpp"

#include <optional>
#include <string>
#include <vector>

namespace performance {

// The score of an alignment from nothing but its operations; nothing if they do not fit the sequences, the task's
// span or the letters (= and X).
std::optional<std::int64_t> rescore(Task const & task, std::string const & query, std::string const & target,
                                    Alignment const & alignment);

// What is wrong with `answers`, in one line; empty if nothing.
std::string check(Task const & task, Pairs const & pairs, std::vector<std::int64_t> const & expected_scores,
                  std::vector<Alignment> const & answers);

} // namespace performance
