// SPDX-License-Identifier: BSD-3-Clause

//go:build !nwgpu_static

package nwgpu

// #cgo pkg-config: nwgpu
import "C"
