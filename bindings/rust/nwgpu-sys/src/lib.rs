// SPDX-License-Identifier: BSD-3-Clause
//! The declarations of `nwgpu.h`, as bindgen writes them: no more and no less.  What each means is in the comments of
//! `nwgpu.h`; the crate `nwgpu` is the safe interface.
//!
//! Choices and statuses are `i32` with constants, never Rust enums: a later library may return a value that this crate
//! does not know.  Begin a struct with its `nwgpu_*_init` function, or with [`default`].
#![allow(non_camel_case_types)]

include!("bindings.rs");

/// A struct with the defaults that its `nwgpu_*_init` function sets, and its size.
///
/// ```
/// let options = nwgpu_sys::default(nwgpu_sys::nwgpu_align_options_init);
/// assert_eq!(options.mode, nwgpu_sys::NWGPU_MODE_GLOBAL);
/// assert!(options.top.is_null());
/// ```
pub fn default<T: Plain>(init: unsafe extern "C" fn(*mut T, u64)) -> T {
    let mut value = std::mem::MaybeUninit::<T>::zeroed();
    // Zero bytes are a value of every plain struct, and `init` writes no more than the size that it is given.
    unsafe {
        init(value.as_mut_ptr(), std::mem::size_of::<T>() as u64);
        value.assume_init()
    }
}

mod sealed {
    pub trait Sealed {}
}

/// Structs of `nwgpu.h` that begin with their size: numbers and pointers, for which zero bytes are a value.
pub trait Plain: sealed::Sealed {}

macro_rules! plain {
    ($($name:ident)*) => { $(impl sealed::Sealed for $name {} impl Plain for $name {})* };
}

plain! {
    nwgpu_error nwgpu_context_options nwgpu_scoring nwgpu_band nwgpu_checkpoint nwgpu_top nwgpu_best nwgpu_control
    nwgpu_align_options nwgpu_estimate nwgpu_device_info nwgpu_matrix_info
}
