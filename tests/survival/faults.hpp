// SPDX-License-Identifier: BSD-3-Clause
// Faults on demand: this program's malloc and pthread_create take the place of the system's, in the library, too.
#pragma once

namespace nwgpu::test::faults {

// From now on allocation `n` of any thread fails, counted from 1; and with `and_later` all that follow it.
void fail_allocation(long n, bool and_later);
// From now on no more than `count` threads can be started.
void allow_threads(long count);
// No more faults.  Returns whether there was one.
bool end();

// Blocks of memory that were allocated and not freed.
long blocks();

} // namespace nwgpu::test::faults
