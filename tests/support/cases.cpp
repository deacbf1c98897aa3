// SPDX-License-Identifier: BSD-3-Clause
// Running and comparing pairs; see cases.hpp.
#include "support/cases.hpp"

#include <gtest/gtest.h>

#include <map>

#include "align/frame.hpp"
#include "cpu/kernels/kernel_table.hpp"
#include "cuda/engine.hpp"
#include "model/cigar.hpp"
#include "reference/oracle.hpp"

namespace nwgpu::test {

namespace {

std::string printable(std::string const & sequence)
{
    if (sequence.size() > 80)
        return "(long)";
    std::string text;
    for (char const letter : sequence) {
        static constexpr char digits[] = "0123456789abcdef";
        auto const byte = static_cast<std::uint8_t>(letter);
        if (byte >= 33 && byte < 127)
            text += letter;
        else
            text += std::string{"\\x"} + digits[byte >> 4] + digits[byte & 15];
    }
    return "'" + text + "'";
}

std::string position(std::uint64_t value) { return value == no_position ? "-" : std::to_string(value); }

std::string text(PairResult const & result)
{
    AlignedSpan const & span = result.span;
    std::string cigar = cigar_text(result.runs);
    if (cigar.size() > 300)
        cigar = cigar.substr(0, 300) + "...";
    return std::to_string(result.score) + " q[" + position(span.query_begin) + "," + position(span.query_end) + ") t[" +
           position(span.target_begin) + "," + position(span.target_end) + ") " + cigar;
}

std::string pair_words(PairSet const & set, std::uint64_t p)
{
    return " pair=" + std::to_string(p) + "/" + std::to_string(set.count()) +
           " m=" + std::to_string(set[p].query.size()) + " n=" + std::to_string(set[p].target.size());
}

} // namespace

PairSet::PairSet(std::vector<SequencePair> pairs, Scoring const & scoring) : pairs_{std::move(pairs)}
{
    auto const add = [](Side & side, std::string const & sequence) {
        side.bytes.insert(side.bytes.end(), sequence.begin(), sequence.end());
        side.offsets.push_back(side.bytes.size());
    };
    for (SequencePair const & pair : pairs_) {
        indices_.push_back({indices_.size(), indices_.size()});
        add(query_side_, pair.query);
        add(target_side_, pair.target);
    }
    queries_.emplace(RawSequences{query_side_.bytes, query_side_.offsets}, scoring);
    targets_.emplace(RawSequences{target_side_.bytes, target_side_.offsets}, scoring);
}

EngineSetup on_gpu(cuda::Tuning const & tuning, std::uint64_t max_device_bytes)
{
    return {.kind = BackendKind::cuda, .max_device_bytes = max_device_bytes, .cuda = tuning};
}

Backend & engine(EngineSetup const & setup)
{
    EngineSetup key = setup;
    key.max_host_bytes = 0;
    using Engines = std::map<std::string, std::unique_ptr<Backend>>;
    static Engines cpu_engines;
    static Engines & cuda_engines = *new Engines; // at the end of the program CUDA ends before it would
    bool const gpu = setup.kind == BackendKind::cuda;
    std::string const words = describe(key);
    if (gpu && !cuda_engines.contains(words))
        cuda_engines.clear(); // device memory is for one at a time
    std::unique_ptr<Backend> & made = (gpu ? cuda_engines : cpu_engines)[words];
    if (!made && gpu)
        made = cuda::make_engine({.max_device_bytes = setup.max_device_bytes,
                                  .tuning = setup.cuda,
                                  .top_finder = cpu::make_swept_finder({}),
                                  .host = cpu::make_engine(setup),
                                  .to_two_bits = cpu::kernel_table({}).to_two_bits});
    else if (!made)
        made = cpu::make_engine(setup);
    return *made;
}

namespace {

// As the threads of engines, kept.
Team & team_of(int threads)
{
    static std::map<int, std::unique_ptr<Team>> teams;
    std::unique_ptr<Team> & made = teams[threads];
    if (!made)
        made = std::make_unique<Team>(threads);
    return *made;
}

} // namespace

BatchResult align(Backend & backend, Batch const & batch, Scoring const & scoring, Request const & request,
                  Progress const & progress, std::uint64_t max_host_bytes)
{
    return Frame{backend, team_of(backend.threads()), batch, scoring, request, max_host_bytes}.align(progress);
}

BatchResult align(EngineSetup const & setup, Batch const & batch, Scoring const & scoring, Request const & request)
{
    return align(engine(setup), batch, scoring, request, {}, setup.max_host_bytes);
}

Estimate estimate(Backend & backend, Batch const & batch, Scoring const & scoring, Request const & request,
                  std::uint64_t max_host_bytes)
{
    return Frame{backend, team_of(backend.threads()), batch, scoring, request, max_host_bytes}.estimate();
}

Estimate estimate(EngineSetup const & setup, Batch const & batch, Scoring const & scoring, Request const & request)
{
    return estimate(engine(setup), batch, scoring, request, setup.max_host_bytes);
}

// What is left out here would also not tell engines apart; bindings name every member.
std::string describe(EngineSetup const & setup)
{
    std::string const limit = " limit=" + std::to_string(setup.max_host_bytes);
    std::string words;
    auto const add = [&](char const * what, auto value) {
        if (value != 0)
            words += std::string{" "} + what + "=" + std::to_string(value);
    };
    if (setup.kind == BackendKind::cuda) {
        auto const & [rows, warps, width, traced, band, skip, parts, slab_rows, cuts, slabs, top_tile, kept_in, free,
                      couple, batch] = setup.cuda;
        add("device_limit", setup.max_device_bytes);
        add("rows_per_half", rows);
        add("warps", warps);
        add("width", width);
        add("traced", traced);
        add("band", band);
        add("skip", skip);
        add("parts", parts);
        add("slab_rows", slab_rows);
        add("cuts", cuts);
        add("slabs", slabs);
        add("top_tile", top_tile);
        add("kept_in", kept_in);
        add("free", free);
        add("couple_cells", couple);
        add("batch", batch);
        return "cuda" + limit + words;
    }
    auto const & [width, trace, tile, band, skip, lanes, bits, bands, slab, slabs, scan, open, block, furthest] =
        setup.tuning;
    add("width", width);
    add("trace", trace);
    add("tile", tile);
    add("band", band);
    add("skip", skip);
    add("lanes", lanes);
    add("slab", slab);
    add("slabs", slabs);
    add("scan", scan);
    add("open", open);
    add("block", block);
    add("furthest", furthest);
    add("bits", bits);
    add("bands", bands);
    return "isa=" + (setup.isa.empty() ? std::string{"best"} : setup.isa) +
           " threads=" + std::to_string(setup.threads) + limit + words;
}

std::vector<EngineSetup> engine_setups(bool threads, BackendKind kind)
{
    if (kind == BackendKind::cuda)
        return {on_gpu()};
    std::vector<EngineSetup> setups;
    for (std::string const & isa : cpu::available_isas())
        setups.push_back({.threads = 1, .isa = isa});
    if (threads)
        for (int const count : {2, 3})
            setups.push_back({.threads = count, .isa = cpu::available_isas().front()});
    return setups;
}

std::vector<EngineSetup> fast_setups(BackendKind kind)
{
    if (kind == BackendKind::cuda)
        return {on_gpu(), on_gpu({.rows_per_half = 8, .max_traced_cells = 1}),
                on_gpu({.rows_per_half = 30, .max_traced_cells = 1}),
                on_gpu({.rows_per_half = -1, .max_traced_cells = 1})};
    std::vector<EngineSetup> setups = engine_setups();
    std::erase_if(setups, [](auto const & options) { return options.isa.starts_with("emu"); });
    return setups.empty() ? engine_setups() : setups;
}

std::vector<PairResult> oracle(PairSet const & set, Scoring const & scoring, Mode const & mode, CigarStyle style)
{
    std::vector<PairResult> results;
    for (std::uint64_t p = 0; p < set.count(); ++p)
        results.push_back(reference::align(set.view(p), scoring, mode, style));
    return results;
}

std::vector<PairResult> run(PairSet const & set, Scoring const & scoring, Request const & request,
                            EngineSetup const & options)
{
    return run(set, scoring, request, engine(options), describe(options), options.max_host_bytes);
}

std::vector<PairResult> run(PairSet const & set, Scoring const & scoring, Request const & request, Backend & backend,
                            std::string const & words, std::uint64_t max_host_bytes)
{
    BatchResult const batch = align(backend, set.batch(), scoring, request, {}, max_host_bytes);
    std::uint64_t const count = set.count();
    bool const spans = request.output > Output::score, cigars = request.output == Output::cigar;
    if (batch.status.size() != count || batch.score.size() != count || batch.span.size() != (spans ? count : 0) ||
        batch.run_offsets.size() != (cigars ? count + 1 : 0)) {
        ADD_FAILURE() << "result arrays of the wrong size, " << words;
        return {};
    }
    std::vector<PairResult> results(count);
    for (std::uint64_t p = 0; p < count; ++p) {
        if (batch.status[p] == Status::below_min_score) {
            if (batch.score[p] != 0 || (spans && batch.span[p] != AlignedSpan{}) ||
                (cigars && batch.run_offsets[p] != batch.run_offsets[p + 1]) || batch.failures.message(p) != "")
                ADD_FAILURE() << "more than the status of a score that is too low, " << words << pair_words(set, p);
            results[p].score = too_low_score;
            continue;
        }
        if (batch.status[p] != Status::ok)
            ADD_FAILURE() << "pair failed with status " << static_cast<int>(batch.status[p]) << " ("
                          << batch.failures.message(p) << ") " << words << pair_words(set, p);
        results[p].score = batch.score[p];
        if (spans)
            results[p].span = batch.span[p];
        if (cigars)
            results[p].runs = {batch.runs.begin() + static_cast<std::ptrdiff_t>(batch.run_offsets[p]),
                               batch.runs.begin() + static_cast<std::ptrdiff_t>(batch.run_offsets[p + 1])};
    }
    return results;
}

PairResult at_level(PairResult full, Output output)
{
    if (output < Output::cigar)
        full.runs.clear();
    if (output < Output::span)
        full.span.query_begin = full.span.target_begin = no_position;
    if (output < Output::end)
        full.span = {};
    return full;
}

PairResult expected_of(PairResult const & full, Request const & request)
{
    PairResult below;
    below.score = too_low_score;
    return full.score < request.min_score ? below : at_level(full, request.output);
}

void expect_equal(std::vector<PairResult> const & expected, std::vector<PairResult> const & actual, PairSet const & set,
                  std::string const & words)
{
    ASSERT_EQ(expected.size(), actual.size()) << words;
    int reported = 0;
    for (std::uint64_t p = 0; p < expected.size() && reported < 3; ++p) {
        if (expected[p] == actual[p])
            continue;
        ++reported;
        ADD_FAILURE() << "reproduce: " << words << pair_words(set, p) << " query=" << printable(set[p].query)
                      << " target=" << printable(set[p].target) << "\n  expected " << text(expected[p])
                      << "\n  actual   " << text(actual[p]);
    }
}

bool check(PairSet const & set, Scheme const & scheme, Request const & request, EngineSetup const & options,
           std::vector<PairResult> const & full, std::string const & words)
{
    return check(set, scheme, request, engine(options), full, words + " " + describe(options), options.max_host_bytes);
}

bool check(PairSet const & set, Scheme const & scheme, Request const & request, Backend & backend,
           std::vector<PairResult> const & full, std::string const & words, std::uint64_t max_host_bytes)
{
    std::vector<PairResult> const actual = run(set, scheme.scoring, request, backend, words, max_host_bytes);
    std::vector<PairResult> expected;
    for (PairResult const & result : full)
        expected.push_back(expected_of(result, request));
    if (expected == actual)
        return true;
    std::string const least =
        request.min_score == no_min_score ? "" : " min_score=" + std::to_string(request.min_score);
    expect_equal(expected, actual, set,
                 words + " scheme=" + scheme.name + " mode=" + name(request.mode) + " output=" + name(request.output) +
                     least);
    return false;
}

void expect_consistent(PairSet const & set, std::uint64_t p, Scoring const & scoring, Mode const & mode,
                       PairResult const & result, std::string const & words)
{
    PairView const whole = set.view(p);
    AlignedSpan const & span = result.span;
    std::string const where = words + pair_words(set, p) + " result " + text(result);
    ASSERT_LE(span.query_begin, span.query_end) << where;
    ASSERT_LE(span.target_begin, span.target_end) << where;
    ASSERT_LE(span.query_end, whole.m) << where;
    ASSERT_LE(span.target_end, whole.n) << where;
    // An end that is not free is aligned; a free one only when the other sequence is used up there.
    if (!mode.begins_anywhere()) {
        EXPECT_TRUE(span.query_begin == 0 || (mode.free_query_begin && span.target_begin == 0)) << where;
        EXPECT_TRUE(span.target_begin == 0 || (mode.free_target_begin && span.query_begin == 0)) << where;
    }
    if (!mode.ends_anywhere()) {
        EXPECT_TRUE(span.query_end == whole.m || (mode.free_query_end && span.target_end == whole.n)) << where;
        EXPECT_TRUE(span.target_end == whole.n || (mode.free_target_end && span.query_end == whole.m)) << where;
    }
    PairView const part{whole.query + span.query_begin, span.query_end - span.query_begin,
                        whole.target + span.target_begin, span.target_end - span.target_begin};
    EXPECT_EQ(reference::cigar_score(part, scoring, result.runs), result.score) << where;
}

} // namespace nwgpu::test
