// SPDX-License-Identifier: BSD-3-Clause
// Aligns the pairs of a file that make.py wrote (../README.md), with nwgpu.hpp.
#include <cstdint>
#include <fstream>
#include <iostream>
#include <nwgpu/nwgpu.hpp>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

namespace {

std::string place(std::uint64_t position) { return position == UINT64_MAX ? "-" : std::to_string(position); }

void print_entry(int section, nwgpu::Result const & result, std::uint64_t entry, bool has_cigars)
{
    std::cout << section << ' ' << result.pairs()[entry] << ' ';
    if (nwgpu_error const why = result.error(entry); why.status != NWGPU_OK) {
        std::cout << nwgpu_status_name(why.status) << ' ' << why.message << '\n';
        return;
    }
    nwgpu::Span const nowhere{UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX};
    auto const [qb, qe, tb, te] = result.has_spans() ? result.span(entry) : nowhere;
    std::cout << result.scores()[entry] << ' ' << place(qb) << ' ' << place(qe) << ' ' << place(tb) << ' ' << place(te)
              << ' ' << (has_cigars ? nwgpu::to_string(result.cigar(entry)) : "-") << '\n';
}

// Reads a section after its first line, aligns its pairs, and prints them.
void run_section(nwgpu::Context & context, std::istringstream line, std::istream & file)
{
    nwgpu_scoring scoring = NWGPU_SCORING_INIT;
    nwgpu_align_options options = NWGPU_ALIGN_OPTIONS_INIT;
    nwgpu_band band = NWGPU_BAND_INIT;
    nwgpu_top top = NWGPU_TOP_INIT;
    std::string word, name;
    int section = 0;
    bool has_band = false;
    std::size_t count = 0;
    line >> word >> section >> options.mode >> options.free_ends >> options.output >> options.cigar_style >>
        options.ties >> has_band >> band.lower >> band.upper >> top.alignments >> name >> scoring.match >>
        scoring.mismatch >> scoring.gap_open >> scoring.gap_extend >> count;
    if (!line)
        throw std::runtime_error{"not a section"};
    std::vector<std::string> query_texts(count), target_texts(count);
    for (std::size_t pair = 0; pair < count; ++pair) {
        std::getline(file, query_texts[pair], '\t');
        std::getline(file, target_texts[pair]);
    }
    options.band = has_band ? &band : nullptr;
    options.top = top.alignments > 1 ? &top : nullptr;
    std::optional<nwgpu::Matrix> matrix;
    if (name == "dna" || name == "protein")
        scoring.letter_codes = nwgpu_alphabet_letter_codes(name.c_str());
    else if (name != "bytes")
        scoring = matrix.emplace(name).scoring(scoring.gap_open, scoring.gap_extend);
    nwgpu::Sequences const queries{context, query_texts}, targets{context, target_texts};
    nwgpu::Result const result = context.align(queries, targets, scoring, options);
    for (std::uint64_t entry = 0; entry < result.count(); ++entry)
        print_entry(section, result, entry, options.output == NWGPU_OUTPUT_CIGAR);
}

} // namespace

int main(int count, char ** arguments)
try {
    if (count != 2)
        return 1;
    std::ifstream file{arguments[1]};
    nwgpu_context_options options = NWGPU_CONTEXT_OPTIONS_INIT;
    options.backend = NWGPU_BACKEND_CPU;
    options.cpu_threads = 2;
    nwgpu::Context context{options};
    for (std::string line; std::getline(file, line);)
        run_section(context, std::istringstream{line}, file);
} catch (std::exception const & failure) {
    std::cout << "failed: " << failure.what() << '\n';
    return 1;
}
