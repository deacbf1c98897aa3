// SPDX-License-Identifier: BSD-3-Clause

package nwgpu

// #include "call.h"
import "C"

import (
	"fmt"
	"runtime"
	"sync"
	"unsafe"
)

// Sequences lie in the library, for many calls of any Context.
type Sequences struct {
	owner *sequencesOwner
	count int
}

type sequencesOwner struct {
	handle C.nwgpu_go_handle
	memory *HostMemory // that a view reads
}

// sequencesOwners are used again: a finalizer takes longer to set than an owner to find.
var sequencesOwners = sync.Pool{New: func() any {
	o := new(sequencesOwner)
	runtime.SetFinalizer(o, (*sequencesOwner).destroy)
	return o
}}

func (o *sequencesOwner) destroy() {
	if o.handle != 0 {
		C.nwgpu_go_sequences_destroy(o.handle)
		*o = sequencesOwner{}
	}
}

// NewSequences copies sequences into the library: strings, or slices of bytes.
func NewSequences[T ~string | ~[]byte](c *Context, sequences []T) (*Sequences, error) {
	size := 0
	for _, sequence := range sequences {
		size += len(sequence)
	}
	letters := make([]byte, 0, size)
	offsets := make([]uint64, 1, len(sequences)+1)
	for _, sequence := range sequences {
		letters = append(letters, sequence...)
		offsets = append(offsets, uint64(len(letters)))
	}
	return c.Sequences(letters, offsets)
}

// Sequences copies sequences that lie end to end: sequence i is letters[offsets[i]:offsets[i+1]].
func (c *Context) Sequences(letters []byte, offsets []uint64) (*Sequences, error) {
	count, err := countOf(letters, offsets)
	if err != nil {
		return nil, err
	}
	call, owner := newCall()
	defer owner.release()
	status := C.nwgpu_go_sequences(c.number(), first[C.uint8_t](letters), first[C.uint64_t](offsets), C.uint64_t(count),
		0, owner.handle())
	runtime.KeepAlive(c)
	return newSequences(call, status, count, nil)
}

// View makes sequences of letters that lie in HostMemory, without a copy; they must stay as they are for as long as the
// Sequences are used.
func (c *Context) View(memory *HostMemory, offsets []uint64) (*Sequences, error) {
	count, err := countOf(memory.Bytes(), offsets)
	if err != nil {
		return nil, err
	}
	call, owner := newCall()
	defer owner.release()
	status := C.nwgpu_go_sequences(c.number(), (*C.uint8_t)(memory.pointer), first[C.uint64_t](offsets),
		C.uint64_t(count), 1, owner.handle())
	runtime.KeepAlive(c)
	return newSequences(call, status, count, memory)
}

func countOf(letters []byte, offsets []uint64) (int, error) {
	if len(offsets) == 0 {
		return 0, nil
	}
	if end := offsets[len(offsets)-1]; end > uint64(len(letters)) {
		message := fmt.Sprintf("the last offset is %d, but there are %d letters", end, len(letters))
		return 0, &Error{Status: InvalidArgument, Pair: -1, Message: message}
	}
	return len(offsets) - 1, nil
}

func newSequences(call *C.nwgpu_go_call, status C.nwgpu_status, count int, memory *HostMemory) (*Sequences, error) {
	if status != C.NWGPU_OK {
		return nil, (*failure)(&call.error).error()
	}
	o := sequencesOwners.Get().(*sequencesOwner)
	o.handle, o.memory = call.sequences, memory
	return &Sequences{o, count}, nil
}

// handle is valid for as long as s is kept alive; 0 after Close.
func (s *Sequences) handle() C.nwgpu_go_handle {
	if s.owner == nil {
		return 0
	}
	return s.owner.handle
}

// Len tells how many sequences there are.
func (s *Sequences) Len() int { return s.count }

// Close gives their memory back.
func (s *Sequences) Close() {
	if o := s.owner; o != nil {
		*s = Sequences{}
		o.destroy()
		sequencesOwners.Put(o)
	}
}

// HostMemory is memory of C: page-locked where the Context has a GPU, which then reads it at full speed.
type HostMemory struct {
	pointer unsafe.Pointer
	size    int
}

// HostMemory allocates size bytes; it may outlive the Context.
func (c *Context) HostMemory(size int) (*HostMemory, error) {
	m := &HostMemory{size: size}
	f := newFailure()
	status := C.nwgpu_host_alloc(c.handle, C.uint64_t(size), &m.pointer, f.raw())
	runtime.KeepAlive(c)
	if err := check(status, f); err != nil {
		return nil, err
	}
	runtime.SetFinalizer(m, (*HostMemory).Close)
	return m, nil
}

// Bytes is the memory itself, until Close.
func (m *HostMemory) Bytes() []byte { return over[byte]((*byte)(m.pointer), m.size) }

// Close gives the memory back; no Sequences may use it then.
func (m *HostMemory) Close() {
	runtime.SetFinalizer(m, nil)
	C.nwgpu_host_free(m.pointer)
	*m = HostMemory{}
}
