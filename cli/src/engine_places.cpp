// SPDX-License-Identifier: BSD-3-Clause
// Who has the batches of an input: workers, one thread each, all threads together, or a GPU as well; and how large they
// are.
#include "engine.hpp"

#include "engine_context.hpp"
#include "place_choice.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <optional>

namespace cli {

namespace {

// Of a batch that one thread aligns, about.
constexpr std::uint64_t least_letters = std::uint64_t{1} << 20;

// Where one thread aligns a batch while others align others: of the first pair of all, and of a batch, at most.  One
// thread takes half a second for 5 x 10^9 cells of pairs that are not similar, others may wait for it in the end.
constexpr std::uint64_t cells_of_long_read = 1'000'000'000, cells_of_worker = 5'000'000'000;

// Under a limit of memory, say, one call has all of it.
bool suit_workers(EngineOptions const & options)
{
    return !options.communicator && options.max_memory == 0 && options.algorithm.empty() && options.checkpoint.empty();
}

} // namespace

EngineOptions for_workers(EngineOptions options)
{
    if (options.device == "auto" && suit_workers(options))
        options.device = "cpu";
    return options;
}

bool Engine::can_have_workers(EngineOptions const & options) const
{
    return on_cpu() && suit_workers(options) && threads() > 1;
}

void Engine::take_workers(EngineOptions const & options, std::uint64_t letters)
{
    worker_letters_ = letters;
    workers_.resize(static_cast<std::size_t>(threads()));
    given_ = for_workers(options);
}

void Engine::take_all(EngineOptions const & options)
{
    if (options.device != for_workers(options).device)
        context_ = make_context(options, options.threads, progress_, true);
}

void Engine::suit(EngineOptions const & options, bool one_batch_at_a_time, std::uint64_t query_length,
                  std::uint64_t target_length)
{
    constexpr std::uint64_t cells_while_reading = 12; // a letter: what one thread aligns
    constexpr std::uint64_t pairs_of_worker = 1024;
    constexpr std::int32_t cores = 2;
    std::uint64_t const all = static_cast<std::uint64_t>(threads());
    std::uint64_t const cells = query_length * target_length, letters = query_length + target_length;
    if (can_have_workers(options) && !one_batch_at_a_time && cells <= cells_of_long_read) {
        take_workers(options, std::clamp(pairs_of_worker * letters, least_letters / 2, 2 * least_letters));
        left_gpu_ = options.device != given_.device;
        return;
    }
    take_all(options);
    if (!on_cpu() || options.communicator)
        return;
    bool const reading_lasts = cells < cells_while_reading * all * letters;
    // Without its messages: the CPU's context says all that it has to say when it is made, and has said it.
    if (options.threads == 0 && all >= 8 && reading_lasts)
        context_ = make_context(options, threads() - cores, progress_, false);
}

int Engine::suit_similar(EngineOptions const & options)
{
    most_batch_cells_ = UINT64_MAX;
    if (can_have_workers(options))
        take_workers(options, least_letters);
    else
        take_all(options);
    return workers();
}

bool Engine::is_undecided() const { return left_gpu_ && has_gpu_driver(); }

bool Engine::choose_place(Batch const & first, double letters)
{
    std::optional<Sample> const some = sample(first, [this](Batch const & pairs) { align(pairs, 0); });
    bool all = !some; // there are very long pairs: the library decides
    if (some) {
        Outlook const outlook = outlook_of(*some, threads(), letters);
        all = outlook.gpu_is_worth_it() && nwgpu_device_count(NWGPU_BACKEND_CUDA) > 0;
        char words[128];
        std::snprintf(words, sizeof words, "all pairs may take the CPU %.2g s, and %.2g s with the start of a GPU: %s",
                      outlook.cpu, outlook.gpu, all ? "it is started" : "it is left alone");
        progress_.detail(words);
    }
    if (!all)
        return false;
    workers_.clear();
    EngineOptions given = given_;
    given.device = "auto";
    take_all(given);
    return true;
}

BatchSize Engine::batch_size() const
{
    // Several places need more, as they wait for each other at the end of each batch.
    std::uint64_t const least = least_letters, several = 2 * places_ - 1, most = 8 * least * several;
    // Codes, results and the longest CIGARs there may be take less than half of this.
    constexpr std::uint64_t bytes_per_letter = 32;
    std::uint64_t const fits = max_memory_ == 0 ? most : std::max<std::uint64_t>(1, max_memory_ / bytes_per_letter);
    std::uint64_t const pairs = places_ == 1 || max_memory_ > 0 ? 1 : 2 * places_;
    if (!on_cpu()) // a GPU is quick with many pairs at a time
        return {max_memory_ == 0 ? 8 * most : std::min(fits, 8 * most), pairs};
    std::uint64_t const of_all_threads =
        std::clamp(static_cast<std::uint64_t>(threads()) * least * several, least, most);
    if (max_memory_ > 0)
        return {std::min(fits, of_all_threads), pairs};
    BatchSize size{.letters = of_all_threads,
                   .least_pairs = pairs,
                   .cells_of_long = 2.5e5,
                   .letters_of_long = std::max(8 * least, 4 * of_all_threads)};
    if (workers() > 1) {
        size.letters = worker_letters_;
        size.cells = cells_of_worker;
        size.parse_in_blocks = size.letters == least / 2;
        size.at_a_time = static_cast<std::uint64_t>(workers());
        size.cells_of_long = most_worker_cells;
    }
    return size;
}

} // namespace cli
