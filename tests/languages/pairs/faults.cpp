// SPDX-License-Identifier: BSD-3-Clause
// For LD_PRELOAD: of the calls of operator new that libnwgpu or the compiled half of the Python package makes itself,
// number NWGPU_FAIL_AT fails, counted from 1 (0: none).  How many there were is kept in the file NWGPU_COUNT_FILE.  The
// program's own calls are let alone.
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>

#include <dlfcn.h>
#include <fcntl.h>
#include <unistd.h>

namespace {

bool is_of_library(void * caller)
{
    Dl_info info{};
    return dladdr(caller, &info) != 0 && info.dli_fname &&
           (std::strstr(info.dli_fname, "libnwgpu.so") || std::strstr(info.dli_fname, "/nwgpu/_core."));
}

// Kept at every call: programs of Go end without destructors.
void keep(long count)
{
    static char const * const name = std::getenv("NWGPU_COUNT_FILE");
    static int const file = name ? open(name, O_WRONLY | O_CREAT | O_TRUNC, 0600) : -1;
    char text[32];
    int const length = std::snprintf(text, sizeof text, "%19ld\n", count);
    if (file >= 0 && pwrite(file, text, static_cast<std::size_t>(length), 0) != length)
        std::abort();
}

void * allocate(std::size_t size, std::size_t alignment, void * caller)
{
    static std::atomic<long> calls{0};
    static long const fail_at = std::getenv("NWGPU_FAIL_AT") ? std::atol(std::getenv("NWGPU_FAIL_AT")) : 0;
    if (is_of_library(caller)) {
        long const count = ++calls;
        keep(count);
        if (count == fail_at)
            return nullptr;
    }
    return std::aligned_alloc(alignment, (size + alignment) / alignment * alignment);
}

void * allocate_or_throw(std::size_t size, std::size_t alignment, void * caller)
{
    if (void * const memory = allocate(size, alignment, caller))
        return memory;
    throw std::bad_alloc{};
}

constexpr std::size_t usual = 16;

} // namespace

// clang-format off
#define CALLER __builtin_return_address(0)
void * operator new(std::size_t size) { return allocate_or_throw(size, usual, CALLER); }
void * operator new[](std::size_t size) { return allocate_or_throw(size, usual, CALLER); }
void * operator new(std::size_t size, std::align_val_t at) { return allocate_or_throw(size, std::size_t(at), CALLER); }
void * operator new[](std::size_t size, std::align_val_t at) { return allocate_or_throw(size, std::size_t(at), CALLER); }
void * operator new(std::size_t size, std::nothrow_t const &) noexcept { return allocate(size, usual, CALLER); }
void * operator new[](std::size_t size, std::nothrow_t const &) noexcept { return allocate(size, usual, CALLER); }
void operator delete(void * memory) noexcept { std::free(memory); }
void operator delete[](void * memory) noexcept { std::free(memory); }
void operator delete(void * memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void * memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void * memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void * memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void * memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void * memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
// clang-format on
