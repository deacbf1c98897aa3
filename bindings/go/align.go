// SPDX-License-Identifier: BSD-3-Clause

package nwgpu

// #include "call.h"
import "C"

import (
	"context"
	"runtime"
)

// Align aligns queries with targets, as the options say.  A pair that fails has its own error in the Result.  Errors of
// the call as a whole: InvalidArgument, Unsupported, TooLarge, MemoryLimit or OutOfHostMemory, Cancelled,
// DeadlineExceeded, CheckpointFailed, DeviceFailed, DeviceLost.
func (c *Context) Align(ctx context.Context, queries, targets *Sequences, o Options) (*Result, error) {
	call, owner, err := o.call()
	if err != nil {
		return nil, err
	}
	defer owner.release()
	return c.made(ctx, call, o.Progress, func() C.nwgpu_status {
		status := C.nwgpu_go_align(c.number(), queries.handle(), targets.handle(), first[C.nwgpu_pair](o.Pairs),
			C.uint64_t(len(o.Pairs)), owner.handle())
		runtime.KeepAlive(queries)
		runtime.KeepAlive(targets)
		runtime.KeepAlive(o.Scoring.Matrix)
		return status
	})
}

// Traceback finds the CIGARs of entries of an earlier result of Align with the same sequences: of all where entries is
// nil.  Entry k of the new result stands for entries[k]; the earlier result stays as it is.  Errors: as Align;
// InvalidArgument for other sequences.
func (c *Context) Traceback(ctx context.Context, queries, targets *Sequences, r *Result,
	entries []uint64) (*Result, error) {
	call, owner := newCall()
	defer owner.release()
	chosen := entries
	if entries != nil && len(entries) == 0 {
		chosen = []uint64{0} // a pointer that is not NULL says that none are chosen
	}
	return c.made(ctx, call, nil, func() C.nwgpu_status {
		status := C.nwgpu_go_traceback(c.number(), queries.handle(), targets.handle(), r.handle(), first[C.uint64_t](chosen),
			C.uint64_t(len(entries)), owner.handle())
		runtime.KeepAlive(queries)
		runtime.KeepAlive(targets)
		runtime.KeepAlive(r)
		return status
	})
}

// An Estimate tells what a call would take: the bytes are upper bounds that it keeps to, the seconds a prediction.
type Estimate struct {
	Pairs, Cells           uint64
	HostBytes, DeviceBytes uint64
	Seconds                float64
	Plan                   string // a line per group of pairs, for people
}

// Estimate tells what Align with the same arguments would take; it computes some milliseconds to measure that.
func (c *Context) Estimate(ctx context.Context, queries, targets *Sequences, o Options) (Estimate, error) {
	o.Progress = nil
	call, owner, err := o.call()
	if err != nil {
		return Estimate{}, err
	}
	defer owner.release()
	if err := c.begin(ctx); err != nil {
		return Estimate{}, err
	}
	defer c.end()
	var e C.nwgpu_estimate
	status := C.nwgpu_go_estimate(c.number(), queries.handle(), targets.handle(), first[C.nwgpu_pair](o.Pairs),
		C.uint64_t(len(o.Pairs)), owner.handle(), &e)
	runtime.KeepAlive(queries)
	runtime.KeepAlive(targets)
	runtime.KeepAlive(o.Scoring.Matrix)
	if status != C.NWGPU_OK {
		return Estimate{}, (*failure)(&call.error).error()
	}
	return Estimate{uint64(e.pairs), uint64(e.cells), uint64(e.host_bytes), uint64(e.device_bytes), float64(e.seconds),
		C.GoString(&e.plan[0])}, nil
}
