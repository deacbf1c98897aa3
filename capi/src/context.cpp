// SPDX-License-Identifier: BSD-3-Clause
// Section 5 of nwgpu.h: contexts and devices.
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

nwgpu_status nwgpu_context_serve(nwgpu_context * context, nwgpu_error * error)
{
    return guard(error, [&] {
        Call const call{require(context, "context").call};
        context->aligner.serve([&] { return !context->call.cancelled(); });
    });
}

char const * nwgpu_context_backend_name(nwgpu_context const * context) { return context ? context->name.c_str() : ""; }

int32_t nwgpu_context_threads(nwgpu_context const * context)
{
    return context ? context->aligner.backend().threads() : 0;
}

nwgpu_status nwgpu_context_trim(nwgpu_context * context, nwgpu_error * error)
{
    return guard(error, [&] {
        Call const call{require(context, "context").call};
        context->aligner.trim();
    });
}

void nwgpu_context_cancel(nwgpu_context * context)
{
    if (context)
        context->call.cancel();
}

uint64_t nwgpu_device_count(int32_t backend)
{
    uint64_t count = 0;
    guard(nullptr, [&] { count = static_cast<uint64_t>(device_count(to_backend(backend))); });
    return count;
}

nwgpu_status nwgpu_device_describe(int32_t backend, uint64_t index, nwgpu_device_info * info, nwgpu_error * error)
{
    return guard(error, [&] {
        check_struct_size(require(info, "info"), "info");
        BackendKind const kind = resolve(to_backend(backend));
        uint64_t const count = static_cast<uint64_t>(device_count(kind));
        if (count == 0)
            throw Error{Status::no_device, why_no_device()};
        if (index >= count)
            throw Error{Status::no_device, "there is no device " + std::to_string(index) + ", but " +
                                               std::to_string(count) + " from 0 on"};
        nwgpu_device_info result{};
        result.backend = static_cast<int32_t>(kind);
        result.memory_bytes = device_bytes(kind, static_cast<int>(index));
        copy_text(describe_device(kind, static_cast<int>(index)), result.summary, sizeof result.summary);
        write_struct(*info, result);
    });
}
