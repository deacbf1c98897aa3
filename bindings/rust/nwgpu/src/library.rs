// SPDX-License-Identifier: BSD-3-Clause
//! What the loaded library says about itself and this machine.
use crate::error::{call, static_text, text, Result};
use crate::Backend;
use nwgpu_sys as sys;

/// Of the loaded library, such as `"0.1.0"`.
pub fn version() -> &'static str {
    unsafe { static_text(sys::nwgpu_version_string()) }
}

/// `"cuda=none cpu=avx3,avx2,sse4,sse2"`.
pub fn build_info() -> &'static str {
    unsafe { static_text(sys::nwgpu_build_info()) }
}

/// The built-in matrices.
pub fn matrix_names() -> Result<Vec<&'static str>> {
    (0..unsafe { sys::nwgpu_matrix_count() })
        .map(|index| {
            let mut info = sys::default(sys::nwgpu_matrix_info_init);
            call(|error| unsafe { sys::nwgpu_matrix_describe(index, &mut info, error) })?;
            Ok(unsafe { static_text(info.name) })
        })
        .collect()
}

/// A GPU, or the CPU.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Device {
    /// Of the GPU, or of the machine.
    pub memory_bytes: u64,
    /// One line: name, memory, capability; for the CPU its instruction sets, the one in use first.
    pub summary: String,
}

/// The devices of a backend; none for [`Backend::Cuda`] where no GPU can be used.
pub fn devices(backend: Backend) -> Result<Vec<Device>> {
    (0..unsafe { sys::nwgpu_device_count(backend.raw()) })
        .map(|index| {
            let mut info = sys::default(sys::nwgpu_device_info_init);
            call(|error| unsafe { sys::nwgpu_device_describe(backend.raw(), index, &mut info, error) })?;
            Ok(Device { memory_bytes: info.memory_bytes, summary: unsafe { text(info.summary.as_ptr()) } })
        })
        .collect()
}
