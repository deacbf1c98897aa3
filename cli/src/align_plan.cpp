// SPDX-License-Identifier: BSD-3-Clause
// Sums of what the library says of each batch.
#include "align_plan.hpp"

#include "failure.hpp"

#include <algorithm>
#include <cstdio>

namespace cli {

void print_plan(AlignOptions const & options, Pairing & pairing, Engine & engine)
{
    nwgpu_estimate sum{};
    Batch batch;
    std::string first_plan;
    while (pairing.next(batch)) {
        nwgpu_estimate const estimate = engine.estimate(batch);
        if (sum.pairs == 0)
            first_plan = estimate.plan;
        sum.pairs += estimate.pairs;
        sum.cells += estimate.cells;
        sum.seconds += estimate.seconds;
        sum.host_bytes = std::max(sum.host_bytes, estimate.host_bytes);
        sum.device_bytes = std::max(sum.device_bytes, estimate.device_bytes);
    }
    constexpr double mega = 1 << 20;
    std::printf("pairs          %llu\ncells          %.4g\nseconds        %.3g\nhost memory    %.1f MiB\n"
                "device memory  %.1f MiB\nmachine        %s\n",
                static_cast<unsigned long long>(sum.pairs), static_cast<double>(sum.cells), sum.seconds,
                static_cast<double>(sum.host_bytes) / mega, static_cast<double>(sum.device_bytes) / mega,
                engine.backend().c_str());
    if (options.report.verbose)
        std::printf("%s\n", first_plan.c_str());
    if (std::fflush(stdout) != 0)
        throw system_failure("standard output");
}

} // namespace cli
