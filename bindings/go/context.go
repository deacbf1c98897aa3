// SPDX-License-Identifier: BSD-3-Clause

package nwgpu

// #include "call.h"
// #include <stdlib.h>
import "C"

import (
	"context"
	"runtime"
	"unsafe"
)

// A Backend is what computes.
type Backend int32

const (
	Auto Backend = C.NWGPU_BACKEND_AUTO // GPU and CPU, pair by pair, whichever is faster
	CPU  Backend = C.NWGPU_BACKEND_CPU
	CUDA Backend = C.NWGPU_BACKEND_CUDA
)

// ContextOptions say how a Context is to be; its zero value means the defaults.
type ContextOptions struct {
	Backend        Backend
	Device         int    // number of the GPU, counted from 0
	Devices        []int  // several GPUs, to which the pairs of a call are dealt out; nil: Device alone
	Threads        int    // of the CPU; 0: all that the process may use
	MaxDeviceBytes uint64 // 0: what is free, less a margin
	MaxHostBytes   uint64 // what one call may allocate; 0: no limit
	InstructionSet string // "avx3", "avx2", "sse4", "sse2", "neon"; "": the best there is
}

// A Context is an engine with its threads and memory: keep it for many calls.
type Context struct {
	handle *C.nwgpu_context
	busy   chan struct{} // holds a value while a call runs
}

// NewContext makes a Context.  Errors: InvalidArgument; NoDevice or Unsupported for a GPU that is asked for by name and
// cannot be had.
func NewContext(o ContextOptions) (*Context, error) {
	raw := C.nwgpu_context_options{
		struct_size: C.sizeof_nwgpu_context_options,
		backend:     C.int32_t(o.Backend), device: C.int32_t(o.Device), cpu_threads: C.int32_t(o.Threads),
		max_device_bytes: C.uint64_t(o.MaxDeviceBytes), max_host_bytes: C.uint64_t(o.MaxHostBytes),
	}
	if o.InstructionSet != "" {
		raw.cpu_isa = C.CString(o.InstructionSet)
		defer C.free(unsafe.Pointer(raw.cpu_isa))
	}
	if n := len(o.Devices); n > 0 {
		raw.devices = (*C.int32_t)(C.malloc(C.size_t(n) * C.sizeof_int32_t))
		defer C.free(unsafe.Pointer(raw.devices))
		for i, device := range o.Devices {
			unsafe.Slice(raw.devices, n)[i] = C.int32_t(device)
		}
		raw.device_count = C.uint64_t(n)
	}
	c := &Context{busy: make(chan struct{}, 1)}
	f := newFailure()
	if err := check(C.nwgpu_context_create(&raw, &c.handle, f.raw()), f); err != nil {
		return nil, err
	}
	runtime.SetFinalizer(c, func(c *Context) { C.nwgpu_context_destroy(c.handle) })
	return c, nil
}

// number is valid for as long as c is kept alive; 0 after Close.
func (c *Context) number() C.nwgpu_go_handle { return handle(unsafe.Pointer(c.handle)) }

// Close ends its threads and gives memory back; it waits for a call that is under way.
func (c *Context) Close() {
	c.busy <- struct{}{}
	runtime.SetFinalizer(c, nil)
	C.nwgpu_context_destroy(c.handle)
	c.handle = nil
	<-c.busy
}

// Backend tells what computes: "cpu:avx3", "cuda:sm_90", or "cuda:sm_90+cpu:avx3" where the library chooses pair by
// pair.
func (c *Context) Backend() string {
	defer runtime.KeepAlive(c)
	return C.GoString(C.nwgpu_context_backend_name(c.handle))
}

// Threads tells how many threads of the CPU it has.
func (c *Context) Threads() int {
	defer runtime.KeepAlive(c)
	return int(C.nwgpu_context_threads(c.handle))
}

// Trim gives cached memory back to the system.
func (c *Context) Trim() error {
	if err := c.begin(context.Background()); err != nil {
		return err
	}
	defer c.end()
	f := newFailure()
	return check(C.nwgpu_context_trim(c.handle, f.raw()), f)
}

// begin waits until no other call runs, or ctx ends.
func (c *Context) begin(ctx context.Context) error {
	if ctx.Err() != nil {
		return cancelledBy(ctx, "the call was cancelled before it began")
	}
	select {
	case c.busy <- struct{}{}: // the usual case, which costs less than a choice of two
		return nil
	default:
	}
	select {
	case c.busy <- struct{}{}:
		return nil
	case <-ctx.Done():
		return cancelledBy(ctx, "the call was cancelled while it waited for another one")
	}
}

func (c *Context) end() { <-c.busy }

// A DeviceInfo describes a GPU, or the CPU.
type DeviceInfo struct {
	MemoryBytes uint64 // of the GPU, or of the machine
	Summary     string // one line: name, memory, capability; for the CPU its instruction sets, the one in use first
}

// Devices lists the devices of a backend; none for CUDA where no GPU can be used.
func Devices(backend Backend) ([]DeviceInfo, error) {
	var devices []DeviceInfo
	for i := C.uint64_t(0); i < C.nwgpu_device_count(C.int32_t(backend)); i++ {
		info := C.nwgpu_device_info{struct_size: C.sizeof_nwgpu_device_info}
		f := newFailure()
		if err := check(C.nwgpu_device_describe(C.int32_t(backend), i, &info, f.raw()), f); err != nil {
			return nil, err
		}
		devices = append(devices, DeviceInfo{uint64(info.memory_bytes), C.GoString(&info.summary[0])})
	}
	return devices, nil
}
