// SPDX-License-Identifier: BSD-3-Clause
//! How a call is watched and ended.
use crate::error::{Error, Result, Status};
use nwgpu_sys as sys;
use std::any::Any;
use std::ops::ControlFlow;
use std::os::raw::c_void;
use std::panic::{catch_unwind, resume_unwind, AssertUnwindSafe};
use std::ptr::null;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

type Progress<'a> = Box<dyn FnMut(u64, u64) -> ControlFlow<()> + 'a>;

/// How the caller watches and ends a call.
#[derive(Default)]
pub(crate) struct Control<'a> {
    pub(crate) progress: Option<Progress<'a>>,
    pub(crate) cancel: Option<&'a AtomicBool>,
    pub(crate) deadline: Option<Duration>,
    panic: Option<Box<dyn Any + Send>>, // of `progress`
}

unsafe extern "C" fn watch(user: *mut c_void, done: u64, total: u64) -> i32 {
    let control = &mut *(user as *mut Control<'_>);
    if control.cancel.map_or(false, |flag| flag.load(Ordering::Relaxed)) {
        return 1;
    }
    let progress = match &mut control.progress {
        Some(progress) => progress,
        None => return 0,
    };
    match catch_unwind(AssertUnwindSafe(|| progress(done, total))) {
        Ok(flow) => flow.is_break().into(),
        Err(panic) => {
            control.panic = Some(panic);
            1
        }
    }
}

impl Control<'_> {
    /// Makes a call that takes such a struct.  What `progress` panics with goes on to the caller when the call has
    /// ended.
    pub(crate) fn run(mut self, call: impl FnOnce(*const sys::nwgpu_control) -> Result<()>) -> Result<()> {
        if self.cancel.map_or(false, |flag| flag.load(Ordering::Relaxed)) {
            return Err(Error::new(Status::CANCELLED, "the call was cancelled before it began"));
        }
        if self.progress.is_none() && self.cancel.is_none() && self.deadline.is_none() {
            return call(null());
        }
        if self.deadline == Some(Duration::ZERO) {
            return Err(Error::new(Status::DEADLINE, "the deadline was over before the call began"));
        }
        let mut control = sys::default(sys::nwgpu_control_init);
        control.deadline_seconds = self.deadline.map_or(0.0, |time| time.as_secs_f64());
        control.progress = Some(watch);
        control.progress_user = (&mut self as *mut Self).cast();
        let ended = call(&control);
        match self.panic.take() {
            Some(panic) => resume_unwind(panic),
            None => ended,
        }
    }
}

macro_rules! control_methods {
    () => {
        /// Called with cells done and cells in all, at least every 100 ms of work, on this thread;
        /// `ControlFlow::Break(())` ends the call with CANCELLED. A panic in it ends the call, too, and goes on from
        /// there.
        pub fn progress(mut self, progress: impl FnMut(u64, u64) -> ControlFlow<()> + 'a) -> Self {
            self.control.progress = Some(Box::new(progress));
            self
        }

        /// Ends the call with CANCELLED, within 100 ms of work, when another thread or a signal handler sets the flag.
        pub fn cancel_flag(mut self, flag: &'a AtomicBool) -> Self {
            self.control.cancel = Some(flag);
            self
        }

        /// Ends the call with DEADLINE after that time.
        pub fn deadline(mut self, time: Duration) -> Self {
            self.control.deadline = Some(time);
            self
        }
    };
}
pub(crate) use control_methods;
