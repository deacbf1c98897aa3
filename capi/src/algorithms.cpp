// SPDX-License-Identifier: BSD-3-Clause
// The list of published algorithms, of section 4 of nwgpu.h.
#include <vector>

#include "guard.hpp"
#include "nwgpu/nwgpu.h"
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

size_t nwgpu_algorithm_count(void) { return published::algorithms().size(); }

nwgpu_status nwgpu_algorithm_info(size_t index, nwgpu_algorithm * algorithm, nwgpu_error * error)
{
    return guard(error, [&] {
        check_struct_size(require(algorithm, "algorithm").struct_size, "algorithm");
        if (index >= nwgpu_algorithm_count())
            throw Error{Status::not_found, "there are " + std::to_string(nwgpu_algorithm_count()) + " algorithms"};
        published::Algorithm const & known = published::algorithms()[index];
        nwgpu_algorithm result{};
        result.backend = known.processor == published::Processor::cpu ? NWGPU_BACKEND_CPU : NWGPU_BACKEND_CUDA;
        result.affine = known.affine;
        result.spans = (known.global ? 1u << NWGPU_SPAN_GLOBAL : 0) | (known.local ? 1u << NWGPU_SPAN_LOCAL : 0);
        result.output = static_cast<std::int32_t>(known.output);
        result.name = known.name;
        result.paper = known.paper;
        result.trace = name_of(known.trace);
        result.parameters = parameters_of(index).c_str();
        result.limits = known.limits;
        result.summary = known.summary;
        write_struct(*algorithm, result);
    });
}
