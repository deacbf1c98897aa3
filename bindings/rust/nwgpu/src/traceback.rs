// SPDX-License-Identifier: BSD-3-Clause
//! The call that finds CIGARs afterwards.
use crate::control::{control_methods, Control};
use crate::error::{call, Result};
use crate::{Alignments, Context, Sequences};
use nwgpu_sys as sys;
use std::ops::ControlFlow;
use std::ptr::{null, null_mut};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

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
