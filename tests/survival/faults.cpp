// SPDX-License-Identifier: BSD-3-Clause
// What the program defines comes before what libraries define, as with LD_PRELOAD, and needs no environment.
#include "faults.hpp"

#include <atomic>
#include <cerrno>
#include <climits>
#include <cstddef>

#include <dlfcn.h>
#include <pthread.h>

namespace nwgpu::test::faults {

namespace {

constinit std::atomic<long> allowed{LONG_MAX}, threads{LONG_MAX}, known{0};
constinit std::atomic<bool> once{false}, faulted{false};

// Whether this allocation is to fail.
bool fails()
{
    if (allowed.load(std::memory_order_relaxed) == LONG_MAX)
        return false;
    long const left = allowed.fetch_sub(1) - 1;
    bool const now = once ? left == 0 : left <= 0;
    if (now) {
        faulted = true;
        errno = ENOMEM;
    }
    return now;
}

void * counted(void * memory)
{
    if (memory)
        known.fetch_add(1, std::memory_order_relaxed);
    return memory;
}

} // namespace

void fail_allocation(long n, bool and_later)
{
    once = !and_later;
    faulted = false;
    allowed = n;
}

void allow_threads(long count)
{
    faulted = false;
    threads = count;
}

bool end()
{
    allowed = LONG_MAX;
    threads = LONG_MAX;
    return faulted;
}

long blocks() { return known; }

} // namespace nwgpu::test::faults

using namespace nwgpu::test::faults;

#pragma GCC visibility push(default)
extern "C" {

// The C library's own functions, under their other names.
void * __libc_malloc(std::size_t bytes);
void * __libc_calloc(std::size_t count, std::size_t bytes);
void * __libc_realloc(void * memory, std::size_t bytes);
void * __libc_memalign(std::size_t alignment, std::size_t bytes);
void __libc_free(void * memory);

void * malloc(std::size_t bytes) { return fails() ? nullptr : counted(__libc_malloc(bytes)); }

void * calloc(std::size_t count, std::size_t bytes) { return fails() ? nullptr : counted(__libc_calloc(count, bytes)); }

void * realloc(void * memory, std::size_t bytes)
{
    if (fails())
        return nullptr;
    void * const moved = __libc_realloc(memory, bytes);
    if (!memory)
        counted(moved);
    else if (!moved && bytes == 0)
        known.fetch_sub(1, std::memory_order_relaxed);
    return moved;
}

void * memalign(std::size_t alignment, std::size_t bytes)
{
    return fails() ? nullptr : counted(__libc_memalign(alignment, bytes));
}

void * aligned_alloc(std::size_t alignment, std::size_t bytes) { return memalign(alignment, bytes); }

int posix_memalign(void ** memory, std::size_t alignment, std::size_t bytes)
{
    *memory = memalign(alignment, bytes);
    return *memory ? 0 : ENOMEM;
}

void free(void * memory)
{
    if (memory)
        known.fetch_sub(1, std::memory_order_relaxed);
    __libc_free(memory);
}

int pthread_create(pthread_t * thread, pthread_attr_t const * attributes, void * (*start)(void *), void * argument)
{
    using Create = decltype(&pthread_create);
    static Create const real = reinterpret_cast<Create>(dlsym(RTLD_NEXT, "pthread_create"));
    if (threads.load() != LONG_MAX && threads.fetch_sub(1) <= 0) {
        faulted = true;
        return EAGAIN;
    }
    return real(thread, attributes, start, argument);
}

} // extern "C"
#pragma GCC visibility pop
