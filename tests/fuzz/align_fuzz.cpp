// SPDX-License-Identifier: BSD-3-Clause
// Bytes to scheme, mode, engine options and up to 40 pairs: the engine's answers are the oracle's, and the CIGAR
// scores what it says.
#include <algorithm>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "align/frame.hpp"
#include "cpu/engine.hpp"
#include "fuzz/bytes.hpp"
#include "model/cigar.hpp"
#include "reference/oracle.hpp"

using namespace nwgpu;
using fuzz::Bytes;
using fuzz::demand;

namespace {

std::int64_t cost(Bytes & in)
{
    std::uint8_t const shape = in.byte();
    if (shape < 160)
        return shape % 20;
    if (shape < 200)
        return shape; // around the ends of 8 bits
    if (shape < 230)
        return static_cast<std::int64_t>(in.below(70000));
    return static_cast<std::int64_t>(in.below(max_cost + 1));
}

Scoring scoring(Bytes & in, int letters)
{
    GapCost const gap{cost(in), cost(in)};
    if (in.chance())
        return Scoring::uniform(cost(in), cost(in), gap);
    std::vector<std::int32_t> scores(static_cast<std::size_t>(letters) * letters);
    std::int32_t const offset = static_cast<std::int32_t>(cost(in));
    for (std::int32_t & score : scores)
        score = static_cast<std::int32_t>(in.byte()) * (in.chance() ? 1 : -1) + (offset < (1 << 29) ? offset : 0);
    LetterCodes codes;
    for (int byte = 0; byte < 256; ++byte)
        codes[byte] = static_cast<std::uint8_t>(byte % letters);
    return Scoring::matrix(std::move(scores), letters, codes, gap);
}

struct Side {
    std::vector<std::uint8_t> bytes;
    std::vector<std::uint64_t> offsets{0};

    void add(std::string const & sequence)
    {
        bytes.insert(bytes.end(), sequence.begin(), sequence.end());
        offsets.push_back(bytes.size());
    }
};

// A sequence of its own, or the other one with a few letters changed, taken out or put in.
std::string sequence(Bytes & in, std::string const & other, int letters)
{
    std::string result;
    if (in.chance()) {
        result = in.text(in.below(80));
        for (char & letter : result)
            letter = static_cast<char>(static_cast<std::uint8_t>(letter) % letters);
        std::size_t const unit = result.size();
        for (std::uint64_t copies = in.byte() % 4; copies > 0; --copies)
            result += result.substr(0, unit);
        return result;
    }
    result = other;
    for (std::uint64_t changes = in.byte() % 6; changes > 0 && !result.empty(); --changes) {
        std::size_t const at = in.below(result.size());
        char const letter = static_cast<char>(in.byte() % letters);
        switch (in.byte() % 3) {
        case 0:
            result[at] = letter;
            break;
        case 1:
            result.erase(at, in.byte() % 30);
            break;
        default:
            result.insert(at, 1 + in.byte() % 3, letter);
            break;
        }
    }
    return result;
}

Backend & engine(Bytes & in)
{
    static std::map<std::pair<std::string, int>, std::unique_ptr<Backend>> engines;
    std::vector<std::string> const isas = cpu::available_isas();
    std::pair<std::string, int> const key{isas[in.byte() % isas.size()], 1 + in.byte() % 2};
    std::unique_ptr<Backend> & made = engines[key];
    if (!made)
        made = cpu::make_engine({.threads = key.second, .isa = key.first});
    return *made;
}

std::span<std::uint32_t const> runs_of(BatchResult const & result, std::uint64_t entry)
{
    std::uint64_t const begin = result.run_offsets[entry];
    return std::span{result.runs}.subspan(begin, result.run_offsets[entry + 1] - begin);
}

// All alignments of every pair, as the oracle lists them, or the status where none has the score that is asked for.
void demand_top(Batch const & batch, Scoring const & scheme, Request const & request, BatchResult const & result)
{
    std::uint64_t entry = 0;
    for (std::uint64_t p = 0; p < batch.pairs.size(); ++p) {
        auto all = reference::align_top(batch.view(p), scheme, request.top, request.style);
        std::erase_if(all, [&](PairResult const & one) { return one.score < request.min_score; });
        if (all.empty()) {
            demand(entry < result.count() && result.pair[entry] == p, "an entry for a pair without alignments");
            demand(result.status[entry] == Status::below_min_score && result.score[entry] == 0,
                   "status of a low score");
            ++entry;
        }
        for (PairResult const & expected : all) {
            demand(entry < result.count() && result.pair[entry] == p, "an entry for each alignment");
            demand(result.status[entry] == Status::ok && result.score[entry] == expected.score, "score");
            if (request.output >= Output::span)
                demand(result.span[entry] == expected.span, "span");
            if (request.output == Output::cigar)
                demand(std::ranges::equal(runs_of(result, entry), expected.runs), "CIGAR");
            ++entry;
        }
    }
    demand(entry == result.count(), "no other entries");
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const * data, std::size_t size)
{
    Bytes in{data, size};
    Backend & backend = engine(in);
    int const letters = 1 + in.byte() % 40;
    Scoring const scheme = scoring(in, letters);
    std::uint8_t const ends = in.byte();
    Mode mode = (ends & 0x30) == 0x30 ? Mode{.local = true}
                                      : Mode{false, (ends & 1) != 0, (ends & 2) != 0, (ends & 4) != 0, (ends & 8) != 0};
    if ((ends & 0x3c) == 0x1c)
        mode = (ends & 1) != 0 ? Mode{.extend = true} : Mode{.extend_left = true};
    if (ends & 0x40) {
        auto const lower = static_cast<std::int8_t>(in.byte());
        mode.band = Diagonals{lower, lower + in.byte() % 64};
    }
    if (ends & 0x80)
        mode.ties = in.chance() ? Ties::last_end : Ties::gaps_first;
    std::uint8_t const level = in.byte();
    Request request{mode, static_cast<Output>(level % 4), in.chance() ? CigarStyle::eqx : CigarStyle::m};
    if (mode.local && mode.has_usual_rules() && in.chance())
        request.top = 2 + in.byte() % 6;

    Side queries, targets;
    std::vector<Pair> pairs;
    do {
        std::string const query = sequence(in, "", letters);
        queries.add(query);
        targets.add(sequence(in, query, letters));
        pairs.push_back({pairs.size(), pairs.size()});
    } while (in.left() > 0 && pairs.size() < 40);

    CodedSequences const coded_queries{{queries.bytes, queries.offsets}, scheme};
    CodedSequences const coded_targets{{targets.bytes, targets.offsets}, scheme};
    Batch const batch{coded_queries, coded_targets, pairs};
    if (level >= 128) // the first pair's score, or one beside it
        try {
            request.min_score = reference::align(batch.view(0), scheme, mode, request.style).score + level / 4 % 4 - 1;
        } catch (Error const &) { // the band holds no path
        }
    Team team{backend.threads()};
    BatchResult const result = Frame{backend, team, batch, scheme, request, 0}.align({});
    if (request.top > 1) {
        demand_top(batch, scheme, request, result);
        return 0;
    }
    for (std::size_t p = 0; p < pairs.size(); ++p) {
        PairResult expected;
        try {
            expected = reference::align(batch.view(p), scheme, mode, request.style);
        } catch (Error const &) { // the band holds no path
            demand(result.status[p] == Status::invalid_argument, "status invalid argument");
            continue;
        }
        if (expected.score < request.min_score) {
            demand(result.status[p] == Status::below_min_score && result.score[p] == 0, "status of a low score");
            continue;
        }
        demand(result.status[p] == Status::ok, "status ok");
        demand(result.score[p] == expected.score, "score");
        if (request.output >= Output::end) {
            demand(result.span[p].query_end == expected.span.query_end, "query end");
            demand(result.span[p].target_end == expected.span.target_end, "target end");
        }
        if (request.output >= Output::span)
            demand(result.span[p] == expected.span, "span");
        if (request.output == Output::cigar)
            demand(std::ranges::equal(runs_of(result, p), expected.runs), "CIGAR");
        PairView part = batch.view(p);
        part.query += expected.span.query_begin;
        part.target += expected.span.target_begin;
        part.m = expected.span.query_end - expected.span.query_begin;
        part.n = expected.span.target_end - expected.span.target_begin;
        demand(reference::cigar_score(part, scheme, expected.runs) == expected.score,
               "the oracle's CIGAR scores its score");
    }
    return 0;
}
