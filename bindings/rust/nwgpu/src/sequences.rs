// SPDX-License-Identifier: BSD-3-Clause
use crate::error::{call, Error, Result, Status};
use nwgpu_sys as sys;
use std::fmt;
use std::marker::PhantomData;
use std::mem::ManuallyDrop;
use std::ptr::{null, null_mut, NonNull};

/// Sequences in the library, for many calls of any context; [`Context::sequences`](crate::Context::sequences) makes
/// them. `'a` is the lifetime of bytes that were not copied.
pub struct Sequences<'a> {
    handle: NonNull<sys::nwgpu_sequences>,
    bytes: PhantomData<&'a [u8]>,
}

// The library takes the same sequences in calls of several contexts at once, and destroys them on any thread.
unsafe impl Send for Sequences<'_> {}
unsafe impl Sync for Sequences<'_> {}

type Create = unsafe extern "C" fn(
    *mut sys::nwgpu_context,
    *const u8,
    *const u64,
    u64,
    *mut *mut sys::nwgpu_sequences,
    *mut sys::nwgpu_error,
) -> sys::nwgpu_status;

impl<'a> Sequences<'a> {
    pub(crate) fn made(
        context: *mut sys::nwgpu_context,
        create: Create,
        bytes: &'a [u8],
        offsets: &[u64],
    ) -> Result<Sequences<'a>> {
        // Without offsets there are no sequences; then C must not look at where the empty slice is.
        let begin = if offsets.is_empty() { null() } else { offsets.as_ptr() };
        let count = match offsets.last() {
            None => 0,
            Some(&end) if end > bytes.len() as u64 => {
                let message = format!("the last offset is {end}, but there are {} bytes", bytes.len());
                return Err(Error::new(Status::INVALID_ARGUMENT, message));
            }
            Some(_) => offsets.len() - 1,
        };
        let mut handle = null_mut();
        call(|error| unsafe { create(context, bytes.as_ptr(), begin, count as u64, &mut handle, error) })?;
        Ok(Sequences { handle: NonNull::new(handle).expect("made sequences are not NULL"), bytes: PhantomData })
    }

    /// The same sequences; only for those whose bytes the library has copied.
    pub(crate) fn owned(self) -> Sequences<'static> {
        let sequences = ManuallyDrop::new(self);
        Sequences { handle: sequences.handle, bytes: PhantomData }
    }

    pub fn len(&self) -> usize {
        unsafe { sys::nwgpu_sequences_count(self.raw()) as usize }
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub(crate) fn raw(&self) -> *const sys::nwgpu_sequences {
        self.handle.as_ptr()
    }
}

impl Drop for Sequences<'_> {
    fn drop(&mut self) {
        unsafe { sys::nwgpu_sequences_destroy(self.handle.as_ptr()) }
    }
}

impl fmt::Debug for Sequences<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Sequences({})", self.len())
    }
}
