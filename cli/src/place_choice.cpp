// SPDX-License-Identifier: BSD-3-Clause
#include "place_choice.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <system_error>
#include <utility>

namespace cli {

std::optional<Sample> sample(Batch const & first, std::function<void(Batch const &)> const & align)
{
    using clock = std::chrono::steady_clock;
    constexpr std::chrono::milliseconds enough{50};
    // Short pairs lie side by side in lanes, which as many fill.
    constexpr std::uint64_t pairs_at_a_time = 256, cells_at_a_time = 250'000'000, very_long = 1'000'000'000;
    auto const length = [&](nwgpu_pair const & pair) {
        return std::pair{first.queries->length(pair.query), first.targets->length(pair.target)};
    };
    if (std::ranges::any_of(first.pairs, [&](nwgpu_pair const & pair) {
            auto const [m, n] = length(pair);
            return m * n > very_long;
        }))
        return std::nullopt;
    Batch some = first;
    some.group_size = 1;
    some.pairs.resize(std::min<std::size_t>(1, first.pairs.size()));
    align(some); // the first call has more to do
    clock::time_point const begin = clock::now();
    Sample sample;
    for (auto next = first.pairs.begin(); next != first.pairs.end() && clock::now() - begin < enough;) {
        std::uint64_t const before = sample.sum.cells;
        some.pairs.clear();
        for (; next != first.pairs.end() && some.pairs.size() < pairs_at_a_time &&
               sample.sum.cells - before < cells_at_a_time;
             ++next) {
            auto const [m, n] = length(*next);
            sample.sum.add(m, n);
            some.pairs.push_back(*next);
        }
        align(some);
    }
    sample.seconds = std::chrono::duration<double>(clock::now() - begin).count();
    return sample;
}

bool Outlook::gpu_is_worth_it() const
{
    constexpr double worth = 2;
    return cpu > worth * gpu;
}

// Measured with H200s beside 16 cores (docs/notes/command.md): the start of the driver, and what a letter of long reads
// takes to be read, sent and written.
Outlook outlook_of(Sample const & sample, int threads, double letters)
{
    constexpr double beside_others = 1.3, start = 1.2, of_letter = 1e-9, cells_per_second = 3e12;
    double const times = letters / static_cast<double>(std::max<std::uint64_t>(1, sample.sum.letters));
    return {times * sample.seconds / threads * beside_others,
            start + letters * of_letter + times * static_cast<double>(sample.sum.cells) / cells_per_second};
}

double expected_letters(AlignOptions const & options, InputLetters const & of)
{
    constexpr double many = 1e9, bytes_of_line = 16; // of a list of pairs: two short names
    auto const queries = static_cast<double>(of.queries), targets = static_cast<double>(of.targets),
               first_query = static_cast<double>(std::max<std::uint64_t>(1, of.first_query)),
               first_target = static_cast<double>(std::max<std::uint64_t>(1, of.first_target)),
               strands = options.both_strands ? 2.0 : 1.0;
    if (!options.pairs_file.empty()) {
        std::error_code unknown;
        auto const bytes = static_cast<double>(std::filesystem::file_size(options.pairs_file, unknown));
        return unknown ? many : strands * bytes / bytes_of_line * (first_query + first_target);
    }
    if (of.queries == 0)
        return many;
    if (options.pair == "self")
        return strands * queries * (queries / first_query);
    if (options.pair == "zip")
        return strands * queries / first_query * (first_query + first_target);
    return of.targets == 0 ? many : strands * (queries * (targets / first_target) + targets * (queries / first_query));
}

} // namespace cli
