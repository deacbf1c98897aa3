// SPDX-License-Identifier: BSD-3-Clause
//! The call that aligns.
use crate::control::{control_methods, Control};
use crate::error::{call, text, Result};
use crate::options::{CigarStyle, Estimate, FreeEnds, Mode, Pair, Ties};
use crate::{Alignments, Context, Scoring, Sequences};
use nwgpu_sys as sys;
use std::ffi::CString;
use std::ops::ControlFlow;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::ptr::{null, null_mut};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

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
    best: Option<sys::nwgpu_best>,
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
            best: None,
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

    /// Entries for the pairs of each query with the best scores alone: so many, the best first, of equal scores in the
    /// order of their numbers, and with `all_equal` all others with the score of the last one; then those that failed.
    /// Scores of all pairs are computed first, and the rest for the chosen ones alone.
    pub fn best(mut self, targets: u64, all_equal: bool) -> Align<'a> {
        let mut best = sys::default(sys::nwgpu_best_init);
        best.targets = targets;
        best.all_equal = all_equal.into();
        self.best = Some(best);
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
        let Align { context, queries, targets, pairs, scoring, mut options, band, top, .. } = self;
        let Align { best, min_score, mut checkpoint, control, .. } = self;
        options.band = band.as_ref().map_or(null(), |band| band);
        options.top = top.as_ref().map_or(null(), |top| top);
        options.best = best.as_ref().map_or(null(), |best| best);
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
