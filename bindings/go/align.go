// SPDX-License-Identifier: BSD-3-Clause

package nwgpu

// #include <nwgpu/nwgpu.h>
// #include <stdlib.h>
//
// /* What a call is told and what it gives, in one piece of Go's memory: cgo lets no pointer to Go's memory lie in it, so
//  * pointers between the structs are set on C's stack. */
// typedef struct nwgpu_go_call {
//     nwgpu_scoring       scoring;
//     nwgpu_align_options options;
//     nwgpu_band          band;       /* struct_size 0: none, and so below */
//     nwgpu_top           top;
//     nwgpu_checkpoint    checkpoint;
//     int64_t             min_score;
//     int32_t             has_min_score;
//     struct nwgpu_go_progress *progress; /* in C's memory, or NULL */
//     nwgpu_error         error;
//     nwgpu_result       *result;
//     uint64_t            count;
//     const uint64_t     *pairs;
//     const nwgpu_status *statuses;
//     const int64_t      *scores;
//     const uint64_t     *spans;
//     const uint32_t     *runs;
//     const uint64_t     *offsets;
// } nwgpu_go_call;
//
// /* Where the library notes how far it is; Go looks from time to time. */
// struct nwgpu_go_progress { uint64_t done, total; };
//
// static int32_t nwgpu_go_note(void *user, uint64_t done, uint64_t total)
// {
//     struct nwgpu_go_progress *progress = user;
//     __atomic_store_n(&progress->total, total, __ATOMIC_RELAXED);
//     __atomic_store_n(&progress->done, done, __ATOMIC_RELEASE);
//     return 0;
// }
//
// static void nwgpu_go_control(nwgpu_control *control, struct nwgpu_go_progress *progress)
// {
//     nwgpu_control_init(control, sizeof *control);
//     control->progress = progress ? nwgpu_go_note : NULL;
//     control->progress_user = progress;
// }
//
// static void nwgpu_go_look(nwgpu_go_call *call)
// {
//     nwgpu_error none = NWGPU_ERROR_INIT;
//     const nwgpu_result *result = call->result;
//     call->count = nwgpu_result_count(result);
//     call->pairs = nwgpu_result_pairs(result);
//     call->statuses = nwgpu_result_statuses(result);
//     call->scores = nwgpu_result_scores(result);
//     call->spans = nwgpu_result_spans(result);
//     if (nwgpu_result_cigars(result, &call->runs, &call->offsets, &none) != NWGPU_OK)
//         call->runs = NULL;
// }
//
// static nwgpu_align_options nwgpu_go_options(const nwgpu_go_call *call, const nwgpu_control *control)
// {
//     nwgpu_align_options options = call->options;
//     options.band = call->band.struct_size ? &call->band : NULL;
//     options.top = call->top.struct_size ? &call->top : NULL;
//     options.checkpoint = call->checkpoint.struct_size ? &call->checkpoint : NULL;
//     options.control = call->progress ? control : NULL;
//     options.min_score = call->has_min_score ? &call->min_score : NULL;
//     return options;
// }
//
// static nwgpu_status nwgpu_go_align(nwgpu_context *context, const nwgpu_sequences *queries,
//     const nwgpu_sequences *targets, const nwgpu_pair *pairs, uint64_t pair_count, nwgpu_go_call *call)
// {
//     nwgpu_control control;
//     nwgpu_align_options options;
//     nwgpu_status status;
//     nwgpu_go_control(&control, call->progress);
//     options = nwgpu_go_options(call, &control);
//     status = nwgpu_align(context, queries, targets, pairs, pair_count, &call->scoring, &options, &call->result,
//                          &call->error);
//     if (status == NWGPU_OK)
//         nwgpu_go_look(call);
//     return status;
// }
//
// static nwgpu_status nwgpu_go_estimate(nwgpu_context *context, const nwgpu_sequences *queries,
//     const nwgpu_sequences *targets, const nwgpu_pair *pairs, uint64_t pair_count, nwgpu_go_call *call,
//     nwgpu_estimate *estimate)
// {
//     nwgpu_align_options options = nwgpu_go_options(call, NULL);
//     nwgpu_estimate_init(estimate, sizeof *estimate);
//     return nwgpu_align_estimate(context, queries, targets, pairs, pair_count, &call->scoring, &options, estimate,
//                                 &call->error);
// }
//
// static nwgpu_status nwgpu_go_traceback(nwgpu_context *context, const nwgpu_sequences *queries,
//     const nwgpu_sequences *targets, const nwgpu_result *result, const uint64_t *chosen, uint64_t count,
//     nwgpu_go_call *call)
// {
//     nwgpu_status status = nwgpu_traceback(context, queries, targets, result, chosen, count, NULL, &call->result,
//                                           &call->error);
//     if (status == NWGPU_OK)
//         nwgpu_go_look(call);
//     return status;
// }
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

// A Mode says what an alignment spans.
type Mode int32

const (
	Global     Mode = C.NWGPU_MODE_GLOBAL      // both sequences from end to end
	Local      Mode = C.NWGPU_MODE_LOCAL       // the best part of both
	FreeEnding Mode = C.NWGPU_MODE_FREE_ENDS   // global, but letters beyond the FreeEnds cost nothing
	Extend     Mode = C.NWGPU_MODE_EXTEND      // from both begins to the best end anywhere; on the CPU
	ExtendLeft Mode = C.NWGPU_MODE_EXTEND_LEFT // from the best begin anywhere to both ends; on the CPU
)

// FreeEnds are ends beyond which letters cost nothing: TargetBegin | TargetEnd places a query in a target.
type FreeEnds int32

const (
	QueryBegin  FreeEnds = C.NWGPU_FREE_QUERY_BEGIN
	QueryEnd    FreeEnds = C.NWGPU_FREE_QUERY_END
	TargetBegin FreeEnds = C.NWGPU_FREE_TARGET_BEGIN
	TargetEnd   FreeEnds = C.NWGPU_FREE_TARGET_END
)

// An Output says what is wanted; each holds what the one before it holds.
type Output int32

const (
	Scores Output = C.NWGPU_OUTPUT_SCORE
	Ends   Output = C.NWGPU_OUTPUT_END   // and where alignments end
	Spans  Output = C.NWGPU_OUTPUT_SPAN  // and where they begin
	CIGARs Output = C.NWGPU_OUTPUT_CIGAR // and the alignments themselves
)

// A Ties says which of several equally good alignments is taken; docs/exactness.md of the library defines them.
type Ties int32

const (
	First     Ties = C.NWGPU_TIES_FIRST      // the first end; pair, insertion, deletion
	LastEnd   Ties = C.NWGPU_TIES_LAST_END   // the last end, and the same path to it
	GapsFirst Ties = C.NWGPU_TIES_GAPS_FIRST // the last end; deletion, insertion, pair
)

// A CIGARStyle says how a letter beside a letter is written.
type CIGARStyle int32

const (
	EQX CIGARStyle = C.NWGPU_CIGAR_EQX // = and X
	M   CIGARStyle = C.NWGPU_CIGAR_M   // M for both
)

// A Pair has the numbers of a query and a target.
type Pair struct{ Query, Target uint64 }

// A Band holds the only cells that exist: Lower <= target - query <= Upper, where target and query count the letters
// before the cell.  A pair whose band holds no path fails with InvalidArgument.
type Band struct{ Lower, Upper int64 }

// A Checkpoint lets a long call of one pair go on after a crash.
type Checkpoint struct {
	Folder string
	Every  time.Duration // of work, about; 0: a minute
	Resume bool          // goes on where an earlier run of the same problem was stopped
}

// Options say how pairs are aligned.  The zero value aligns the i-th query with the i-th target, from end to end, for
// scores alone; only Scoring must be given.
type Options struct {
	Scoring    Scoring
	Mode       Mode
	FreeEnds   FreeEnds // of the mode FreeEnding
	Output     Output
	CIGARStyle CIGARStyle
	Ties       Ties
	AllPairs   bool   // each query with each target: pair number query * targets.Len() + target
	Pairs      []Pair // unless nil: these pairs
	EveryCell  bool   // computes what provably matters for no optimum, too; the answer is the same
	Band       *Band
	Top        int // up to so many local alignments of each pair, best first; 0 or 1: one
	// MinScore, unless nil: a pair whose best score is lower has the status BelowMinScore, and no score, positions and
	// CIGAR; with Top, lower alignments are left out.  A global pair that cannot reach it is given up early.
	MinScore   *int64
	Checkpoint *Checkpoint
	// Progress is called with matrix cells done and in all, about every 100 ms, by a goroutine that ends before the call
	// returns.
	Progress func(done, total uint64)
}

// calls are kept for the next call: they are large.
var calls = sync.Pool{New: func() any { return new(C.nwgpu_go_call) }}

func newCall() *C.nwgpu_go_call {
	call := calls.Get().(*C.nwgpu_go_call)
	*call = C.nwgpu_go_call{}
	call.error.struct_size, call.error.pair_index = C.sizeof_nwgpu_error, math.MaxUint64
	return call
}

func release(call *C.nwgpu_go_call) {
	if call.checkpoint.folder != nil {
		C.free(unsafe.Pointer(call.checkpoint.folder))
	}
	if call.progress != nil {
		C.free(unsafe.Pointer(call.progress))
	}
	calls.Put(call)
}

// call fills in what C is told; release ends its use.
func (o *Options) call() (*C.nwgpu_go_call, error) {
	scoring, err := o.Scoring.raw()
	if err != nil {
		return nil, err
	}
	if o.AllPairs && o.Pairs != nil {
		return nil, &Error{Status: InvalidArgument, Pair: -1, Message: "AllPairs and Pairs exclude each other"}
	}
	call := newCall()
	call.scoring = scoring
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
		call.progress = (*C.struct_nwgpu_go_progress)(C.calloc(1, C.sizeof_struct_nwgpu_go_progress))
	}
	return call, nil
}

// Align aligns queries with targets, as the options say.  A pair that fails has its own error in the Result.  Errors of
// the call as a whole: InvalidArgument, Unsupported, TooLarge, MemoryLimit or OutOfHostMemory, Cancelled,
// DeadlineExceeded, CheckpointFailed, DeviceFailed, DeviceLost.
func (c *Context) Align(ctx context.Context, queries, targets *Sequences, o Options) (*Result, error) {
	call, err := o.call()
	if err != nil {
		return nil, err
	}
	defer release(call)
	return c.made(ctx, call, o.Progress, func() C.nwgpu_status {
		status := C.nwgpu_go_align(c.handle, queries.handle, targets.handle, first[C.nwgpu_pair](o.Pairs),
			C.uint64_t(len(o.Pairs)), call)
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
	call := newCall()
	defer release(call)
	chosen := entries
	if entries != nil && len(entries) == 0 {
		chosen = []uint64{0} // a pointer that is not NULL says that none are chosen
	}
	return c.made(ctx, call, nil, func() C.nwgpu_status {
		status := C.nwgpu_go_traceback(c.handle, queries.handle, targets.handle, r.handle, first[C.uint64_t](chosen),
			C.uint64_t(len(entries)), call)
		runtime.KeepAlive(queries)
		runtime.KeepAlive(targets)
		runtime.KeepAlive(r)
		return status
	})
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
	call, err := o.call()
	if err != nil {
		return Estimate{}, err
	}
	defer release(call)
	if err := c.begin(ctx); err != nil {
		return Estimate{}, err
	}
	defer c.end()
	var e C.nwgpu_estimate
	status := C.nwgpu_go_estimate(c.handle, queries.handle, targets.handle, first[C.nwgpu_pair](o.Pairs),
		C.uint64_t(len(o.Pairs)), call, &e)
	runtime.KeepAlive(queries)
	runtime.KeepAlive(targets)
	runtime.KeepAlive(o.Scoring.Matrix)
	if status != C.NWGPU_OK {
		return Estimate{}, (*failure)(&call.error).error()
	}
	return Estimate{uint64(e.pairs), uint64(e.cells), uint64(e.host_bytes), uint64(e.device_bytes), float64(e.seconds),
		C.GoString(&e.plan[0])}, nil
}

// NoPosition stands for a position that was not asked for.
const NoPosition = math.MaxUint64

func newResult(call *C.nwgpu_go_call) *Result {
	n := int(call.count)
	r := &Result{
		handle:   call.result,
		pairs:    over[uint64](call.pairs, n),
		statuses: over[Status](call.statuses, n),
		scores:   over[int64](call.scores, n),
		spans:    over[Span](call.spans, n),
	}
	if call.runs != nil {
		r.offsets = over[uint64](call.offsets, n+1)
		r.runs = over[uint32](call.runs, int(r.offsets[n]))
	}
	runtime.SetFinalizer(r, (*Result).Close)
	return r
}
