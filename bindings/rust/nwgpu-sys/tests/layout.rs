// SPDX-License-Identifier: BSD-3-Clause
//! The sizes of ABI 1, from docs/abi.md, and defaults that the library itself writes.
use nwgpu_sys::*;
use std::mem::size_of;

#[test]
fn structs_have_the_sizes_of_abi_1() {
    assert_eq!(unsafe { nwgpu_abi_version() }, NWGPU_ABI_VERSION);
    assert_eq!(size_of::<nwgpu_error>(), 272);
    assert_eq!(size_of::<nwgpu_context_options>(), 88);
    assert_eq!(size_of::<nwgpu_communicator>(), 56);
    assert_eq!(size_of::<nwgpu_scoring>(), 40);
    assert_eq!(size_of::<nwgpu_align_options>(), 80);
    assert_eq!(size_of::<nwgpu_band>(), 24);
    assert_eq!(size_of::<nwgpu_checkpoint>(), 24);
    assert_eq!(size_of::<nwgpu_top>(), 16);
    assert_eq!(size_of::<nwgpu_best>(), 16);
    assert_eq!(size_of::<nwgpu_control>(), 32);
    assert_eq!(size_of::<nwgpu_estimate>(), 560);
    assert_eq!(size_of::<nwgpu_device_info>(), 256);
    assert_eq!(size_of::<nwgpu_matrix_info>(), 16);
    assert_eq!(size_of::<nwgpu_pair>(), 16);
}

#[test]
fn fields_lie_where_the_library_writes_them() {
    assert_eq!(default(nwgpu_error_init).pair_index, u64::MAX);
    assert_eq!(default(nwgpu_top_init).alignments, 1);
    let mut info = default(nwgpu_device_info_init);
    let mut error = default(nwgpu_error_init);
    assert_eq!(unsafe { nwgpu_device_describe(NWGPU_BACKEND_CPU, 0, &mut info, &mut error) }, NWGPU_OK);
    assert_eq!(info.backend, NWGPU_BACKEND_CPU);
    assert!(info.memory_bytes > 0 && info.summary[0] != 0 && info.summary[239] == 0);
    assert_eq!(unsafe { nwgpu_device_describe(NWGPU_BACKEND_CPU, 1, &mut info, &mut error) }, NWGPU_ERROR_NO_DEVICE);
    assert_eq!(error.status, NWGPU_ERROR_NO_DEVICE);
    assert_ne!(error.message[0], 0);
}
