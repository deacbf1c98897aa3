// SPDX-License-Identifier: BSD-3-Clause
//! Exact pairwise sequence alignment on CPU and GPU, with libnwgpu: Needleman-Wunsch, Smith-Waterman and everything
//! between, for sequences of any length, the full alignment in linear memory, and the same answer everywhere.
//!
//! ```
//! use nwgpu::{Mode, Scoring};
//!
//! let mut context = nwgpu::Context::builder().threads(2).build()?;
//! let reads = context.sequences(["GATTACA", "ACGT"])?;
//! let references = context.sequences(["CCGATACACC", "ACGT"])?;
//! let alignments = context.align(&reads, &references).scoring(Scoring::dna()).mode(Mode::Local).cigars()?;
//! for a in &alignments {
//!     println!("{} {}", a.score(), a.cigar());
//! }
//! assert_eq!(alignments.get(0).unwrap().cigar().to_string(), "4=");
//! # Ok::<(), nwgpu::Error>(())
//! ```
//!
//! A call takes whole batches. A pair that cannot be aligned, because of a letter outside the alphabet or a limit of
//! memory, harms no other: it has an error of its own, and a score of 0. [`Alignments::results`] gives a `Result` per
//! pair; [`Alignments::all`] asks that every pair succeeded.
//!
//! ```
//! # use nwgpu::{Context, Scoring, Status};
//! # let mut context = Context::builder().threads(1).build()?;
//! let queries = context.sequences(["GATTACA", "GAT-ACA"])?;
//! let targets = context.sequences(["GATACA", "GATACA"])?;
//! let alignments = context.align(&queries, &targets).scoring(Scoring::dna()).cigars()?;
//! let mut results = alignments.results();
//! assert_eq!(results.next().unwrap()?.cigar().to_string(), "2=1I4=");
//! let error = results.next().unwrap().unwrap_err();
//! assert_eq!((error.status(), error.pair()), (Status::INVALID_SEQUENCE, Some(1)));
//! assert_eq!(error.message(), "query: letter '-' at position 3 is not in the alphabet");
//! # Ok::<(), nwgpu::Error>(())
//! ```
//!
//! Costs are numbers >= 0, and a gap of k letters costs `gap_open + k * gap_extend`. Positions count from 0, ends are
//! exclusive. What the library guarantees is in its `docs/exactness.md`.

mod align;
mod alignments;
mod cigar;
mod context;
mod control;
mod error;
mod library;
mod options;
mod scoring;
mod sequences;
mod traceback;

pub use align::Align;
pub use alignments::{Alignment, Alignments, Iter, Results, Span};
pub use cigar::{Cigar, Operation};
pub use context::{Backend, Builder, Context, LogLevel};
pub use error::{Error, Result, Status};
pub use library::{build_info, devices, matrix_names, version, Device};
pub use options::{CigarStyle, Estimate, FreeEnds, Mode, Pair, Ties};
pub use scoring::{Alphabet, Scoring};
pub use sequences::Sequences;
pub use traceback::Traceback;
