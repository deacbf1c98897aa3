// SPDX-License-Identifier: BSD-3-Clause
// nwgpu algorithms: the published algorithms that --algorithm can name, as a table.
#include "commands.hpp"

#include "failure.hpp"

#include <nwgpu/nwgpu.hpp>

#include <cstdio>

namespace cli {

namespace {

std::string modes(nwgpu_algorithm_info const & algorithm)
{
    std::string names;
    for (auto const & [mode, name] : {std::pair(NWGPU_MODE_GLOBAL, "global"), {NWGPU_MODE_LOCAL, "local"}})
        if ((algorithm.modes >> mode & 1) != 0)
            names.append(names.empty() ? "" : ",").append(name);
    return names;
}

std::string or_dash(char const * text) { return *text != '\0' ? text : "-"; }

} // namespace

// Tab-separated, to be cut and sorted by other tools.
int algorithms_command()
{
    std::printf("name\tpaper\tbackend\tgaps\tmodes\tfinds\ttrace\tparameters\tlimits\tsummary\n");
    for (std::uint64_t i = 0; i < nwgpu_algorithm_count(); ++i) {
        nwgpu_algorithm_info const algorithm = nwgpu::describe_algorithm(i);
        std::printf("%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", algorithm.name, algorithm.paper,
                    algorithm.backend == NWGPU_BACKEND_CPU ? "cpu" : "cuda",
                    algorithm.affine != 0 ? "affine" : "linear", modes(algorithm).c_str(),
                    algorithm.output == NWGPU_OUTPUT_CIGAR ? "path" : "end", algorithm.trace,
                    or_dash(algorithm.parameters).c_str(), algorithm.limits, algorithm.summary);
    }
    if (std::fflush(stdout) != 0)
        throw system_failure("standard output");
    return exit_ok;
}

} // namespace cli
