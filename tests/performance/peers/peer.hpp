// SPDX-License-Identifier: BSD-3-Clause
// The one interface between the benchmarks and the libraries they time.  Every peer_*.cpp implements it and is the
// only file that sees its library's headers; workloads and checks know nothing else.  Plain C++17, so that each
// peer can be compiled with the language version and instruction set that suits it best.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace performance {

// A gap of k letters costs open + k * extend; every peer converts this into its own dialect.
enum class Scheme {
    dna,       // +2 / -4, gap 4 + 2k
    penalties, // 0 / -4, gap 6 + 2k: what WFA2 takes without a detour
    protein,   // BLOSUM62, gap 11 + k
    edit       // 0 / -1, gap 0 + k: minus the edit distance
};
enum class Span {
    global,
    semi_global, // target letters before and after the alignment are free
    local
};
enum class Output { score, cigar };

struct Task {
    Scheme scheme;
    Span span;
    Output output;
    int threads;
    int band = 0;          // only so many diagonals on either side of that of the corner; 0: all.  Ours alone
    bool last_end = false; // of several best ends the last one.  Ours alone
};

// What a peer may know before the data exist.
struct Shape {
    std::size_t pairs;
    std::size_t query;  // longest
    std::size_t target; // longest
};

struct Pairs {
    std::vector<std::string> queries;
    std::vector<std::string> targets;
};

// The common form of an answer, for checks only: positions 0-based half open, runs in BAM encoding (M, I, D, =, X).
struct Alignment {
    std::int64_t score = 0;
    std::size_t query_begin = 0, query_end = 0, target_begin = 0, target_end = 0;
    std::vector<std::uint32_t> runs;
};

// One peer with one set of pairs, already in the peer's own sequence format.
class Session {
public:
    virtual ~Session() = default;
    // Aligns every pair and returns the sum of the scores.  This is what is timed, with keep == nullptr: the peer's
    // own result (scores; its CIGAR or gapped rows if asked for) is made and dropped.  With keep, answers are also
    // translated into the common form.
    virtual std::int64_t align(std::vector<Alignment> * keep) = 0;
};

class Peer {
public:
    virtual ~Peer() = default;
    virtual std::string name() const = 0;
    // Why this peer cannot or need not run the task; empty if it should.
    virtual std::string refusal(Task const & task, Shape const & shape) const = 0;
    // A defect of the peer known for such a task: a failed check is then reported, but is not an error of the suite.
    virtual std::string known_defect(Task const &, Shape const &) const { return {}; }
    virtual std::unique_ptr<Session> open(Task const & task, Pairs const & pairs) const = 0;
};

using Peers = std::vector<std::unique_ptr<Peer>>;

// Each peer file defines one of these; registry.cpp calls those that the build found.
void add_nwgpu(Peers & peers);
std::string nwgpu_description(); // version, build and the instruction set in use, for the report
void add_parasail(Peers & peers);
void add_ssw(Peers & peers);
void add_seqan2(Peers & peers);
void add_seqan3(Peers & peers);
void add_wfa2(Peers & peers);
void add_ksw2(Peers & peers);
void add_edlib(Peers & peers);

} // namespace performance
