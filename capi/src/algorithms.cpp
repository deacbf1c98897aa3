// SPDX-License-Identifier: BSD-3-Clause
// nwgpu_experimental.h: published algorithms.
#include <vector>

#include "guard.hpp"
#include "handles.hpp"
#include "nwgpu/nwgpu_experimental.h"
#include "published/registry.hpp"
#include "structs.hpp"

using namespace nwgpu;
using namespace nwgpu::capi;

namespace {

// Kept for good: the caller gets pointers into it.
std::string const & parameters_of(std::size_t index)
{
    static std::vector<std::string> const texts = [] {
        std::vector<std::string> all;
        for (published::Algorithm const & algorithm : published::algorithms())
            all.push_back(published::describe_values(published::parse_choice(algorithm.name)));
        return all;
    }();
    return texts[index];
}

char const * name_of(published::Trace trace)
{
    return trace == published::Trace::none ? "none" : trace == published::Trace::plain ? "plain" : "sparse";
}

} // namespace

uint64_t nwgpu_algorithm_count(void) { return published::algorithms().size(); }

nwgpu_status nwgpu_algorithm_describe(uint64_t index, nwgpu_algorithm_info * info, nwgpu_error * error)
{
    return guard(error, [&] {
        check_struct_size(require(info, "info"), "info");
        if (index >= nwgpu_algorithm_count())
            throw Error{Status::not_found, "there are " + std::to_string(nwgpu_algorithm_count()) + " algorithms"};
        published::Algorithm const & known = published::algorithms()[index];
        nwgpu_algorithm_info result{};
        result.backend = known.processor == published::Processor::cpu ? NWGPU_BACKEND_CPU : NWGPU_BACKEND_CUDA;
        result.affine = known.affine;
        result.modes = (known.global ? 1 << NWGPU_MODE_GLOBAL : 0) | (known.local ? 1 << NWGPU_MODE_LOCAL : 0);
        result.output = static_cast<std::int32_t>(known.output);
        result.name = known.name;
        result.paper = known.paper;
        result.trace = name_of(known.trace);
        result.parameters = parameters_of(index).c_str();
        result.limits = known.limits;
        result.summary = known.summary;
        write_struct(*info, result);
    });
}

nwgpu_status nwgpu_context_set_algorithm(nwgpu_context * context, char const * algorithm, nwgpu_error * error)
{
    return guard(error, [&] {
        Call const call{require(context, "context").call};
        if (algorithm)
            published::parse_choice(algorithm); // throws for one that there is not
        context->algorithm = algorithm ? algorithm : "";
    });
}
