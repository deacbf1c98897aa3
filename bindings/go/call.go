// SPDX-License-Identifier: BSD-3-Clause

package nwgpu

// #include "call.h"
// #include <stdlib.h>
import "C"

import (
	"context"
	"math"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"
)

// A callOwner owns what C is told and what it gives, in memory of C.
type callOwner struct{ call *C.nwgpu_go_call }

// calls are kept for the next call.
var calls = sync.Pool{New: func() any {
	o := &callOwner{(*C.nwgpu_go_call)(C.malloc(C.sizeof_nwgpu_go_call))}
	*o.call = C.nwgpu_go_call{}
	o.call.error.struct_size, o.call.error.pair_index = C.sizeof_nwgpu_error, math.MaxUint64
	runtime.SetFinalizer(o, func(o *callOwner) { C.free(unsafe.Pointer(o.call)) })
	return o
}}

// newCall gives a call, until release; what an earlier one was told may still stand there.
func newCall() (*C.nwgpu_go_call, *callOwner) {
	o := calls.Get().(*callOwner)
	return o.call, o
}

// handle is valid until release.
func (o *callOwner) handle() C.nwgpu_go_handle { return handle(unsafe.Pointer(o.call)) }

func (o *callOwner) release() {
	if folder := o.call.checkpoint.folder; folder != nil {
		C.free(unsafe.Pointer(folder))
		o.call.checkpoint.folder = nil
	}
	calls.Put(o)
}

// call fills in what C is told; release ends its use.
func (o *Options) call() (*C.nwgpu_go_call, *callOwner, error) {
	scoring, err := o.Scoring.raw()
	if err != nil {
		return nil, nil, err
	}
	if o.AllPairs && o.Pairs != nil {
		return nil, nil, &Error{Status: InvalidArgument, Pair: -1, Message: "AllPairs and Pairs exclude each other"}
	}
	call, owner := newCall()
	call.scoring, call.band, call.top, call.checkpoint = scoring, C.nwgpu_band{}, C.nwgpu_top{}, C.nwgpu_checkpoint{}
	call.best = C.nwgpu_best{}
	call.has_min_score, call.has_progress, call.progress = 0, 0, C.struct_nwgpu_go_progress{}
	call.options = C.nwgpu_align_options{
		struct_size: C.sizeof_nwgpu_align_options,
		mode:        C.int32_t(o.Mode), free_ends: C.int32_t(o.FreeEnds), output: C.int32_t(o.Output),
		cigar_style: C.int32_t(o.CIGARStyle), ties: C.int32_t(o.Ties),
	}
	switch {
	case o.AllPairs:
		call.options.pairing = C.NWGPU_PAIRING_ALL
	case o.Pairs != nil:
		call.options.pairing = C.NWGPU_PAIRING_LIST
	}
	if o.EveryCell {
		call.options.every_cell = 1
	}
	if o.Band != nil {
		call.band = C.nwgpu_band{C.sizeof_nwgpu_band, C.int64_t(o.Band.Lower), C.int64_t(o.Band.Upper)}
	}
	if o.Top != 0 && o.Top != 1 {
		call.top = C.nwgpu_top{C.sizeof_nwgpu_top, C.uint64_t(o.Top)}
	}
	if o.Best != nil {
		call.best.struct_size, call.best.targets = C.sizeof_nwgpu_best, C.uint64_t(o.Best.Targets)
		if o.Best.AllEqual {
			call.best.all_equal = 1
		}
	}
	if o.MinScore != nil {
		call.min_score, call.has_min_score = C.int64_t(*o.MinScore), 1
	}
	if o.Checkpoint != nil {
		call.checkpoint.struct_size = C.sizeof_nwgpu_checkpoint
		call.checkpoint.folder = C.CString(o.Checkpoint.Folder)
		call.checkpoint.seconds = C.double(o.Checkpoint.Every.Seconds())
		if o.Checkpoint.Resume {
			call.checkpoint.resume = 1
		}
	}
	if o.Progress != nil {
		call.has_progress = 1
	}
	return call, owner, nil
}

// made makes a call when no other runs, watches it, and owns what it gives.
func (c *Context) made(ctx context.Context, call *C.nwgpu_go_call, progress func(done, total uint64),
	function func() C.nwgpu_status) (*Result, error) {
	if err := c.begin(ctx); err != nil {
		return nil, err
	}
	defer c.end()
	var status C.nwgpu_status
	if ctx.Done() == nil && progress == nil {
		status = function()
	} else {
		stop := c.watch(ctx, call, progress)
		status = function()
		stop()
	}
	if status != C.NWGPU_OK {
		err := (*failure)(&call.error).error()
		if err.Status == Cancelled && ctx.Err() != nil {
			err = cancelledBy(ctx, err.Message)
		}
		return nil, err
	}
	return newResult(call), nil
}

// watch ends the call that is about to be made when ctx ends, and tells its progress, until it is stopped.
func (c *Context) watch(ctx context.Context, call *C.nwgpu_go_call, progress func(done, total uint64)) (stop func()) {
	ended, left := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(left)
		const often, tell = time.Millisecond, 100 * time.Millisecond
		var ticks <-chan time.Time
		done := ctx.Done()
		tick := func(every time.Duration) {
			ticker := time.NewTicker(every)
			ticks = ticker.C
			go func() { <-ended; ticker.Stop() }()
		}
		if progress != nil {
			tick(tell)
		}
		for {
			select {
			case <-ended:
				return
			case <-done:
				done = nil
				tick(often)
			case <-ticks:
			}
			if done == nil { // the call may not have begun: asks again until it has ended
				C.nwgpu_context_cancel(c.handle)
			}
			if progress != nil {
				now := atomic.LoadUint64((*uint64)(&call.progress.done))
				if total := atomic.LoadUint64((*uint64)(&call.progress.total)); total > 0 {
					progress(now, total)
				}
			}
		}
	}()
	return func() {
		close(ended)
		<-left
	}
}
