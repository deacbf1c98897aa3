// SPDX-License-Identifier: BSD-3-Clause
// The C ABI with random structs, sizes, options, sequences and pairs: never a crash, an output changed on failure, a
// missing message, or an answer that nwgpu_cigar_score does not confirm.
#include <nwgpu/nwgpu.hpp>

#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

#include "fuzz/bytes.hpp"

using nwgpu::fuzz::Bytes;
using nwgpu::fuzz::demand;

namespace {

// Choices are mostly valid and sometimes anything.
std::int32_t choice(Bytes & in, std::uint64_t count)
{
    return static_cast<std::int32_t>(in.byte() < 250 ? in.byte() % count : in.raw<std::int32_t>());
}

std::int32_t cost(Bytes & in) { return static_cast<std::int32_t>(in.byte() < 250 ? in.byte() % 30 : in.raw<std::int32_t>()); }

std::uint32_t struct_size(Bytes & in, std::size_t right)
{
    std::uint8_t const shape = in.byte();
    return static_cast<std::uint32_t>(shape < 240 ? right : shape < 250 ? in.byte() % (right + 1) : right + in.byte());
}

// What a newer caller's struct holds behind the part that is known here.
template <typename Struct>
struct Newer {
    Struct known{};
    std::uint8_t beyond[256] = {};
};

struct Scoring {
    explicit Scoring(Bytes & in)
    {
        values.struct_size = struct_size(in, sizeof values);
        values.match = cost(in);
        values.mismatch = cost(in);
        values.gap_open = cost(in);
        values.gap_extend = cost(in);
        if (in.chance()) {
            values.alphabet_size = static_cast<std::uint32_t>(1 + in.byte() % 140);
            matrix.resize(std::size_t{values.alphabet_size} * values.alphabet_size);
            for (std::int32_t & score : matrix)
                score = static_cast<std::int8_t>(in.byte());
            values.matrix = in.byte() < 250 ? matrix.data() : nullptr;
        }
        if (in.chance()) {
            for (int byte = 0; byte < 256; ++byte)
                codes[byte] = static_cast<std::uint8_t>(values.alphabet_size ? byte % values.alphabet_size : byte / 2);
            codes[in.byte()] = in.byte();
            values.letter_codes = codes;
        }
    }

    nwgpu_scoring values{};
    std::vector<std::int32_t> matrix;
    std::uint8_t codes[256] = {};
};

struct Side {
    Side(Bytes & in, nwgpu_context * context)
    {
        for (std::uint64_t count = in.byte() % 6; count > 0; --count) {
            std::string const text = in.text(in.byte() % 60);
            bytes.insert(bytes.end(), text.begin(), text.end());
            offsets.push_back(bytes.size());
        }
        std::vector<std::uint64_t> given = offsets;
        if (in.byte() > 250) // out of order or beyond: must be refused, not followed
            given[in.below(given.size())] = bytes.size() > 1 ? in.below(bytes.size()) : 0;
        nwgpu_sequences * made = nullptr;
        nwgpu_error error = NWGPU_ERROR_INIT;
        nwgpu_status const status = (in.chance() ? nwgpu_sequences_create : nwgpu_sequences_create_view)(
            context, bytes.data(), given.data(), given.size() - 1, &made, &error);
        demand((status == NWGPU_OK) == (made != nullptr), "a handle exactly on success");
        if (made)
            demand(nwgpu_sequences_count(made) == offsets.size() - 1, "count");
        offsets = given;
        if (made)
            handle.emplace(made);
    }

    std::uint8_t const * data(std::uint64_t i) const { return bytes.data() + offsets[i]; }
    std::uint64_t length(std::uint64_t i) const { return offsets[i + 1] - offsets[i]; }
    std::uint64_t count() const { return offsets.size() - 1; }

    std::vector<std::uint8_t> bytes;
    std::vector<std::uint64_t> offsets{0};
    std::optional<nwgpu::Sequences> handle;
};

nwgpu_context * context_of(Bytes & in)
{
    Newer<nwgpu_context_options> newer;
    nwgpu_context_options & options = newer.known;
    options.struct_size = struct_size(in, sizeof options);
    options.backend = choice(in, 2);
    options.cpu_threads = choice(in, 3);
    options.max_host_bytes = in.chance() ? 0 : in.number() << 10;
    static char const * const isas[] = {nullptr, nullptr, nullptr, "avx2", "sse4", "sse2", "", "8086"};
    options.cpu_isa = isas[in.byte() % 8];
    nwgpu_context * context = nullptr;
    nwgpu_error error = NWGPU_ERROR_INIT;
    nwgpu_status const status = nwgpu_context_create(in.byte() < 30 ? nullptr : &options, &context, &error);
    demand((status == NWGPU_OK) == (context != nullptr), "a context exactly on success");
    demand(status == NWGPU_OK || error.message[0] != '\0', "a message on failure");
    return context;
}

void check_result(nwgpu_result const * result, Side const & queries, Side const & targets, std::vector<nwgpu_pair> const & pairs,
                  nwgpu_scoring const & scoring)
{
    std::uint32_t const * runs = nullptr;
    std::uint64_t const * offsets = nullptr;
    nwgpu_error error = NWGPU_ERROR_INIT;
    bool const has_cigars = nwgpu_result_cigars(result, &runs, &offsets, &error) == NWGPU_OK;
    std::uint64_t const * const spans = nwgpu_result_spans(result);
    std::uint64_t failed = 0;
    for (std::uint64_t p = 0; p < nwgpu_result_count(result); ++p) {
        nwgpu_result_pair_error(result, p, &error);
        demand(error.status == nwgpu_result_statuses(result)[p], "status of a pair");
        if (error.status != NWGPU_OK) {
            ++failed;
            demand(error.message[0] != '\0' && nwgpu_result_scores(result)[p] == 0, "a failed pair has a message, no score");
            continue;
        }
        if (!has_cigars || pairs.empty())
            continue;
        demand(spans != nullptr, "CIGARs come with spans");
        std::uint64_t const * const span = spans + 4 * p;
        demand(span[0] <= span[1] && span[1] <= queries.length(pairs[p].query), "query span");
        demand(span[2] <= span[3] && span[3] <= targets.length(pairs[p].target), "target span");
        std::int64_t score = 0;
        nwgpu_status const status =
            nwgpu_cigar_score(queries.data(pairs[p].query) + span[0], span[1] - span[0],
                              targets.data(pairs[p].target) + span[2], span[3] - span[2], &scoring, runs + offsets[p],
                              offsets[p + 1] - offsets[p], &score, &error);
        demand(status == NWGPU_OK && score == nwgpu_result_scores(result)[p], "the CIGAR scores the score");
        std::vector<char> text(1 + nwgpu_cigar_to_text(runs + offsets[p], offsets[p + 1] - offsets[p], nullptr, 0));
        demand(nwgpu_cigar_to_text(runs + offsets[p], offsets[p + 1] - offsets[p], text.data(), text.size()) + 1 == text.size(),
               "length of the CIGAR text");
    }
    demand(nwgpu_result_failed(result) == failed, "number of failed pairs");
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const * data, std::size_t size)
{
    Bytes in{data, size};
    std::unique_ptr<nwgpu_context, void (*)(nwgpu_context *)> const context{context_of(in), nwgpu_context_destroy};
    if (!context)
        return 0;
    Scoring const scoring{in};
    Newer<nwgpu_align_options> newer;
    nwgpu_align_options & options = newer.known;
    options.struct_size = struct_size(in, sizeof options);
    options.mode = choice(in, 5);
    options.free_ends = options.mode == NWGPU_MODE_FREE_ENDS || in.byte() > 250 ? in.byte() % 18 : 0;
    options.output = choice(in, 4);
    options.cigar_style = choice(in, 2);
    Newer<nwgpu_band> band;
    if (in.byte() > 200) {
        band.known.struct_size = struct_size(in, sizeof band.known);
        band.known.lower = static_cast<std::int8_t>(in.byte());
        band.known.upper = band.known.lower + in.byte() - 1;
        options.band = &band.known;
    }
    Newer<nwgpu_top> top;
    if (in.byte() > 230) {
        top.known.struct_size = struct_size(in, sizeof top.known);
        top.known.alignments = in.byte() < 250 ? in.byte() % 5 : in.raw<std::uint64_t>();
        options.top = &top.known;
    }
    options.ties = in.byte() > 200 ? choice(in, 3) : 0;
    bool const stop = in.byte() > 250;
    Newer<nwgpu_control> control;
    control.known.struct_size = struct_size(in, sizeof control.known);
    control.known.progress = [](void * user, std::uint64_t, std::uint64_t) { return user != nullptr ? 1 : 0; };
    control.known.progress_user = stop ? &options : nullptr;
    if (in.chance())
        options.control = &control.known;

    Side const queries{in, context.get()}, targets{in, context.get()};
    if (!queries.handle || !targets.handle)
        return 0;
    std::vector<nwgpu_pair> pairs(in.byte() % 9);
    for (nwgpu_pair & pair : pairs)
        pair = {in.byte() < 250 ? in.byte() % (queries.count() + 1) : in.raw<std::uint64_t>(),
                in.byte() % (targets.count() + 1)};

    std::int64_t min_score = 0;
    if (in.byte() > 200) {
        min_score = in.byte() < 250 ? std::int64_t{in.byte()} - 200 : in.raw<std::int64_t>();
        options.min_score = &min_score;
    }

    options.pairing = !pairs.empty() ? NWGPU_PAIRING_LIST : choice(in, 3);
    Newer<nwgpu_best> best;
    if (in.byte() > 230) {
        best.known.struct_size = struct_size(in, sizeof best.known);
        best.known.targets = in.byte() < 250 ? in.byte() % 5 : in.raw<std::uint64_t>();
        best.known.all_equal = in.byte() % 2;
        options.best = &best.known;
    }
    bool const one_each =
        options.pairing == NWGPU_PAIRING_LIST && (!options.top || top.known.alignments == 1) && !options.best;

    nwgpu_error error = NWGPU_ERROR_INIT;
    nwgpu_estimate estimate = NWGPU_ESTIMATE_INIT;
    nwgpu_pair const * const list = pairs.empty() ? nullptr : pairs.data();
    nwgpu_status const estimated =
        nwgpu_align_estimate(context.get(), queries.handle->get(), targets.handle->get(), list, pairs.size(),
                             &scoring.values, &options, &estimate, &error);
    nwgpu_result * made = nullptr;
    nwgpu_status const status = nwgpu_align(context.get(), queries.handle->get(), targets.handle->get(), list,
                                            pairs.size(), &scoring.values, &options, &made, &error);
    demand((status == NWGPU_OK) == (made != nullptr), "a result exactly on success");
    demand(status == NWGPU_OK || error.message[0] != '\0', "a message on failure");
    demand(status != NWGPU_ERROR_INTERNAL, "no internal error");
    demand(status != NWGPU_OK || estimated == NWGPU_OK || estimated == NWGPU_ERROR_MEMORY_LIMIT,
           "what can be aligned can be estimated");
    if (!made)
        return 0;
    nwgpu::Result const result{made};
    demand(!one_each || result.count() == pairs.size(), "one answer per pair");
    if (!one_each)
        pairs.clear(); // whose entry is whose is not followed here
    check_result(made, queries, targets, pairs, scoring.values);

    std::vector<std::uint64_t> chosen(in.byte() % 4);
    for (std::uint64_t & entry : chosen)
        entry = in.byte() % (result.count() + 1);
    nwgpu_result * traced = nullptr;
    nwgpu_status const answer = nwgpu_traceback(context.get(), queries.handle->get(), targets.handle->get(), made,
                                                chosen.empty() ? nullptr : chosen.data(), chosen.size(), nullptr,
                                                &traced, &error);
    demand((answer == NWGPU_OK) == (traced != nullptr), "a result exactly on success");
    demand(answer == NWGPU_OK || error.message[0] != '\0', "a message on failure");
    if (!traced)
        return 0;
    nwgpu::Result const paths{traced};
    for (std::uint64_t e = 0; !options.top && e < paths.count(); ++e) {
        std::uint64_t const entry = chosen.empty() ? e : chosen[e];
        demand(paths.pairs()[e] == result.pairs()[entry], "the pair of a traced entry");
        // A path may need more memory than the limit allows where a score does not.
        if (paths.statuses()[e] == NWGPU_OK && result.statuses()[entry] == NWGPU_OK)
            demand(paths.scores()[e] == result.scores()[entry], "the score of a traced entry");
    }
    if (!pairs.empty() && chosen.empty())
        check_result(traced, queries, targets, pairs, scoring.values);
    return 0;
}
