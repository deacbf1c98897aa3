// SPDX-License-Identifier: BSD-3-Clause
// Checks every option against nwgpu.h; what comes out of here is valid.
#include "structs.hpp"

#include <chrono>

namespace nwgpu::capi {

namespace {

constexpr std::uint32_t all_free_ends =
    NWGPU_FREE_QUERY_BEGIN | NWGPU_FREE_QUERY_END | NWGPU_FREE_TARGET_BEGIN | NWGPU_FREE_TARGET_END;

Mode to_mode(nwgpu_align_options const & options)
{
    require_that(options.span >= NWGPU_SPAN_GLOBAL && options.span <= NWGPU_SPAN_FREE_ENDS,
                 "options.span is none of NWGPU_SPAN_*");
    require_that(options.free_ends == 0 || options.span == NWGPU_SPAN_FREE_ENDS,
                 "options.free_ends needs NWGPU_SPAN_FREE_ENDS");
    require_that((options.free_ends & ~all_free_ends) == 0, "options.free_ends has an unknown bit");
    Mode mode;
    mode.local = options.span == NWGPU_SPAN_LOCAL;
    mode.free_query_begin = options.free_ends & NWGPU_FREE_QUERY_BEGIN;
    mode.free_query_end = options.free_ends & NWGPU_FREE_QUERY_END;
    mode.free_target_begin = options.free_ends & NWGPU_FREE_TARGET_BEGIN;
    mode.free_target_end = options.free_ends & NWGPU_FREE_TARGET_END;
    require_that(options.ties >= NWGPU_TIES_FIRST && options.ties <= NWGPU_TIES_GAPS_FIRST,
                 "options.ties is none of NWGPU_TIES_*");
    mode.ties = static_cast<Ties>(options.ties);
    require_that(options.banded || (options.band_lower == 0 && options.band_upper == 0),
                 "options.band_lower and band_upper need options.banded");
    require_that(options.band_lower <= options.band_upper, "options.band_lower is greater than band_upper");
    if (options.banded)
        mode.band = Diagonals{options.band_lower, options.band_upper};
    return mode;
}

// Stops the call, too, when its time is over.
Progress with_deadline(Progress const & progress, double seconds)
{
    using Clock = std::chrono::steady_clock;
    std::chrono::duration<double> const allowed{std::min(seconds, 1e9)};
    return [progress, allowed, begin = Clock::now()](std::uint64_t done, std::uint64_t total) {
        return Clock::now() - begin < allowed && (!progress || progress(done, total));
    };
}

} // namespace

BackendKind to_backend(std::int32_t backend)
{
    require_that(backend >= NWGPU_BACKEND_AUTO && backend <= NWGPU_BACKEND_CUDA, "backend is none of NWGPU_BACKEND_*");
    return static_cast<BackendKind>(backend);
}

AlignerOptions to_aligner_options(nwgpu_context_options const * options)
{
    AlignerOptions result;
    if (!options)
        return result;
    nwgpu_context_options const given = read_struct(*options, "options");
    require_that(given.device >= 0, "options.device is negative");
    require_that(given.cpu_threads >= 0, "options.cpu_threads is negative");
    result.backend = to_backend(given.backend);
    result.device = given.device;
    result.cpu_threads = given.cpu_threads;
    result.max_device_bytes = given.max_device_bytes;
    result.max_host_bytes = given.max_host_bytes;
    result.cuda_stream = given.cuda_stream;
    if (given.log)
        result.log = [log = given.log, user = given.log_user](LogLevel level, std::string const & text) {
            log(user, static_cast<std::int32_t>(level), text.c_str());
        };
    if (given.cpu_isa)
        result.cpu_isa = given.cpu_isa;
    return result;
}

Scoring to_scoring(nwgpu_scoring const & scoring)
{
    nwgpu_scoring const given = read_struct(scoring, "scoring");
    GapCost const gap{given.gap_open, given.gap_extend};
    LetterCodes codes;
    if (given.letter_codes)
        std::copy_n(given.letter_codes, codes.size(), codes.begin());
    if (given.alphabet_size == 0) {
        require_that(!given.matrix, "scoring.matrix needs scoring.alphabet_size");
        return Scoring::uniform(given.match, given.mismatch, gap, given.letter_codes ? &codes : nullptr);
    }
    require_that(given.matrix && given.letter_codes, "scoring.alphabet_size needs scoring.matrix and letter_codes");
    require_that(given.alphabet_size <= max_matrix_size, "scoring.alphabet_size is larger than 128");
    std::size_t const entries = std::size_t{given.alphabet_size} * given.alphabet_size;
    return Scoring::matrix({given.matrix, given.matrix + entries}, static_cast<int>(given.alphabet_size), codes, gap);
}

bool is_same(Scoring const & known, nwgpu_scoring const & scoring)
{
    nwgpu_scoring const given = read_struct(scoring, "scoring");
    if (!given.matrix || !given.letter_codes || given.alphabet_size == 0)
        return false; // quickly made, or faulty
    return static_cast<std::uint32_t>(known.size()) == given.alphabet_size &&
           known.gap() == GapCost{given.gap_open, given.gap_extend} &&
           std::ranges::equal(known.codes(), std::span{given.letter_codes, known.codes().size()}) &&
           std::ranges::equal(known.scores(), std::span{given.matrix, known.scores().size()});
}

AlignOptions to_align_options(nwgpu_align_options const * options)
{
    AlignOptions result;
    if (!options)
        return result;
    nwgpu_align_options const given = read_struct(*options, "options");
    require_that(given.output >= NWGPU_OUTPUT_SCORE && given.output <= NWGPU_OUTPUT_CIGAR,
                 "options.output is none of NWGPU_OUTPUT_*");
    require_that(given.cigar_style == NWGPU_CIGAR_EQX || given.cigar_style == NWGPU_CIGAR_M,
                 "options.cigar_style is none of NWGPU_CIGAR_*");
    require_that(given.reserved == 0, "options.reserved is not 0");
    require_that(given.reserved2 == 0, "options.reserved2 is not 0");
    result.request.mode = to_mode(given);
    result.request.output = static_cast<Output>(given.output);
    result.request.style = static_cast<CigarStyle>(given.cigar_style);
    result.request.top = std::max<std::uint32_t>(given.top, 1);
    require_that(result.request.top == 1 || (result.request.mode.local && result.request.mode.is_plain()),
                 "options.top above 1 needs NWGPU_SPAN_LOCAL, no band and NWGPU_TIES_FIRST");
    if (given.progress)
        result.progress = [call = given.progress, user = given.progress_user](std::uint64_t done, std::uint64_t total) {
            return call(user, done, total) == 0;
        };
    if (given.algorithm)
        result.algorithm = given.algorithm;
    result.request.every_cell = given.every_cell != 0;
    require_that(given.checkpoint || (given.resume == 0 && given.checkpoint_seconds == 0),
                 "options.resume and checkpoint_seconds need options.checkpoint");
    require_that(given.checkpoint_seconds >= 0, "options.checkpoint_seconds is negative");
    require_that(given.deadline_seconds >= 0, "options.deadline_seconds is negative");
    if (given.checkpoint) {
        require_that(*given.checkpoint != 0, "options.checkpoint is empty");
        result.request.checkpoint = {given.checkpoint, given.resume != 0,
                                     given.checkpoint_seconds > 0 ? given.checkpoint_seconds : 60};
    }
    if (given.deadline_seconds > 0)
        result.progress = with_deadline(result.progress, given.deadline_seconds);
    return result;
}

std::size_t copy_text(std::string const & text, char * buffer, std::size_t size)
{
    if (size > 0) {
        std::size_t const length = std::min(text.size(), size - 1);
        std::memcpy(buffer, text.data(), length);
        buffer[length] = '\0';
    }
    return text.size();
}

} // namespace nwgpu::capi
