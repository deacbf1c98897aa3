// SPDX-License-Identifier: BSD-3-Clause
use crate::error::{call, text, Error, Result, Status};
use crate::{Align, Alignments, Sequences, Traceback};
use nwgpu_sys as sys;
use std::ffi::CString;
use std::fmt;
use std::os::raw::{c_char, c_void};
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::ptr::{null_mut, NonNull};

/// What computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Backend {
    /// GPU and CPU, pair by pair, whichever is faster; the CPU alone where there is no GPU.
    Auto,
    Cpu,
    /// The GPU of that number, counted from 0; an error where it cannot be had.
    Cuda(i32),
}

impl Backend {
    pub(crate) fn raw(self) -> i32 {
        match self {
            Backend::Auto => sys::NWGPU_BACKEND_AUTO,
            Backend::Cpu => sys::NWGPU_BACKEND_CPU,
            Backend::Cuda(_) => sys::NWGPU_BACKEND_CUDA,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LogLevel {
    Info,
    Warning,
}

type Log = Box<dyn FnMut(LogLevel, &str) + Send>;

unsafe extern "C" fn log(user: *mut c_void, level: i32, message: *const c_char) {
    let log = &mut *(user as *mut Log);
    let level = if level >= sys::NWGPU_LOG_WARNING { LogLevel::Warning } else { LogLevel::Info };
    let message = text(message);
    // A panic must not cross the library; the panic hook has told it, and what was logged is lost.
    let _ = catch_unwind(AssertUnwindSafe(|| log(level, &message)));
}

/// How a [`Context`] is to be; [`Context::builder`] begins one.
pub struct Builder {
    options: sys::nwgpu_context_options,
    devices: Vec<i32>,
    instruction_set: Option<String>,
    log: Option<Box<Log>>,
}

impl Builder {
    pub fn backend(mut self, backend: Backend) -> Builder {
        self.options.backend = backend.raw();
        self.options.device = if let Backend::Cuda(device) = backend { device } else { 0 };
        self
    }

    /// Several GPUs, to which the pairs of a call are dealt out, by their numbers; none: that of the backend alone.
    pub fn devices(mut self, numbers: &[i32]) -> Builder {
        self.devices = numbers.to_vec();
        self
    }

    /// Of the CPU; 0: all that the process may use.
    pub fn threads(mut self, threads: i32) -> Builder {
        self.options.cpu_threads = threads;
        self
    }

    /// Memory of the GPU; 0: what is free, less a margin.
    pub fn max_device_bytes(mut self, bytes: u64) -> Builder {
        self.options.max_device_bytes = bytes;
        self
    }

    /// What one call may allocate; 0: no limit.
    pub fn max_host_bytes(mut self, bytes: u64) -> Builder {
        self.options.max_host_bytes = bytes;
        self
    }

    /// `"avx3"`, `"avx2"`, `"sse4"`, `"sse2"` or `"neon"` instead of the best there is.
    pub fn instruction_set(mut self, name: impl Into<String>) -> Builder {
        self.instruction_set = Some(name.into());
        self
    }

    /// Takes what the library has to say, such as that it found no GPU. Called on the thread of the call; a panic in it
    /// goes no further.
    pub fn log(mut self, log: impl FnMut(LogLevel, &str) + Send + 'static) -> Builder {
        self.log = Some(Box::new(Box::new(log)));
        self
    }

    /// Errors: INVALID_ARGUMENT; NO_DEVICE or UNSUPPORTED for a GPU that is asked for and cannot be had.
    pub fn build(mut self) -> Result<Context> {
        let name = self
            .instruction_set
            .map(CString::new)
            .transpose()
            .map_err(|_| Error::new(Status::INVALID_ARGUMENT, "the name of an instruction set has no NUL"))?;
        if let Some(name) = &name {
            self.options.cpu_isa = name.as_ptr();
        }
        if !self.devices.is_empty() {
            self.options.devices = self.devices.as_ptr();
            self.options.device_count = self.devices.len() as u64;
        }
        let log_user = self.log.map(Box::into_raw);
        if let Some(user) = log_user {
            self.options.log = Some(log);
            self.options.log_user = user.cast();
        }
        let mut handle = null_mut();
        let made = call(|error| unsafe { sys::nwgpu_context_create(&self.options, &mut handle, error) });
        let context = Context { handle: NonNull::new(handle), log: log_user };
        made.map(|()| context)
    }
}

/// An engine with its threads and memory: keep it for many calls. One thread at a time may use it.
///
/// ```compile_fail
/// fn is_sync<T: Sync>() {}
/// is_sync::<nwgpu::Context>(); // Send, but not Sync
/// ```
pub struct Context {
    handle: Option<NonNull<sys::nwgpu_context>>, // None: creating it failed
    log: Option<*mut Log>,                       // owned; the library calls it until the context is destroyed
}

// The library takes calls from any thread, one at a time, and the log function is Send.
unsafe impl Send for Context {}

impl Context {
    pub fn builder() -> Builder {
        Builder {
            options: sys::default(sys::nwgpu_context_options_init),
            devices: Vec::new(),
            instruction_set: None,
            log: None,
        }
    }

    /// With the defaults: GPU and CPU, all threads.
    pub fn new() -> Result<Context> {
        Context::builder().build()
    }

    /// `"cpu:avx3"`, `"cuda:sm_90"`, or `"cuda:sm_90+cpu:avx3"` where the library chooses pair by pair.
    pub fn backend_name(&self) -> String {
        unsafe { text(sys::nwgpu_context_backend_name(self.raw())) }
    }

    pub fn threads(&self) -> i32 {
        unsafe { sys::nwgpu_context_threads(self.raw()) }
    }

    /// Gives cached memory back to the system.
    pub fn trim(&mut self) -> Result<()> {
        call(|error| unsafe { sys::nwgpu_context_trim(self.raw(), error) })
    }

    /// Copies sequences into the library: texts, bytes, whatever is a slice of bytes.
    pub fn sequences<T: AsRef<[u8]>>(&self, sequences: impl IntoIterator<Item = T>) -> Result<Sequences<'static>> {
        let (mut bytes, mut offsets) = (Vec::new(), vec![0]);
        for sequence in sequences {
            bytes.extend_from_slice(sequence.as_ref());
            offsets.push(bytes.len() as u64);
        }
        self.sequences_from(&bytes, &offsets)
    }

    /// Copies sequences that lie end to end: sequence i is `bytes[offsets[i]..offsets[i + 1]]`.
    pub fn sequences_from(&self, bytes: &[u8], offsets: &[u64]) -> Result<Sequences<'static>> {
        // The bytes are copied before the call returns, so the sequences do not depend on them.
        Sequences::made(self.raw(), sys::nwgpu_sequences_create, bytes, offsets).map(Sequences::owned)
    }

    /// The same without a copy of the bytes.
    ///
    /// ```
    /// let context = nwgpu::Context::builder().threads(1).build()?;
    /// let letters = b"GATTACAACGT".to_vec();
    /// let reads = context.sequences_view(&letters, &[0, 7, 11])?;
    /// assert_eq!(reads.len(), 2);
    /// # Ok::<(), nwgpu::Error>(())
    /// ```
    ///
    /// The bytes have to live as long as the sequences:
    ///
    /// ```compile_fail
    /// let context = nwgpu::Context::new().unwrap();
    /// let letters = b"GATTACA".to_vec();
    /// let reads = context.sequences_view(&letters, &[0, 7]).unwrap();
    /// drop(letters);
    /// println!("{}", reads.len());
    /// ```
    pub fn sequences_view<'a>(&self, bytes: &'a [u8], offsets: &[u64]) -> Result<Sequences<'a>> {
        Sequences::made(self.raw(), sys::nwgpu_sequences_create_view, bytes, offsets)
    }

    /// Begins a call that aligns queries with targets: the i-th with the i-th, from end to end, unless it is told
    /// otherwise. One of [`scores`](Align::scores), [`ends`](Align::ends), [`spans`](Align::spans) and
    /// [`cigars`](Align::cigars) makes the call.
    pub fn align<'a>(&'a mut self, queries: &'a Sequences<'a>, targets: &'a Sequences<'a>) -> Align<'a> {
        Align::new(self, queries, targets)
    }

    /// Begins a call that finds the CIGARs of an earlier call that did not ask for them, with the same sequences.
    pub fn traceback<'a>(
        &'a mut self,
        queries: &'a Sequences<'a>,
        targets: &'a Sequences<'a>,
        alignments: &'a Alignments,
    ) -> Traceback<'a> {
        Traceback::new(self, queries, targets, alignments)
    }

    pub(crate) fn raw(&self) -> *mut sys::nwgpu_context {
        self.handle.map_or(null_mut(), NonNull::as_ptr)
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        unsafe {
            sys::nwgpu_context_destroy(self.raw());
            self.log.map(|log| Box::from_raw(log));
        }
    }
}

impl fmt::Debug for Context {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Context({}, {} threads)", self.backend_name(), self.threads())
    }
}
