// SPDX-License-Identifier: BSD-3-Clause
// The headers from C++, the library at run time: their versions have to agree, and an alignment comes out.
#include <nwgpu/nwgpu.hpp>

#include <iostream>
#include <string>
#include <vector>

namespace {

std::string align(std::string const & query, std::string const & target)
{
    nwgpu::Context context;
    nwgpu_scoring scoring = NWGPU_SCORING_INIT;
    scoring.match = 2;
    scoring.mismatch = 4;
    scoring.gap_open = 4;
    scoring.gap_extend = 2;
    nwgpu_align_options options = NWGPU_ALIGN_OPTIONS_INIT;
    options.output = NWGPU_OUTPUT_CIGAR;
    nwgpu::Sequences const queries{context, std::vector{query}}, targets{context, std::vector{target}};
    nwgpu::Result const result = context.align(queries, targets, scoring, options);
    return "score " + std::to_string(result.scores()[0]) + ", CIGAR " + nwgpu::to_string(result.cigar(0));
}

} // namespace

int main()
try {
    std::string const header = std::to_string(NWGPU_VERSION_MAJOR) + "." + std::to_string(NWGPU_VERSION_MINOR) + "." +
                               std::to_string(NWGPU_VERSION_PATCH);
    std::string const alignment = align("GATTACA", "GATACA");
    std::cout << "header " << header << ", library " << nwgpu_version_string() << ", " << alignment << "\n";
    bool const same_version = header == nwgpu_version_string() && nwgpu_abi_version() == NWGPU_ABI_VERSION;
    return same_version && alignment == "score 6, CIGAR 2=1I4=" ? 0 : 1;
} catch (nwgpu::Error const & error) {
    std::cerr << error.what() << "\n";
    return 1;
}
