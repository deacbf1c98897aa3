// SPDX-License-Identifier: BSD-3-Clause
//
// batch.c in C++20: places reads in a reference, in one call; a read with a letter that is no nucleotide fails alone
// and says why.
//
//     c++ -std=c++20 batch.cpp $(pkg-config --cflags --libs nwgpu) -o batch
#include <iostream>
#include <nwgpu/nwgpu.hpp>

int main()
{
    nwgpu_scoring scoring = NWGPU_SCORING_INIT;
    scoring.match = 1, scoring.mismatch = 4, scoring.gap_open = 0, scoring.gap_extend = 2;
    scoring.letter_codes = nwgpu_alphabet_letter_codes("dna");
    nwgpu_align_options options = NWGPU_ALIGN_OPTIONS_INIT;
    options.pairing = NWGPU_PAIRING_ALL; // each read with the one reference
    options.mode = NWGPU_MODE_FREE_ENDS;
    options.free_ends = NWGPU_FREE_TARGET_BEGIN | NWGPU_FREE_TARGET_END;
    options.output = NWGPU_OUTPUT_CIGAR;

    try {
        nwgpu::Context context;
        nwgpu::Sequences const reads{context, {"ACGTAC", "ACG?", "GATACA", ""}};
        nwgpu::Sequences const reference{context, {"TTTACGTACCCGGATTACAGGTTT"}};
        nwgpu::Result const result = context.align(reads, reference, scoring, options);
        for (std::uint64_t read = 0; read < result.count(); ++read) {
            std::cout << "read " << read << ": ";
            if (result.statuses()[read] != NWGPU_OK) {
                std::cout << result.error(read).message << '\n';
                continue;
            }
            auto const span = result.span(read);
            std::cout << "at " << span.target_begin << '-' << span.target_end << ", score " << result.scores()[read]
                      << ", " << nwgpu::to_string(result.cigar(read)) << '\n';
        }
    } catch (nwgpu::Error const & error) {
        std::cerr << nwgpu_status_name(error.status()) << ": " << error.what() << '\n';
        return 1;
    }
}
