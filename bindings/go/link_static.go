// SPDX-License-Identifier: BSD-3-Clause

//go:build nwgpu_static

package nwgpu

// #cgo pkg-config: --static nwgpu
// #cgo LDFLAGS: -Wl,--as-needed -l:libnwgpu.a
import "C"
