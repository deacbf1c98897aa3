// SPDX-License-Identifier: BSD-3-Clause

package nwgpu

// #include "call.h"
import "C"

import (
	"math"
	"runtime"
	"strconv"
	"sync"
)

// A Span is where an alignment lies in the query and in the target: positions count from 0, ends are exclusive.  Those
// that were not asked for are NoPosition.
type Span struct{ QueryBegin, QueryEnd, TargetBegin, TargetEnd uint64 }

// NoPosition stands for a position that was not asked for.
const NoPosition = math.MaxUint64

// A CIGAR has a value per run, in the encoding of BAM: length << 4 | operation.
type CIGAR []uint32

const operations = "MIDNSHP=X"

// String is the CIGAR as SAM writes it: "2=1I4=", or "*" for no runs.
func (c CIGAR) String() string {
	if len(c) == 0 {
		return "*"
	}
	text := make([]byte, 0, 4*len(c))
	for _, run := range c {
		text = strconv.AppendUint(text, uint64(run>>4), 10)
		text = append(text, operations[run&15])
	}
	return string(text)
}

// A Result has an entry per pair, in order (with Options.Top an entry per alignment).  The slices that it gives lie in
// memory of C, uncopied: they are valid until Close, and for as long as the Result is reachable.
type Result struct {
	owner    *resultOwner
	pairs    []uint64
	statuses []Status
	scores   []int64
	spans    []Span
	runs     []uint32
	offsets  []uint64
}

type resultOwner struct {
	handle C.nwgpu_go_handle
	// Objects without pointers share memory: a finalizer would wait for its neighbours.
	_ *byte
}

// resultOwners are used again, as sequencesOwners are.
var resultOwners = sync.Pool{New: func() any {
	o := new(resultOwner)
	runtime.SetFinalizer(o, (*resultOwner).destroy)
	return o
}}

func (o *resultOwner) destroy() {
	if o.handle != 0 {
		C.nwgpu_go_result_destroy(o.handle)
		o.handle = 0
	}
}

func newResult(call *C.nwgpu_go_call) *Result {
	n := int(call.count)
	o := resultOwners.Get().(*resultOwner)
	o.handle = call.result
	r := &Result{
		owner:    o,
		pairs:    over[uint64](call.pairs, n),
		statuses: over[Status](call.statuses, n),
		scores:   over[int64](call.scores, n),
		spans:    over[Span](call.spans, n),
	}
	if call.runs != nil {
		r.offsets = over[uint64](call.offsets, n+1)
		r.runs = over[uint32](call.runs, int(r.offsets[n]))
	}
	return r
}

// handle is valid for as long as r is kept alive; 0 after Close.
func (r *Result) handle() C.nwgpu_go_handle {
	if r.owner == nil {
		return 0
	}
	return r.owner.handle
}

// Len tells how many entries there are.
func (r *Result) Len() int { return len(r.scores) }

// Failed tells how many entries stand for pairs that failed.
func (r *Result) Failed() int {
	defer runtime.KeepAlive(r)
	return int(C.nwgpu_go_result_failed(r.handle()))
}

// Pairs has the pair that each entry belongs to.
func (r *Result) Pairs() []uint64 { return r.pairs }

// Statuses has a Status per entry.
func (r *Result) Statuses() []Status { return r.statuses }

// Scores has a score per entry: 0 for a pair that failed.
func (r *Result) Scores() []int64 { return r.scores }

// Spans has a Span per entry; nil where only scores were asked for.
func (r *Result) Spans() []Span { return r.spans }

// Runs has the runs of all CIGARs, and offsets: entry i has runs[offsets[i]:offsets[i+1]].  Both are nil where no CIGARs
// were asked for.
func (r *Result) Runs() (runs []uint32, offsets []uint64) { return r.runs, r.offsets }

// CIGAR is that of an entry: without runs where the pair failed, or where no CIGARs were asked for.
func (r *Result) CIGAR(entry int) CIGAR {
	if r.offsets == nil {
		return nil
	}
	return CIGAR(r.runs[r.offsets[entry]:r.offsets[entry+1]])
}

// Err tells why the pair of an entry failed: an *Error, or nil where it did not.
func (r *Result) Err(entry int) error {
	if r.statuses[entry] == OK {
		return nil
	}
	f := newFailure()
	C.nwgpu_go_result_error(r.handle(), C.uint64_t(entry), f.raw())
	runtime.KeepAlive(r)
	return check(f.status, f)
}

// Close gives the memory back.
func (r *Result) Close() {
	if o := r.owner; o != nil {
		*r = Result{}
		o.destroy()
		resultOwners.Put(o)
	}
}
