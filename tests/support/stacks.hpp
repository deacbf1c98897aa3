// SPDX-License-Identifier: BSD-3-Clause
// From one stack to another within a thread.  swapcontext() does it everywhere, but asks the system for the signals
// each time; emulated kernels switch millions of times.
#pragma once

#include <cstddef>
#include <cstdint>

#if !defined __x86_64__ || defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__ // which know swapcontext()
#include <ucontext.h>
#endif

namespace nwgpu::test {

#if !defined __x86_64__ || defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__

struct Place {
    ucontext_t context;
};
inline void go(Place & here, Place const & there) { swapcontext(&here.context, &there.context); }
inline void begin_at(Place & place, char * stack, std::size_t bytes, void (*function)())
{
    getcontext(&place.context);
    place.context.uc_stack.ss_sp = stack;
    place.context.uc_stack.ss_size = bytes;
    place.context.uc_link = nullptr;
    makecontext(&place.context, function, 0);
}

#else

// Where a stack has been left: on it lie where to go on, and the register that the compiler does not save around go().
struct Place {
    void * top;
};
// Leaves `here`, which somebody may go to later.  Nothing is called and nothing returns, or processors would expect
// each return on another stack than it comes on.
[[gnu::always_inline]] inline void go(Place & here, Place const & there)
{
    void ** from = &here.top;
    void * to = there.top;
    asm volatile("leaq -128(%%rsp), %%rsp\n\t" // what functions without calls may use
                 "pushq %%rbp\n\t"
                 "leaq 1f(%%rip), %%rax\n\t"
                 "pushq %%rax\n\t"
                 "movq %%rsp, (%0)\n\t"
                 "movq %1, %%rsp\n\t"
                 "popq %%rax\n\t"
                 "popq %%rbp\n\t"
                 "jmp *%%rax\n"
                 "1:\tleaq 128(%%rsp), %%rsp"
                 : "+D"(from), "+S"(to)
                 :
                 : "rax", "rbx", "rcx", "rdx", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "xmm0", "xmm1",
                   "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13",
                   "xmm14", "xmm15",
#ifdef __AVX512F__
                   "xmm16", "xmm17", "xmm18", "xmm19", "xmm20", "xmm21", "xmm22", "xmm23", "xmm24", "xmm25", "xmm26",
                   "xmm27", "xmm28", "xmm29", "xmm30", "xmm31", "k1", "k2", "k3", "k4", "k5", "k6", "k7",
#endif
                   "cc", "memory");
}
// Who goes to `place` enters a function that never returns.
inline void begin_at(Place & place, char * stack, std::size_t bytes, void (*function)())
{
    auto const end = (reinterpret_cast<std::uintptr_t>(stack) + bytes) / 16 * 16;
    void ** const top = reinterpret_cast<void **>(end) - 3; // aligned as a call leaves it
    top[0] = reinterpret_cast<void *>(function);
    top[1] = top[2] = nullptr;
    place.top = top;
}

#endif

} // namespace nwgpu::test
