// SPDX-License-Identifier: BSD-3-Clause

// Package nwgpu is exact pairwise sequence alignment on CPU and GPU, with libnwgpu: Needleman-Wunsch, Smith-Waterman and
// everything between, for sequences of any length, the full alignment in linear memory, and the same answer everywhere.
//
// A call takes whole batches.  A pair that cannot be aligned, because of a letter outside the alphabet or a limit of
// memory, harms no other: its entry in the Result has an error of its own, and a score of 0.
//
// A context.Context ends a call within 100 ms; the *Error then wraps context.Canceled or context.DeadlineExceeded.  The
// package never calls Go from C.
//
// # Memory
//
// Context, Sequences, Result and HostMemory own memory of C.  Close gives it back at once; else a finalizer does,
// sometime after the last use of the value.  Close may be called again, and in any order.  Slices that a Result gives
// (and CIGARs, which are such slices) lie in that memory, uncopied: they are valid until Close, and only for as long as
// the Result itself is reachable.  A deferred Close keeps it so:
//
//	result, err := c.Align(ctx, queries, targets, options)
//	if err != nil {
//		return err
//	}
//	defer result.Close()
//	for i, score := range result.Scores() { ... }
//
// # Goroutines
//
// Goroutines may share a Context: its calls wait for each other.  They may share Sequences, and read one Result at the
// same time.  Close of Sequences and Result must not run beside their use.
package nwgpu

// #include <nwgpu/nwgpu.h>
import "C"

// Version is that of the loaded library, such as "0.1.0".
func Version() string { return C.GoString(C.nwgpu_version_string()) }

// BuildInfo tells what the loaded library was built with: "cuda=none cpu=avx3,avx2,sse4,sse2".
func BuildInfo() string { return C.GoString(C.nwgpu_build_info()) }
