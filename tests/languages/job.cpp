// SPDX-License-Identifier: BSD-3-Clause
// The job of this folder (README.md) in C++20, with nwgpu.hpp.
#include <array>
#include <atomic>
#include <chrono>
#include <iostream>
#include <string>
#include <thread>
#include <vector>

#include <nwgpu/nwgpu.hpp>

namespace {

void refused(char const * what, auto && call)
{
    try {
        call();
    } catch (nwgpu::Error const & error) {
        std::cout << what << ": " << nwgpu_status_name(error.status()) << ": " << error.what() << '\n';
    }
}

void print_entry(nwgpu::Result const & result, std::uint64_t entry, std::string const & cigar)
{
    nwgpu_error const error = result.error(entry);
    std::cout << "pair " << result.pairs()[entry] << ": ";
    if (error.status == NWGPU_OK)
        std::cout << result.scores()[entry] << ' ' << cigar << '\n';
    else
        std::cout << nwgpu_status_name(error.status) << ": " << error.message << '\n';
}

void print_cigars(nwgpu::Result const & result)
{
    for (std::uint64_t entry = 0; entry < result.count(); ++entry)
        print_entry(result, entry, nwgpu::to_string(result.cigar(entry)));
}

// Scores of a batch first, then the alignments of some of its pairs.
void batch(nwgpu::Context & context, nwgpu_scoring const & scoring)
{
    nwgpu::Sequences const queries{context, {"GATTACA", "GAT-ACA", "", "ACGTACGT"}};
    nwgpu::Sequences const targets{context, {"GATACA", "GATACA", "AC", "ACGT"}};
    nwgpu::Result const result = context.align(queries, targets, scoring, NWGPU_ALIGN_OPTIONS_INIT);
    std::cout << result.count() << " pairs, " << result.failed() << " failed\n";
    for (std::uint64_t entry = 0; entry < result.count(); ++entry)
        print_entry(result, entry, "-");
    refused("no CIGARs", [&] { return result.cigar(0); });

    std::span<std::int64_t const> const scores = result.scores();
    print_cigars(context.traceback(queries, targets, result, std::array<std::uint64_t, 3>{3, 1, 0}));
    std::cout << "the first scores: " << scores[0] << ' ' << scores[1] << ' ' << scores[2] << ' ' << scores[3] << '\n';
}

// Several local alignments, with an option struct inside the options.
void top(nwgpu::Context & context)
{
    refused("no matrix", [] { return nwgpu::Matrix{"BLOSUM63"}; });
    nwgpu::Matrix const matrix{"blosum62"};
    nwgpu_top best = NWGPU_TOP_INIT;
    best.alignments = 2;
    nwgpu_align_options options = NWGPU_ALIGN_OPTIONS_INIT;
    options.mode = NWGPU_MODE_LOCAL;
    options.output = NWGPU_OUTPUT_CIGAR;
    options.top = &best;
    std::vector<std::string> const query{"WLKAWL"}, target{"AWLKWL"};
    print_cigars(context.align({context, query}, {context, target}, matrix.scoring(11, 1), options));
}

// A call of minutes, ended by another thread.
void cancelled(nwgpu::Context & context, nwgpu_scoring scoring)
{
    scoring.letter_codes = nullptr; // zeros are letters, too
    nwgpu_control control = NWGPU_CONTROL_INIT;
    control.deadline_seconds = 60; // should cancelling fail
    nwgpu_align_options options = NWGPU_ALIGN_OPTIONS_INIT;
    options.every_cell = 1;
    options.control = &control;
    std::vector<std::uint8_t> const letters(1'000'000);
    auto const sequences = nwgpu::Sequences::view(context, letters, std::array<std::uint64_t, 2>{0, letters.size()});
    std::atomic<bool> ended = false;
    std::thread thread{[&] { // the call may not have begun: asks again until it has ended
        while (!ended) {
            context.cancel();
            std::this_thread::sleep_for(std::chrono::milliseconds{1});
        }
    }};
    refused("cancelled", [&] { return context.align(sequences, sequences, scoring, options); });
    ended = true;
    thread.join();
}

} // namespace

int main()
{
    try {
        std::cout << "ABI " << nwgpu_abi_version() << '\n';
        nwgpu_context_options options = NWGPU_CONTEXT_OPTIONS_INIT;
        options.backend = NWGPU_BACKEND_CPU;
        options.cpu_threads = 2;
        nwgpu::Context context{options};
        nwgpu_scoring dna = NWGPU_SCORING_INIT;
        dna.match = 2;
        dna.mismatch = 4;
        dna.gap_open = 4;
        dna.gap_extend = 2;
        dna.letter_codes = nwgpu_alphabet_letter_codes("dna");
        batch(context, dna);
        top(context);
        cancelled(context, dna);
    } catch (nwgpu::Error const & error) {
        std::cout << "failed: " << error.what() << '\n';
        return 1;
    }
}
