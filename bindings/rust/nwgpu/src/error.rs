// SPDX-License-Identifier: BSD-3-Clause
use nwgpu_sys as sys;
use std::ffi::CStr;
use std::fmt;
use std::os::raw::c_char;

/// What happened to a call, or to a pair. Later libraries may have statuses that are not named here.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Status(pub(crate) sys::nwgpu_status);

macro_rules! statuses {
    ($($(#[$doc:meta])* $name:ident = $value:ident;)*) => {
        impl Status { $($(#[$doc])* pub const $name: Status = Status(sys::$value);)* }
    };
}

statuses! {
    OK = NWGPU_OK;
    INVALID_ARGUMENT = NWGPU_ERROR_INVALID_ARGUMENT;
    /// A letter outside the alphabet.
    INVALID_SEQUENCE = NWGPU_ERROR_INVALID_SEQUENCE;
    /// Valid, but not in this build of the library or on this device.
    UNSUPPORTED = NWGPU_ERROR_UNSUPPORTED;
    TOO_LARGE = NWGPU_ERROR_TOO_LARGE;
    INVALID_MATRIX = NWGPU_ERROR_INVALID_MATRIX;
    NOT_FOUND = NWGPU_ERROR_NOT_FOUND;
    BUSY = NWGPU_ERROR_BUSY;
    OUT_OF_HOST_MEMORY = NWGPU_ERROR_OUT_OF_HOST_MEMORY;
    OUT_OF_DEVICE_MEMORY = NWGPU_ERROR_OUT_OF_DEVICE_MEMORY;
    /// More than `max_host_bytes` or `max_device_bytes` would be needed.
    MEMORY_LIMIT = NWGPU_ERROR_MEMORY_LIMIT;
    NO_DEVICE = NWGPU_ERROR_NO_DEVICE;
    /// A CUDA call failed: see [`Error::cuda_code`].
    DEVICE = NWGPU_ERROR_DEVICE;
    /// Drop this context, and make a new one.
    DEVICE_LOST = NWGPU_ERROR_DEVICE_LOST;
    CANCELLED = NWGPU_ERROR_CANCELLED;
    NO_TRACE = NWGPU_ERROR_NO_TRACE;
    CHECKPOINT = NWGPU_ERROR_CHECKPOINT;
    DEADLINE = NWGPU_ERROR_DEADLINE;
    CALLBACK = NWGPU_ERROR_CALLBACK;
    /// Another rank failed, or a message did not get there.
    COMMUNICATION = NWGPU_ERROR_COMMUNICATION;
    /// Of a pair: the answer to [`min_score`](crate::Align::min_score).
    BELOW_MIN_SCORE = NWGPU_BELOW_MIN_SCORE;
    INTERNAL = NWGPU_ERROR_INTERNAL;
}

impl Status {
    /// The number that `nwgpu.h` gives it.
    pub const fn code(self) -> i32 {
        self.0
    }

    /// `"NWGPU_ERROR_DEVICE"`.
    pub fn name(self) -> &'static str {
        unsafe { static_text(sys::nwgpu_status_name(self.0)) }
    }
}

impl fmt::Debug for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}({})", self.name(), self.0)
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A call that failed as a whole, or why a pair failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    status: Status,
    pair: Option<u64>,
    cuda_code: i32,
    message: String,
}

pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    pub(crate) fn new(status: Status, message: impl Into<String>) -> Error {
        Error { status, pair: None, cuda_code: 0, message: message.into() }
    }

    #[cold]
    pub(crate) fn from_raw(raw: &sys::nwgpu_error) -> Error {
        Error {
            status: Status(raw.status),
            pair: Some(raw.pair_index).filter(|&index| index != u64::MAX),
            cuda_code: raw.cuda_code,
            message: unsafe { text(raw.message.as_ptr()) },
        }
    }

    pub fn status(&self) -> Status {
        self.status
    }

    /// The offending pair, where there is one.
    pub fn pair(&self) -> Option<u64> {
        self.pair
    }

    /// A `cudaError_t`, or 0.
    pub fn cuda_code(&self) -> i32 {
        self.cuda_code
    }

    /// In English; may be empty, and may change with the library.
    pub fn message(&self) -> &str {
        &self.message
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.message.is_empty() {
            return f.write_str(self.status.name());
        }
        write!(f, "{} ({})", self.message, self.status.name())
    }
}

impl std::error::Error for Error {}

pub(crate) fn no_error() -> sys::nwgpu_error {
    sys::nwgpu_error {
        struct_size: std::mem::size_of::<sys::nwgpu_error>() as u32,
        status: sys::NWGPU_OK,
        pair_index: u64::MAX,
        cuda_code: 0,
        message: [0; 252],
    }
}

/// Calls a function that reports by status, with room for its message.
pub(crate) fn call(function: impl FnOnce(*mut sys::nwgpu_error) -> sys::nwgpu_status) -> Result<()> {
    let mut error = no_error();
    match function(&mut error) {
        sys::NWGPU_OK => Ok(()),
        _ => Err(Error::from_raw(&error)),
    }
}

/// A text of the library that lives as long as the process.
pub(crate) unsafe fn static_text(chars: *const c_char) -> &'static str {
    CStr::from_ptr(chars).to_str().unwrap_or("")
}

pub(crate) unsafe fn text(chars: *const c_char) -> String {
    CStr::from_ptr(chars).to_string_lossy().into_owned()
}
