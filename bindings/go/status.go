// SPDX-License-Identifier: BSD-3-Clause

package nwgpu

// #include <nwgpu/nwgpu.h>
import "C"

import (
	"context"
	"math"
	"sync"
)

// A Status says what happened to a call or to a pair, as nwgpu.h does.  It is an error that errors.Is finds in an
// *Error.  Later libraries may have statuses that are not named here.
type Status int32

const (
	OK                Status = C.NWGPU_OK
	InvalidArgument   Status = C.NWGPU_ERROR_INVALID_ARGUMENT
	InvalidSequence   Status = C.NWGPU_ERROR_INVALID_SEQUENCE // a letter outside the alphabet
	Unsupported       Status = C.NWGPU_ERROR_UNSUPPORTED      // valid, but not in this build or on this device
	TooLarge          Status = C.NWGPU_ERROR_TOO_LARGE
	InvalidMatrix     Status = C.NWGPU_ERROR_INVALID_MATRIX
	NotFound          Status = C.NWGPU_ERROR_NOT_FOUND
	Busy              Status = C.NWGPU_ERROR_BUSY
	OutOfHostMemory   Status = C.NWGPU_ERROR_OUT_OF_HOST_MEMORY
	OutOfDeviceMemory Status = C.NWGPU_ERROR_OUT_OF_DEVICE_MEMORY
	MemoryLimit       Status = C.NWGPU_ERROR_MEMORY_LIMIT // more than ContextOptions allow would be needed
	NoDevice          Status = C.NWGPU_ERROR_NO_DEVICE
	DeviceFailed      Status = C.NWGPU_ERROR_DEVICE      // a CUDA call failed: see Error.CUDACode
	DeviceLost        Status = C.NWGPU_ERROR_DEVICE_LOST // close this context, and make a new one
	Cancelled         Status = C.NWGPU_ERROR_CANCELLED
	NoTrace           Status = C.NWGPU_ERROR_NO_TRACE // no CIGARs were asked for
	CheckpointFailed  Status = C.NWGPU_ERROR_CHECKPOINT
	DeadlineExceeded  Status = C.NWGPU_ERROR_DEADLINE
	CallbackFailed    Status = C.NWGPU_ERROR_CALLBACK
	RankFailed        Status = C.NWGPU_ERROR_COMMUNICATION // or a message did not get there
	BelowMinScore     Status = C.NWGPU_BELOW_MIN_SCORE     // of a pair: the answer to Options.MinScore
	Internal          Status = C.NWGPU_ERROR_INTERNAL
)

// String gives the name that nwgpu.h has: "NWGPU_ERROR_DEVICE".
func (s Status) String() string { return C.GoString(C.nwgpu_status_name(C.nwgpu_status(s))) }

func (s Status) Error() string { return s.String() }

// An Error is a call that failed as a whole, or why a pair failed.
type Error struct {
	Status   Status
	Pair     int   // the offending pair, or -1
	CUDACode int32 // a cudaError_t, or 0
	Message  string
	cause    error // of the context.Context that ended the call
}

func (e *Error) Error() string {
	if e.Message == "" {
		return e.Status.String()
	}
	return e.Message + " (" + e.Status.String() + ")"
}

// Is reports whether target is the status of this error.
func (e *Error) Is(target error) bool {
	status, ok := target.(Status)
	return ok && status == e.Status
}

// Unwrap gives context.Canceled or context.DeadlineExceeded where a context.Context ended the call.
func (e *Error) Unwrap() error { return e.cause }

func cancelledBy(ctx context.Context, message string) *Error {
	status := Cancelled
	if ctx.Err() == context.DeadlineExceeded {
		status = DeadlineExceeded
	}
	return &Error{Status: status, Pair: -1, Message: message, cause: ctx.Err()}
}

// failure is what the library writes about a call that failed.
type failure C.nwgpu_error

// failures are kept for the next call: a call that succeeds leaves them as they were.
var failures = sync.Pool{New: func() any {
	return &failure{struct_size: C.sizeof_nwgpu_error, pair_index: math.MaxUint64}
}}

func newFailure() *failure { return failures.Get().(*failure) }

func (f *failure) raw() *C.nwgpu_error { return (*C.nwgpu_error)(f) }

func (f *failure) error() *Error {
	pair := -1
	if f.pair_index <= math.MaxInt {
		pair = int(f.pair_index)
	}
	return &Error{Status: Status(f.status), Pair: pair, CUDACode: int32(f.cuda_code), Message: C.GoString(&f.message[0])}
}

// check turns a status into an error, nil for OK, and ends the use of f.
func check(status C.nwgpu_status, f *failure) error {
	defer failures.Put(f)
	if status == C.NWGPU_OK {
		return nil
	}
	return f.error()
}
