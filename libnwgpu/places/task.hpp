// SPDX-License-Identifier: BSD-3-Clause
// Some pairs on their way to another rank, and their answers on the way back, as bytes.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "backend/backend.hpp"
#include "model/result.hpp"
#include "places/bytes.hpp"

namespace nwgpu::places {

// What a rank is given: letters, pairs and the question.
struct Task {
    std::vector<std::uint8_t> letters[2];  // of queries and of targets, end to end
    std::vector<std::uint64_t> offsets[2]; // one more than sequences
    std::vector<Pair> pairs;
    Scoring scoring;
    Request request;

    RawSequences sequences(int side) const { return {letters[side], offsets[side]}; }
};

// Each sequence goes once, however many pairs of the share have it.
void put_task(ByteWriter & to, Piece const & piece, std::span<std::uint64_t const> share);
// Throws Error communication for bytes that put_task() did not write.
Task get_task(ByteReader & from);

// Scoring and request, but for the checkpoint, whose folder is rank 0's.
void put_question(ByteWriter & to, Scoring const & scoring, Request const & request);
std::pair<Scoring, Request> get_question(ByteReader & from);
[[noreturn]] void throw_damage(); // of a message

// The answers of a task, in the order of its pairs.
void put_answers(ByteWriter & to, BatchResult const & result, Request const & request);
// Every answer begins with one of these: why the task as a whole has failed, or that it has not.
void put_failure(ByteWriter & to, Error const & error);
void put_success(ByteWriter & to);
// Throws what put_failure() wrote.
void take_failure(ByteReader & from);

// Puts what put_answers() wrote where it belongs: `share` are the pairs of the task.  Throws as take_failure().
void take_answers(ByteReader & from, std::span<std::uint64_t const> share, Request const & request, Answers & answers);

} // namespace nwgpu::places
