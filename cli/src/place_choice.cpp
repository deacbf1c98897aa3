// SPDX-License-Identifier: BSD-3-Clause
#include "place_choice.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>

namespace cli {

Sample sample(Batch const & first, std::function<void(Batch const &)> const & align)
{
    using clock = std::chrono::steady_clock;
    constexpr std::chrono::milliseconds enough{50};
    // Short pairs lie side by side in lanes, which as many fill.
    constexpr std::uint64_t pairs_at_a_time = 256, cells_at_a_time = 250'000'000;
    clock::time_point const begin = clock::now();
    Sample sample;
    Batch some = first;
    for (auto next = first.pairs.begin(); next != first.pairs.end() && clock::now() - begin < enough;) {
        PairSum sum;
        some.pairs.clear();
        while (next != first.pairs.end() && sum.pairs < pairs_at_a_time && sum.cells < cells_at_a_time)
            for (std::uint64_t k = 0; k < first.group_size; ++k, ++next) {
                sum.add(first.queries->length(next->query), first.targets->length(next->target));
                some.pairs.push_back(*next);
            }
        align(some);
        sample.sum.pairs += sum.pairs;
        sample.sum.letters += sum.letters;
        sample.sum.cells += sum.cells;
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

double expected_letters(Batch const & first, std::uint64_t of_queries)
{
    constexpr double many = 1e9;
    if (of_queries == 0 || !first.own_queries || first.goes_on)
        return many;
    auto const now = static_cast<double>(first.queries->offsets()[first.forward_count]);
    return static_cast<double>(first.letters) * std::max(1.0, static_cast<double>(of_queries) / std::max(1.0, now));
}

} // namespace cli
