// SPDX-License-Identifier: BSD-3-Clause

package nwgpu

// #include "call.h"
import "C"

import "unsafe"

// handle is an address in memory of C, which cgo does not look at.
func handle(pointer unsafe.Pointer) C.nwgpu_go_handle { return C.nwgpu_go_handle(uintptr(pointer)) }

// pointer sees a value as another type of the same layout: C's uint64_t as uint64, nwgpu_pair as Pair.
func pointer[To, From any](from *From) *To { return (*To)(unsafe.Pointer(from)) }

// over is a slice over n values in memory of C.
func over[Go, C any](begin *C, n int) []Go {
	if begin == nil {
		return nil
	}
	return unsafe.Slice(pointer[Go](begin), n)
}

// first points to the first element of a slice, or is nil where there is none.
func first[C, Go any](slice []Go) *C {
	if len(slice) == 0 {
		return nil
	}
	return pointer[C](&slice[0])
}
