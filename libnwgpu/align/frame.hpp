// SPDX-License-Identifier: BSD-3-Clause
// What every call does around its engine: pairs that no engine can align, pairs with an empty sequence or too different
// lengths, pieces that keep to the limit of host memory, and the result, collected once.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "backend/backend.hpp"
#include "backend/monitor.hpp"

namespace nwgpu {

// What a call of so many pairs takes, whatever its engine does: letters as codes, pairs, results without CIGARs.
std::uint64_t call_bytes(std::uint64_t code_bytes, std::uint64_t pairs, Request const & request);
// Throws Error memory_limit where the limit (0: none) is lower than the bytes that the call needs at least.
void check_call(std::uint64_t bytes, std::uint64_t pairs, std::uint64_t limit);

class Frame {
public:
    // All of them live longer than this.  `max_host_bytes`: what the call may allocate, the codes of its letters
    // included; 0: no limit.
    Frame(Backend & backend, Team & team, Batch const & batch, Scoring const & scoring, Request const & request,
          std::uint64_t max_host_bytes);

    // Both throw Error memory_limit where the limit is too low for the call as a whole.
    Estimate estimate();
    // Pairs that cannot be aligned get their own status: under a limit, these are pairs that lack memory of their own,
    // or that are so long that it holds few of their CIGARs.  `progress` may be empty; it is called on this thread.
    // go_on(), if any, is asked before the first report.
    BatchResult align(Progress const & progress, GoOn const & go_on = {});

private:
    // Of a piece: threads wait for each other at its end, which is nothing in the time that so many take.  Where an
    // engine looks for queries with common targets: some dozens of them, with all that a large list has.
    static constexpr std::uint64_t most_pairs = std::uint64_t{1} << 20, most_pairs_in_common = std::uint64_t{1} << 24;
    static constexpr std::uint64_t few_pairs = 4096; // that a thread looks at at a time
    // Of what is left under a limit, the part that the answers of a piece may take; the engine has the rest.
    static constexpr std::uint64_t part_for_answers = 4;
    // CIGARs are in pieces, and then in one: twice.
    static constexpr std::uint64_t bytes_per_kept_run = 2 * sizeof(std::uint32_t);
    struct Short { // pairs: how many runs they may have, the longest of them and its letters
        std::uint64_t runs = 0, longest = no_pair, letters = 0;
    };

    // Whether its lengths tell that the pair's score is below the one asked for.
    bool is_below(PairView const & pair) const;
    bool is_for_engine(std::uint64_t p) const;
    bool are_all_for_engine();
    std::uint64_t cells(GoOn const & go_on) const;
    std::uint64_t most_runs(std::uint64_t p) const;

    std::uint64_t for_engine(std::uint64_t rest) const;
    void check_limit();
    Short short_pairs(std::uint64_t most_letters) const;
    std::uint64_t shortest_pair() const;
    std::string why_refused(std::uint64_t p, std::uint64_t bytes);
    std::uint64_t bytes_per_pair() const;
    double bytes_per_run() const;
    std::uint64_t left(Answers const & answers) const;

    std::uint64_t most_pairs_at_once() const // without a limit
    {
        return backend_.gains_by_common_targets(scoring_, request_) ? most_pairs_in_common : most_pairs;
    }
    std::uint64_t choose(std::uint64_t first, Answers const & answers);
    void choose_each(std::uint64_t first, std::uint64_t last);
    std::uint64_t choose(std::uint64_t first, std::uint64_t room);
    std::uint64_t align_piece(std::uint64_t first, Monitor & monitor, Answers & answers);
    void answer_here(std::uint64_t p, Answers & answers, AnswerWriter & writer) const;

    Backend & backend_;
    Team & team_;
    Batch const batch_;
    Scoring const & scoring_;
    Request const request_;
    std::uint64_t const limit_, count_;
    // Under a limit: of the whole call; pairs with fewer letters than this are sure to be aligned, and the runs that
    // those which are not aligned yet may have.
    std::uint64_t fixed_bytes_ = 0, short_letters_ = 0, runs_to_come_ = 0;
    // All pairs of the call are, without a limit, and the runs that each of them may have.
    bool all_for_engine_ = false;
    std::uint64_t most_runs_ = 0;
    // Of the piece: the engine's, and how many runs they may have.
    std::span<std::uint64_t const> pairs_;
    Array<std::uint64_t> chosen_; // these, where they are a list of their own
    std::uint64_t runs_ = 0;
};

} // namespace nwgpu
