// SPDX-License-Identifier: BSD-3-Clause
use crate::error::{no_error, Error, Result, Status};
use crate::Cigar;
use nwgpu_sys as sys;
use std::fmt;
use std::iter::FusedIterator;
use std::ops::Range;
use std::ptr::{null, null_mut, NonNull};
use std::slice::from_raw_parts;

/// Where an alignment lies in the query and in the target; `u64::MAX` stands for a position that was not asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(C)]
pub struct Span {
    pub query_begin: u64,
    pub query_end: u64,
    pub target_begin: u64,
    pub target_end: u64,
}

impl Span {
    /// The aligned part of the query; both positions must have been asked for.
    pub fn query(self) -> Range<usize> {
        self.query_begin as usize..self.query_end as usize
    }

    /// The aligned part of the target.
    pub fn target(self) -> Range<usize> {
        self.target_begin as usize..self.target_end as usize
    }
}

/// What a call found: an entry per pair, in order (with [`top`](crate::Align::top) an entry per alignment). Slices,
/// spans and CIGARs lie in the library's memory, and are not copied.
pub struct Alignments {
    handle: NonNull<sys::nwgpu_result>,
    count: usize,
    // Of arrays that the library does not change until the handle is destroyed; never NULL, but for spans.
    pairs: *const u64,
    statuses: *const Status, // a transparent nwgpu_status
    scores: *const i64,
    spans: *const Span, // NULL with scores only; four u64, as the library has them
    cigars: Option<Cigars>,
}

struct Cigars {
    runs: *const u32,
    offsets: *const u64, // of count + 1 entries: entry i has runs[offsets[i]..offsets[i + 1]]
}

// The library reads results on any thread, at the same time, and destroys them on any.
unsafe impl Send for Alignments {}
unsafe impl Sync for Alignments {}

impl Alignments {
    pub(crate) fn new(handle: *mut sys::nwgpu_result) -> Alignments {
        let handle = NonNull::new(handle).expect("a made result is not NULL");
        let raw = handle.as_ptr();
        unsafe {
            let (mut runs, mut offsets) = (null(), null());
            let has_cigars = sys::nwgpu_result_cigars(raw, &mut runs, &mut offsets, null_mut()) == sys::NWGPU_OK;
            Alignments {
                handle,
                count: sys::nwgpu_result_count(raw) as usize,
                pairs: sys::nwgpu_result_pairs(raw),
                statuses: sys::nwgpu_result_statuses(raw).cast(),
                scores: sys::nwgpu_result_scores(raw),
                spans: sys::nwgpu_result_spans(raw).cast(),
                cigars: has_cigars.then_some(Cigars { runs, offsets }),
            }
        }
    }

    /// How many entries there are.
    pub fn len(&self) -> usize {
        self.count
    }

    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// How many entries stand for pairs that failed.
    pub fn failed(&self) -> usize {
        unsafe { sys::nwgpu_result_failed(self.raw()) as usize }
    }

    /// The pair that each entry belongs to.
    pub fn pairs(&self) -> &[u64] {
        unsafe { from_raw_parts(self.pairs, self.count) }
    }

    pub fn statuses(&self) -> &[Status] {
        unsafe { from_raw_parts(self.statuses, self.count) }
    }

    /// 0 for pairs that failed.
    pub fn scores(&self) -> &[i64] {
        unsafe { from_raw_parts(self.scores, self.count) }
    }

    /// None where only scores were asked for.
    pub fn spans(&self) -> Option<&[Span]> {
        (!self.spans.is_null()).then(|| unsafe { from_raw_parts(self.spans, self.count) })
    }

    /// The runs of all CIGARs in one slice, and offsets: entry i has `runs[offsets[i]..offsets[i + 1]]`. None where no
    /// CIGARs were asked for.
    pub fn runs(&self) -> Option<(&[u32], &[u64])> {
        self.cigars.as_ref().map(|cigars| unsafe {
            let offsets = from_raw_parts(cigars.offsets, self.count + 1);
            (from_raw_parts(cigars.runs, offsets[self.count] as usize), offsets)
        })
    }

    /// An entry, of a pair that succeeded or failed.
    pub fn get(&self, index: usize) -> Option<Alignment<'_>> {
        (index < self.count).then_some(Alignment { alignments: self, index })
    }

    /// The entries, of pairs that succeeded or failed.
    pub fn iter(&self) -> Iter<'_> {
        Iter { alignments: self, indices: 0..self.count }
    }

    /// A `Result` per entry.
    pub fn results(&self) -> Results<'_> {
        Results(self.iter())
    }

    /// Itself where every pair succeeded, else the error of the first that failed.
    pub fn all(self) -> Result<Alignments> {
        let failure = if self.failed() == 0 { None } else { self.iter().find_map(Alignment::error) };
        failure.map_or(Ok(self), Err)
    }

    pub(crate) fn raw(&self) -> *const sys::nwgpu_result {
        self.handle.as_ptr()
    }
}

impl Drop for Alignments {
    fn drop(&mut self) {
        unsafe { sys::nwgpu_result_destroy(self.handle.as_ptr()) }
    }
}

impl fmt::Debug for Alignments {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self).finish()
    }
}

/// One entry of [`Alignments`].
#[derive(Clone, Copy)]
pub struct Alignment<'a> {
    alignments: &'a Alignments,
    index: usize,
}

impl<'a> Alignment<'a> {
    /// The pair that it belongs to.
    pub fn pair(self) -> u64 {
        self.alignments.pairs()[self.index]
    }

    pub fn status(self) -> Status {
        self.alignments.statuses()[self.index]
    }

    /// Why the pair failed, if it did.
    pub fn error(self) -> Option<Error> {
        (self.status() != Status::OK).then(|| {
            let mut error = no_error();
            unsafe { sys::nwgpu_result_pair_error(self.alignments.raw(), self.index as u64, &mut error) };
            Error::from_raw(&error)
        })
    }

    /// Itself where the pair succeeded.
    pub fn result(self) -> Result<Alignment<'a>> {
        self.error().map_or(Ok(self), Err)
    }

    /// 0 where the pair failed.
    pub fn score(self) -> i64 {
        self.alignments.scores()[self.index]
    }

    /// None where the pair failed, or only scores were asked for.
    pub fn span(self) -> Option<Span> {
        self.alignments.spans().filter(|_| self.status() == Status::OK).map(|spans| spans[self.index])
    }

    /// Without runs where the pair failed or no CIGARs were asked for: displayed as `*`, which SAM writes for a CIGAR
    /// that there is not.
    pub fn cigar(self) -> Cigar<'a> {
        Cigar::new(self.alignments.cigars.as_ref().map_or(&[], |cigars| unsafe {
            let begin = *cigars.offsets.add(self.index) as usize;
            let end = *cigars.offsets.add(self.index + 1) as usize;
            from_raw_parts(cigars.runs.add(begin), end - begin)
        }))
    }
}

impl fmt::Debug for Alignment<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.error() {
            Some(error) => write!(f, "pair {}: {error}", self.pair()),
            None => write!(f, "pair {}: {} {}", self.pair(), self.score(), self.cigar()),
        }
    }
}

/// The entries of [`Alignments`].
#[derive(Clone, Debug)]
pub struct Iter<'a> {
    alignments: &'a Alignments,
    indices: Range<usize>,
}

/// The entries of [`Alignments`] that succeeded, and the errors of those that failed.
#[derive(Clone, Debug)]
pub struct Results<'a>(Iter<'a>);

impl<'a> Iterator for Iter<'a> {
    type Item = Alignment<'a>;

    fn next(&mut self) -> Option<Alignment<'a>> {
        self.indices.next().map(|index| Alignment { alignments: self.alignments, index })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.indices.size_hint()
    }
}

impl DoubleEndedIterator for Iter<'_> {
    fn next_back(&mut self) -> Option<Self::Item> {
        self.indices.next_back().map(|index| Alignment { alignments: self.alignments, index })
    }
}

impl ExactSizeIterator for Iter<'_> {}
impl FusedIterator for Iter<'_> {}

impl<'a> Iterator for Results<'a> {
    type Item = Result<Alignment<'a>>;

    fn next(&mut self) -> Option<Self::Item> {
        self.0.next().map(Alignment::result)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

impl ExactSizeIterator for Results<'_> {}
impl FusedIterator for Results<'_> {}

impl<'a> IntoIterator for &'a Alignments {
    type Item = Alignment<'a>;
    type IntoIter = Iter<'a>;

    fn into_iter(self) -> Iter<'a> {
        self.iter()
    }
}
