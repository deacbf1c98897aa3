// SPDX-License-Identifier: BSD-3-Clause
// Section 4 of nwgpu.h: contexts and devices.
#include "guard.hpp"
#include "handles.hpp"
#include "structs.hpp"

using namespace nwgpu;
using namespace nwgpu::capi;

nwgpu_status nwgpu_context_create(nwgpu_context_options const * options, nwgpu_context ** context, nwgpu_error * error)
{
    return guard(error, [&] {
        require(context, "context");
        *context = new nwgpu_context{to_aligner_options(options)};
    });
}

void nwgpu_context_destroy(nwgpu_context * context) { delete context; }

char const * nwgpu_context_backend_name(nwgpu_context const * context) { return context->name.c_str(); }

int32_t nwgpu_context_threads(nwgpu_context const * context) { return context->aligner.backend().threads(); }

nwgpu_status nwgpu_context_trim(nwgpu_context * context, nwgpu_error * error)
{
    return guard(error, [&] { require(context, "context").aligner.trim(); });
}

nwgpu_status nwgpu_device_count(int32_t backend, int32_t * count, nwgpu_error * error)
{
    return guard(error, [&] {
        require(count, "count");
        *count = device_count(to_backend(backend));
        if (*count == 0)
            fill_error(error, Status::ok, why_no_device().c_str());
    });
}

size_t nwgpu_device_describe(int32_t backend, int32_t device, char * text, size_t size)
{
    size_t length = 0;
    guard(nullptr, [&] { length = copy_text(describe_device(to_backend(backend), device), text, size); });
    return length;
}
