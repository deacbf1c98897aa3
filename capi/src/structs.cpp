// SPDX-License-Identifier: BSD-3-Clause
// Checks every option against nwgpu.h; what comes out of here is valid.
#include "structs.hpp"

#include <numeric>

namespace nwgpu::capi {

namespace {

constexpr std::int32_t most_threads = 1 << 16;
// Gaps alone cost less: 2^31 letters and two opened gaps, each at most 2^30.
constexpr std::int64_t lower_than_any = -(std::int64_t{1} << 62);
constexpr std::uint64_t most_devices = 1024;
constexpr std::int32_t all_free_ends =
    NWGPU_FREE_QUERY_BEGIN | NWGPU_FREE_QUERY_END | NWGPU_FREE_TARGET_BEGIN | NWGPU_FREE_TARGET_END;

Mode to_mode(nwgpu_align_options const & options)
{
    require_that(options.mode >= NWGPU_MODE_GLOBAL && options.mode <= NWGPU_MODE_EXTEND_LEFT,
                 "options.mode is none of NWGPU_MODE_*");
    require_that(options.free_ends == 0 || options.mode == NWGPU_MODE_FREE_ENDS,
                 "options.free_ends needs NWGPU_MODE_FREE_ENDS");
    require_that((options.free_ends & ~all_free_ends) == 0, "options.free_ends has an unknown bit");
    Mode mode;
    mode.local = options.mode == NWGPU_MODE_LOCAL;
    mode.extend = options.mode == NWGPU_MODE_EXTEND;
    mode.extend_left = options.mode == NWGPU_MODE_EXTEND_LEFT;
    mode.free_query_begin = options.free_ends & NWGPU_FREE_QUERY_BEGIN;
    mode.free_query_end = options.free_ends & NWGPU_FREE_QUERY_END;
    mode.free_target_begin = options.free_ends & NWGPU_FREE_TARGET_BEGIN;
    mode.free_target_end = options.free_ends & NWGPU_FREE_TARGET_END;
    require_that(options.ties >= NWGPU_TIES_FIRST && options.ties <= NWGPU_TIES_GAPS_FIRST,
                 "options.ties is none of NWGPU_TIES_*");
    mode.ties = static_cast<Ties>(options.ties);
    if (options.band) {
        nwgpu_band const band = read_struct(*options.band, "options.band");
        require_that(band.lower <= band.upper, "options.band: lower is greater than upper");
        mode.band = Diagonals{band.lower, band.upper};
    }
    return mode;
}

std::uint32_t to_top(nwgpu_top const & top)
{
    nwgpu_top const given = read_struct(top, "options.top");
    require_that(given.alignments >= 1, "options.top: alignments is 0");
    if (given.alignments > UINT32_MAX)
        throw Error{Status::too_large, "options.top: alignments is more than 2^32 - 1"};
    return static_cast<std::uint32_t>(given.alignments);
}

Best to_best(nwgpu_best const & best)
{
    nwgpu_best const given = read_struct(best, "options.best");
    require_that(given.targets >= 1, "options.best: targets is 0");
    return {given.targets, given.all_equal != 0};
}

CheckpointRequest to_checkpoint(nwgpu_checkpoint const & checkpoint)
{
    nwgpu_checkpoint const given = read_struct(checkpoint, "options.checkpoint");
    require_that(given.folder && *given.folder != 0, "options.checkpoint: folder is NULL or empty");
    require_that(given.seconds >= 0, "options.checkpoint: seconds is negative or not a number");
    return {given.folder, given.resume != 0, given.seconds > 0 ? given.seconds : 60};
}

// The caller's table of functions.
class CallersCommunicator final : public places::Communicator {
public:
    explicit CallersCommunicator(nwgpu_communicator const & table) : table_{table} {}

    int rank() const override { return table_.rank; }
    int size() const override { return table_.size; }
    std::uint64_t fingerprint() const override { return table_.fingerprint; }
    void send(int to, std::span<std::byte const> bytes) override
    {
        check(table_.send(table_.user, to, bytes.data(), bytes.size()), "send");
    }
    std::optional<Waiting> probe() override
    {
        std::int32_t from = -1;
        std::uint64_t bytes = 0;
        check(table_.probe(table_.user, &from, &bytes), "probe");
        return from < 0 ? std::nullopt : std::optional{Waiting{from, bytes}};
    }
    void receive(int from, std::span<std::byte> bytes) override
    {
        check(table_.receive(table_.user, from, bytes.data(), bytes.size()), "receive");
    }

private:
    void check(std::int32_t answer, char const * name) const
    {
        if (answer != 0)
            throw Error{Status::communication, std::string{"the function "} + name + " of the communicator answers " +
                                                   std::to_string(answer) + " on rank " + std::to_string(rank())};
    }

    nwgpu_communicator const table_;
};

std::shared_ptr<places::World> to_world(nwgpu_communicator const & communicator)
{
    nwgpu_communicator const given = read_struct(communicator, "options.communicator");
    require_that(given.size >= 1 && given.rank >= 0 && given.rank < given.size,
                 "options.communicator: rank is not below size");
    require_that(given.reserved == 0, "options.communicator: reserved is not 0");
    require_that(given.send && given.probe && given.receive, "options.communicator: a function is NULL");
    if (given.size == 1)
        return nullptr;
    return std::make_shared<places::World>(std::make_unique<CallersCommunicator>(given));
}

std::vector<int> to_devices(nwgpu_context_options const & given)
{
    require_that(given.devices ? given.device_count > 0 && given.device_count != NWGPU_ALL_DEVICES
                               : given.device_count == 0 || given.device_count == NWGPU_ALL_DEVICES,
                 "options.device_count does not fit options.devices");
    std::vector<int> devices;
    if (given.device_count == NWGPU_ALL_DEVICES) {
        devices.resize(static_cast<std::size_t>(device_count(BackendKind::cuda)));
        std::iota(devices.begin(), devices.end(), 0);
    } else if (given.devices) {
        if (given.device_count > most_devices)
            throw Error{Status::too_large, "options.device_count is more than " + std::to_string(most_devices)};
        devices.assign(given.devices, given.devices + given.device_count);
        std::vector<int> sorted = devices;
        std::sort(sorted.begin(), sorted.end());
        require_that(sorted.front() >= 0, "options.devices has a negative number");
        require_that(std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end(),
                     "options.devices has a number twice");
    }
    require_that(devices.size() <= 1 || !given.cuda_stream, "options.cuda_stream belongs to one device");
    return devices;
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
    if (given.cpu_threads > most_threads)
        throw Error{Status::too_large, "options.cpu_threads is more than " + std::to_string(most_threads)};
    result.backend = to_backend(given.backend);
    result.devices = to_devices(given);
    result.device = result.devices.empty() ? given.device : result.devices.front();
    result.cpu_threads = given.cpu_threads;
    result.max_device_bytes = given.max_device_bytes;
    result.max_host_bytes = given.max_host_bytes;
    result.cuda_stream = given.cuda_stream;
    if (given.log)
        result.log = [log = given.log, user = given.log_user](LogLevel level, std::string const & text) {
            try {
                log(user, static_cast<std::int32_t>(level), text.c_str());
            } catch (...) {
                throw Error{Status::callback, "the log function threw an exception"};
            }
        };
    if (given.cpu_isa)
        result.cpu_isa = given.cpu_isa;
    if (given.communicator)
        result.world = to_world(*given.communicator);
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
    auto const has_codes = [&] {
        return given.letter_codes
                   ? std::ranges::equal(known.codes(), std::span{given.letter_codes, known.codes().size()})
                   : known.letters_are_codes() && known.any_byte();
    };
    if (!given.matrix && given.alphabet_size == 0)
        return known.is_uniform() && known.match() == given.match && known.mismatch() == given.mismatch &&
               known.gap() == GapCost{given.gap_open, given.gap_extend} && has_codes();
    if (!given.matrix || !given.letter_codes || given.alphabet_size == 0)
        return false;
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
    require_that(given.pairing >= NWGPU_PAIRING_ZIP && given.pairing <= NWGPU_PAIRING_LIST,
                 "options.pairing is none of NWGPU_PAIRING_*");
    result.request.mode = to_mode(given);
    result.request.output = static_cast<Output>(given.output);
    result.request.style = static_cast<CigarStyle>(given.cigar_style);
    result.request.every_cell = given.every_cell != 0;
    if (given.min_score && *given.min_score > lower_than_any)
        result.request.min_score = *given.min_score;
    if (given.top)
        result.request.top = to_top(*given.top);
    require_that(result.request.top == 1 || (result.request.mode.local && result.request.mode.has_usual_rules()),
                 "options.top with several alignments needs NWGPU_MODE_LOCAL, no band and NWGPU_TIES_FIRST");
    if (given.checkpoint)
        result.request.checkpoint = to_checkpoint(*given.checkpoint);
    if (given.best)
        result.best = to_best(*given.best);
    require_that(!result.best || (result.request.top == 1 && !given.checkpoint),
                 "options.best goes neither with several alignments of options.top nor with options.checkpoint");
    result.pairing = static_cast<Pairing>(given.pairing);
    result.control = given.control;
    return result;
}

std::uint64_t copy_text(std::string const & text, char * buffer, std::uint64_t size)
{
    if (buffer && size > 0) {
        std::uint64_t const length = std::min<std::uint64_t>(text.size(), size - 1);
        std::memcpy(buffer, text.data(), length);
        buffer[length] = '\0';
    }
    return text.size();
}

} // namespace nwgpu::capi
