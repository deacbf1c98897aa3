// SPDX-License-Identifier: BSD-3-Clause
// An engine for tests of what deals out pairs to several.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "backend/backend.hpp"
#include "backend/invalid_letters.hpp"
#include "backend/monitor.hpp"

namespace nwgpu::places {

// An engine that takes its time, and may fail.
class Worker final : public Backend {
public:
    Worker(std::int64_t score, std::chrono::microseconds each) : score_{score}, each_{each} {}
    std::string name() const override { return "worker"; }
    int threads() const override { return 1; }
    void trim() override {}
    Estimate estimate(Piece const & piece) override
    {
        std::uint64_t const pairs = piece.pairs.size();
        return {pairs, 100, 0, 1 + static_cast<double>(pairs) / 100, name()};
    }
    void check_memory(Piece const &) override {}
    bool takes_letters(Scoring const &, Request const &) override { return makes_codes; }
    bool takes_turns(Scoring const &, Request const &) override { return knows_queues; }
    void align(Piece const & piece, Monitor & monitor, Answers & answers) override
    {
        ++calls;
        limit = piece.max_host_bytes;
        AnswerWriter writer{&answers};
        std::vector<std::uint64_t> pairs{piece.pairs.begin(), piece.pairs.end()};
        if (makes_codes) {
            begins_with_letters = begins_with_letters && (calls > 1 || piece.batch.are_letters());
            pairs = code_pairs(piece.batch, pairs, answers);
        }
        auto const align_pair = [&](std::uint64_t p) {
            if (left-- <= 0)
                throw Error{thrown, "it fails"};
            std::this_thread::sleep_for(each_);
            PairResult answer;
            answer.score = score_;
            answer.runs.assign(1 + p % 2, static_cast<std::uint32_t>(p));
            writer.put(p, answer);
            monitor.poll(piece.batch.view(p).cells());
            monitor.throw_if_stopped();
        };
        if (!piece.queue)
            return std::ranges::for_each(pairs, align_pair), void();
        while (takes_any && piece.queue->left() > 0) {
            if (!piece.queue->may_take()) {
                std::this_thread::yield();
                continue;
            }
            std::uint64_t begin = 0, end = 0;
            piece.queue->take(4, [&](std::uint64_t first, std::uint64_t most) {
                begin = first;
                return end = first + most;
            });
            ++stretches;
            if (begin == end)
                continue;
            if (in_order)
                align_in_order(piece, begin, end, answers);
            else
                std::for_each(pairs.begin() + static_cast<std::ptrdiff_t>(begin),
                              pairs.begin() + static_cast<std::ptrdiff_t>(end), align_pair);
            piece.queue->done(end - begin);
        }
    }
    // As a GPU's engine does, but for one chunk at a time.
    void align_in_order(Piece const & piece, std::uint64_t begin, std::uint64_t end, Answers & answers)
    {
        while (answers.is_early(piece.pairs.size(), piece.pairs[begin]))
            std::this_thread::yield();
        std::uint64_t runs = 0;
        for (std::uint64_t k = begin; k < end; ++k)
            runs += 1 + piece.pairs[k] % 2;
        if (fails_before_place && (left -= static_cast<std::int64_t>(end - begin)) < 0)
            throw Error{thrown, "it fails"};
        std::uint64_t const first = piece.pairs[begin];
        Answers::Place place = answers.next_runs(piece.pairs.size(), first, end - begin, runs);
        placed += place.in_order;
        if (!place.runs) {
            answers.end_order(first);
            place = answers.other_runs(runs);
        }
        if (!fails_before_place && (left -= static_cast<std::int64_t>(end - begin)) < 0)
            throw Error{thrown, "it fails"};
        std::this_thread::sleep_for(each_ * (end - begin));
        AnswerWriter writer{&answers};
        std::uint32_t * at = place.runs;
        for (std::uint64_t k = begin; k < end; ++k) {
            std::uint64_t const p = piece.pairs[k], count = 1 + p % 2;
            at = std::fill_n(at, count, static_cast<std::uint32_t>(p));
            if (place.in_order)
                writer.put_next(p, score_, {}, place.offset + static_cast<std::uint64_t>(at - place.runs));
            else
                writer.put(p, score_, {}, {at - count, count});
        }
        if (place.in_order)
            answers.keep_next(place, first, end - begin);
    }
    std::atomic<int> calls{0};
    std::atomic<std::uint64_t> limit{0};
    std::int64_t left = INT64_MAX; // pairs until it fails
    Status thrown = Status::device;
    bool makes_codes = false, begins_with_letters = true;
    bool knows_queues = false, takes_any = true; // of them
    bool in_order = false, fails_before_place = false;
    int stretches = 0, placed = 0; // from queues; of these, where runs stay

private:
    std::int64_t const score_;
    std::chrono::microseconds const each_;
};

} // namespace nwgpu::places
