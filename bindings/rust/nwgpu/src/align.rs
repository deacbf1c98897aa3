// SPDX-License-Identifier: BSD-3-Clause
//! The calls that align: what they are told, and how they are watched.
use crate::error::{call, text, Error, Result, Status};
use crate::{Alignments, Context, Scoring, Sequences};
use nwgpu_sys as sys;
use std::any::Any;
use std::ffi::CString;
use std::ops::{BitOr, ControlFlow};
use std::os::raw::c_void;
use std::os::unix::ffi::OsStrExt;
use std::panic::{catch_unwind, resume_unwind, AssertUnwindSafe};
use std::path::Path;
use std::ptr::{null, null_mut};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// What an alignment spans.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mode {
    /// Both sequences from end to end.
    Global,
    /// The best part of both.
    Local,
    /// Global, but letters beyond these ends cost nothing.
    FreeEnds(FreeEnds),
    /// From both begins to the best end anywhere; on the CPU.
    Extend,
    /// From the best begin anywhere to both ends; on the CPU.
    ExtendLeft,
}

/// Ends beyond which letters cost nothing: `FreeEnds::TARGET_BEGIN | FreeEnds::TARGET_END` places a query in a target.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct FreeEnds(i32);

impl FreeEnds {
    pub const NONE: FreeEnds = FreeEnds(0);
    pub const QUERY_BEGIN: FreeEnds = FreeEnds(sys::NWGPU_FREE_QUERY_BEGIN);
    pub const QUERY_END: FreeEnds = FreeEnds(sys::NWGPU_FREE_QUERY_END);
    pub const TARGET_BEGIN: FreeEnds = FreeEnds(sys::NWGPU_FREE_TARGET_BEGIN);
    pub const TARGET_END: FreeEnds = FreeEnds(sys::NWGPU_FREE_TARGET_END);
}

impl BitOr for FreeEnds {
    type Output = FreeEnds;

    fn bitor(self, other: FreeEnds) -> FreeEnds {
        FreeEnds(self.0 | other.0)
    }
}

/// Which of several equally good alignments; docs/exactness.md of the library defines them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ties {
    /// The first end; pair, insertion, deletion.
    First,
    /// The last end, and the same path to it.
    LastEnd,
    /// The last end; deletion, insertion, pair.
    GapsFirst,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CigarStyle {
    /// `=` and `X`.
    Eqx,
    /// `M` for both.
    M,
}

/// Numbers of a query and a target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(C)]
pub struct Pair {
    pub query: u64,
    pub target: u64,
}

/// What a call would take. The bytes are upper bounds that it keeps to, the seconds a prediction.
#[derive(Clone, Debug, PartialEq)]
pub struct Estimate {
    pub pairs: u64,
    pub cells: u64,
    pub host_bytes: u64,
    pub device_bytes: u64,
    pub seconds: f64,
    /// A line per group of pairs, for people.
    pub plan: String,
}

type Progress<'a> = Box<dyn FnMut(u64, u64) -> ControlFlow<()> + 'a>;

/// How the caller watches and ends a call.
#[derive(Default)]
struct Control<'a> {
    progress: Option<Progress<'a>>,
    cancel: Option<&'a AtomicBool>,
    deadline: Option<Duration>,
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
    fn run(mut self, call: impl FnOnce(*const sys::nwgpu_control) -> Result<()>) -> Result<()> {
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

/// A call that aligns, before it is made: [`Context::align`] begins it.
#[must_use = "scores(), ends(), spans() or cigars() makes the call"]
pub struct Align<'a> {
    context: &'a mut Context,
    queries: &'a Sequences<'a>,
    targets: &'a Sequences<'a>,
    pairs: &'a [Pair],
    scoring: Option<Scoring>,
    options: sys::nwgpu_align_options, // the pointers in it are set when the call is made
    band: Option<sys::nwgpu_band>,
    top: Option<sys::nwgpu_top>,
    min_score: Option<i64>,
    checkpoint: Option<(sys::nwgpu_checkpoint, CString)>,
    control: Control<'a>,
}

impl<'a> Align<'a> {
    pub(crate) fn new(context: &'a mut Context, queries: &'a Sequences<'a>, targets: &'a Sequences<'a>) -> Align<'a> {
        Align {
            context,
            queries,
            targets,
            pairs: &[],
            scoring: None,
            options: sys::default(sys::nwgpu_align_options_init),
            band: None,
            top: None,
            min_score: None,
            checkpoint: None,
            control: Control::default(),
        }
    }

    /// Every call needs one.
    pub fn scoring(mut self, scoring: impl Into<Scoring>) -> Align<'a> {
        self.scoring = Some(scoring.into());
        self
    }

    pub fn mode(mut self, mode: Mode) -> Align<'a> {
        let (mode, ends) = match mode {
            Mode::Global => (sys::NWGPU_MODE_GLOBAL, FreeEnds::NONE),
            Mode::Local => (sys::NWGPU_MODE_LOCAL, FreeEnds::NONE),
            Mode::FreeEnds(ends) => (sys::NWGPU_MODE_FREE_ENDS, ends),
            Mode::Extend => (sys::NWGPU_MODE_EXTEND, FreeEnds::NONE),
            Mode::ExtendLeft => (sys::NWGPU_MODE_EXTEND_LEFT, FreeEnds::NONE),
        };
        self.options.mode = mode;
        self.options.free_ends = ends.0;
        self
    }

    /// Each query with each target, instead of the i-th with the i-th: pair number `query * targets.len() + target`.
    pub fn all_pairs(mut self) -> Align<'a> {
        self.options.pairing = sys::NWGPU_PAIRING_ALL;
        self
    }

    /// These pairs, instead of the i-th with the i-th.
    pub fn pairs(mut self, pairs: &'a [Pair]) -> Align<'a> {
        self.options.pairing = sys::NWGPU_PAIRING_LIST;
        self.pairs = pairs;
        self
    }

    pub fn ties(mut self, ties: Ties) -> Align<'a> {
        self.options.ties = match ties {
            Ties::First => sys::NWGPU_TIES_FIRST,
            Ties::LastEnd => sys::NWGPU_TIES_LAST_END,
            Ties::GapsFirst => sys::NWGPU_TIES_GAPS_FIRST,
        };
        self
    }

    pub fn cigar_style(mut self, style: CigarStyle) -> Align<'a> {
        self.options.cigar_style = match style {
            CigarStyle::Eqx => sys::NWGPU_CIGAR_EQX,
            CigarStyle::M => sys::NWGPU_CIGAR_M,
        };
        self
    }

    /// Computes every cell of the matrix, where the engine else leaves out those that provably matter for no optimum.
    /// The answer is the same.
    pub fn every_cell(mut self) -> Align<'a> {
        self.options.every_cell = 1;
        self
    }

    /// Only the cells with `lower <= target - query <= upper` exist, where target and query count the letters before
    /// the cell. A pair whose band holds no path fails with INVALID_ARGUMENT.
    pub fn band(mut self, lower: i64, upper: i64) -> Align<'a> {
        let mut band = sys::default(sys::nwgpu_band_init);
        band.lower = lower;
        band.upper = upper;
        self.band = Some(band);
        self
    }

    /// Up to so many local alignments per pair, best first; no two align the same two letters with each other. 1 is
    /// the default.
    pub fn top(mut self, alignments: u64) -> Align<'a> {
        let mut top = sys::default(sys::nwgpu_top_init);
        top.alignments = alignments;
        self.top = (alignments != 1).then_some(top);
        self
    }

    /// A pair whose best score is lower gets the status BELOW_MIN_SCORE, and no score, positions and CIGAR; with
    /// [`top`](Self::top), lower alignments are left out. A global pair that cannot reach it is given up early.
    pub fn min_score(mut self, score: i64) -> Align<'a> {
        self.min_score = Some(score);
        self
    }

    /// Saves what a long run needs to go on in a folder about every `every` of work (zero: a minute), for one pair per
    /// call. With `resume` it goes on where an earlier run of the same problem was stopped.
    pub fn checkpoint(mut self, folder: impl AsRef<Path>, every: Duration, resume: bool) -> Align<'a> {
        let mut checkpoint = sys::default(sys::nwgpu_checkpoint_init);
        checkpoint.resume = resume.into();
        checkpoint.seconds = every.as_secs_f64();
        // The library refuses an empty name; no folder has a NUL in its name.
        let folder = CString::new(folder.as_ref().as_os_str().as_bytes()).unwrap_or_default();
        self.checkpoint = Some((checkpoint, folder));
        self
    }

    control_methods!();

    /// Makes the call: scores only, which is fastest.
    ///
    /// The errors of the call as a whole are INVALID_ARGUMENT, UNSUPPORTED, TOO_LARGE, MEMORY_LIMIT or
    /// OUT_OF_HOST_MEMORY, CANCELLED, DEADLINE, CHECKPOINT, DEVICE, DEVICE_LOST; a pair that fails has its own in the
    /// result.
    pub fn scores(self) -> Result<Alignments> {
        self.made(sys::NWGPU_OUTPUT_SCORE)
    }

    /// Makes the call: scores, and where alignments end.
    pub fn ends(self) -> Result<Alignments> {
        self.made(sys::NWGPU_OUTPUT_END)
    }

    /// Makes the call: scores, and where alignments begin and end.
    pub fn spans(self) -> Result<Alignments> {
        self.made(sys::NWGPU_OUTPUT_SPAN)
    }

    /// Makes the call: scores, positions, and the alignments themselves.
    pub fn cigars(self) -> Result<Alignments> {
        self.made(sys::NWGPU_OUTPUT_CIGAR)
    }

    /// What [`cigars`](Self::cigars) would take; it computes some milliseconds to measure that.
    pub fn estimate(mut self) -> Result<Estimate> {
        self.options.output = sys::NWGPU_OUTPUT_CIGAR;
        let mut estimate = sys::default(sys::nwgpu_estimate_init);
        self.run(|c, q, t, pairs, count, scoring, options, error| unsafe {
            sys::nwgpu_align_estimate(c, q, t, pairs, count, scoring, options, &mut estimate, error)
        })?;
        Ok(Estimate {
            pairs: estimate.pairs,
            cells: estimate.cells,
            host_bytes: estimate.host_bytes,
            device_bytes: estimate.device_bytes,
            seconds: estimate.seconds,
            plan: unsafe { text(estimate.plan.as_ptr()) },
        })
    }

    fn made(mut self, output: i32) -> Result<Alignments> {
        self.options.output = output;
        let mut result = null_mut();
        self.run(|c, q, t, pairs, count, scoring, options, error| unsafe {
            sys::nwgpu_align(c, q, t, pairs, count, scoring, options, &mut result, error)
        })?;
        Ok(Alignments::new(result))
    }

    #[allow(clippy::type_complexity)]
    fn run(
        self,
        function: impl FnOnce(
            *mut sys::nwgpu_context,
            *const sys::nwgpu_sequences,
            *const sys::nwgpu_sequences,
            *const sys::nwgpu_pair,
            u64,
            *const sys::nwgpu_scoring,
            *const sys::nwgpu_align_options,
            *mut sys::nwgpu_error,
        ) -> sys::nwgpu_status,
    ) -> Result<()> {
        let Align { context, queries, targets, pairs, scoring, mut options, band, top, min_score, .. } = self;
        let Align { mut checkpoint, control, .. } = self;
        options.band = band.as_ref().map_or(null(), |band| band);
        options.top = top.as_ref().map_or(null(), |top| top);
        options.min_score = min_score.as_ref().map_or(null(), |score| score);
        options.checkpoint = checkpoint.as_mut().map_or(null(), |(checkpoint, folder)| {
            checkpoint.folder = folder.as_ptr();
            checkpoint
        });
        let scoring = scoring.as_ref().map_or(null(), Scoring::raw);
        let list = if pairs.is_empty() { null() } else { pairs.as_ptr().cast() };
        control.run(|control| {
            options.control = control;
            call(|error| {
                let (queries, targets) = (queries.raw(), targets.raw());
                function(context.raw(), queries, targets, list, pairs.len() as u64, scoring, &options, error)
            })
        })
    }
}

/// A call that finds the CIGARs of an earlier one, before it is made: [`Context::traceback`] begins it.
#[must_use = "cigars() makes the call"]
pub struct Traceback<'a> {
    context: &'a mut Context,
    queries: &'a Sequences<'a>,
    targets: &'a Sequences<'a>,
    alignments: &'a Alignments,
    entries: Option<&'a [u64]>,
    control: Control<'a>,
}

impl<'a> Traceback<'a> {
    pub(crate) fn new(
        context: &'a mut Context,
        queries: &'a Sequences<'a>,
        targets: &'a Sequences<'a>,
        alignments: &'a Alignments,
    ) -> Traceback<'a> {
        Traceback { context, queries, targets, alignments, entries: None, control: Control::default() }
    }

    /// Only these entries, in this order; without it, all.
    pub fn entries(mut self, entries: &'a [u64]) -> Traceback<'a> {
        self.entries = Some(entries);
        self
    }

    control_methods!();

    /// Makes the call. INVALID_ARGUMENT for other sequences than those of the earlier call.
    pub fn cigars(self) -> Result<Alignments> {
        let Traceback { context, queries, targets, alignments, entries, control } = self;
        let mut traced = null_mut();
        let (list, count) = entries.map_or((null(), 0), |entries| (entries.as_ptr(), entries.len() as u64));
        control.run(|control| {
            let (c, q, t) = (context.raw(), queries.raw(), targets.raw());
            call(|error| unsafe {
                sys::nwgpu_traceback(c, q, t, alignments.raw(), list, count, control, &mut traced, error)
            })
        })?;
        Ok(Alignments::new(traced))
    }
}
