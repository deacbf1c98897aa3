// SPDX-License-Identifier: BSD-3-Clause
// An engine for tests of what is around engines: it notes what it is given.
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "backend/backend.hpp"
#include "backend/monitor.hpp"

namespace nwgpu::test {

// Gives every pair the same score, a CIGAR of one run, and no thought; may fail, in all pairs, in the call, or in the
// call when it has answered some pairs.
class StandIn final : public Backend {
public:
    explicit StandIn(std::int64_t score = 1) : score_{score} {}
    std::string name() const override { return called; }
    int threads() const override { return thread_count; }
    void trim() override {}
    Estimate estimate(Piece const & piece) override { return {piece.pairs.size(), 0, 0, seconds, name()}; }
    void check_memory(Piece const & piece) override
    {
        for (std::uint64_t const p : piece.pairs)
            if (piece.max_host_bytes > 0 && piece.max_host_bytes < bytes_of(piece, p))
                throw Error{Status::memory_limit, "the pair needs " + std::to_string(bytes_of(piece, p)) + " bytes"};
    }
    bool gives_up_early() const override { return early; }
    double kept_part(CodedSequences const &) override { return kept; }
    bool gains_by_common_targets(Scoring const &, Request const &) override { return common; }
    bool takes_letters(Scoring const &, Request const &) override { return makes_codes; }
    std::vector<std::uint64_t> align_similar(Piece const & piece, Monitor &, Answers & answers, double) override
    {
        tried.emplace_back(piece.pairs.begin(), piece.pairs.end());
        std::vector<std::uint64_t> others;
        AnswerWriter writer{&answers};
        PairResult answer;
        answer.score = score_;
        for (std::uint64_t const p : piece.pairs)
            if (std::ranges::find(similar, p) == similar.end())
                others.push_back(p);
            else
                writer.put(p, answer);
        return others;
    }
    double measured_seconds(Piece const & piece, double most, Monitor &) override
    {
        asked.push_back(piece.pairs.size());
        return measured <= most ? measured : HUGE_VAL;
    }
    void align(Piece const & piece, Monitor & monitor, Answers & answers) override
    {
        std::this_thread::sleep_for(takes);
        given_letters.push_back(piece.batch.are_letters());
        pairs.emplace_back(piece.pairs.begin(), piece.pairs.end());
        requests.push_back(piece.request);
        limits.push_back(piece.max_host_bytes);
        if (saves)
            saves(piece.request.checkpoint.folder);
        AnswerWriter writer{&answers};
        for (std::size_t k = 0; k < piece.pairs.size(); ++k) {
            if (thrown != Status::ok && k >= answered_before)
                throw Error{thrown, "the call fails"};
            PairResult answer;
            answer.score = score_;
            answer.runs.assign(1, static_cast<std::uint32_t>(piece.pairs[k]));
            if (failing != Status::ok)
                writer.fail(piece.pairs[k], failing, "the pair fails");
            else if (piece.max_host_bytes > 0 && piece.max_host_bytes < bytes_of(piece, piece.pairs[k]))
                writer.fail(piece.pairs[k], Status::memory_limit, "the pair lacks memory");
            else if (piece.pairs[k] != forgotten)
                writer.put(piece.pairs[k], answer);
            monitor.poll(piece.batch.view(piece.pairs[k]).cells());
        }
        monitor.report(0);
        monitor.throw_if_stopped();
    }
    std::string called = "stand-in";
    std::vector<std::uint64_t> similar; // pairs that align_similar() answers
    double measured = HUGE_VAL;         // for all the pairs that measured_seconds() is asked about
    std::vector<std::size_t> asked;     // how many those were, call by call
    bool early = false;                 // gives_up_early()
    bool common = false;                // gains_by_common_targets()
    Status thrown = Status::ok, failing = Status::ok;
    bool makes_codes = false;
    double kept = 0;                    // kept_part()
    double seconds = 0;                 // of an estimate
    std::chrono::milliseconds takes{0}; // align(), at least
    int thread_count = 1;
    std::size_t answered_before = 0; // pairs, by a call that throws
    std::uint64_t forgotten = no_pair;
    std::uint64_t bytes_per_letter = 0; // that a pair needs
    // What it was given, call by call; to align_similar().
    std::vector<std::vector<std::uint64_t>> pairs, tried;
    std::vector<Request> requests;
    std::vector<std::uint64_t> limits;
    std::vector<bool> given_letters;
    std::vector<bool> resumes() const
    {
        std::vector<bool> asked;
        for (Request const & request : requests)
            asked.push_back(request.checkpoint.resume);
        return asked;
    }
    std::function<void(std::string const &)> saves;

private:
    std::uint64_t bytes_of(Piece const & piece, std::uint64_t p) const
    {
        PairView const pair = piece.batch.view(p);
        return (pair.m + pair.n) * bytes_per_letter;
    }

    std::int64_t score_;
};

} // namespace nwgpu::test
