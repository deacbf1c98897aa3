// SPDX-License-Identifier: BSD-3-Clause
//! What a call is asked for, and what it would take.
use nwgpu_sys as sys;
use std::ops::BitOr;

/// What an alignment spans.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mode {
    /// Both sequences from end to end.
    Global,
    /// The best part of both.
    Local,
    /// Global, but letters beyond these ends cost nothing.
    FreeEnds(FreeEnds),
    /// From both begins to the best end anywhere.
    Extend,
    /// From the best begin anywhere to both ends.
    ExtendLeft,
}

/// Ends beyond which letters cost nothing: `FreeEnds::TARGET_BEGIN | FreeEnds::TARGET_END` places a query in a target.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct FreeEnds(pub(crate) i32);

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
