// SPDX-License-Identifier: BSD-3-Clause
use crate::error::{call, Result};
use crate::Cigar;
use nwgpu_sys as sys;
use std::fmt;
use std::ptr::{null, null_mut, NonNull};
use std::sync::Arc;

/// Which letters there are, for scoring by match and mismatch. A pair with any other letter fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Alphabet {
    /// Bytes, compared as they are.
    Bytes,
    /// ACGT and the codes of IUPAC; U is T, case is folded.
    Dna,
    /// A to Z and `*`; case is folded.
    Protein,
}

/// What letters and gaps score. Costs are numbers >= 0: a gap of k letters costs `gap_open + k * gap_extend`.
///
/// ```
/// use nwgpu::{Alphabet, Scoring};
///
/// let reads = Scoring::dna(); // match 2, mismatch 4, gap of k letters 4 + 2 k
/// let edits = Scoring::uniform(0, 1).gaps(0, 1).alphabet(Alphabet::Dna); // the score is minus the edit distance
/// let proteins = Scoring::matrix("BLOSUM62")?.gaps(11, 1);
/// assert_eq!(Scoring::matrix("BLOSUM63").unwrap_err().message(), "no built-in matrix is named 'BLOSUM63'");
/// # Ok::<(), nwgpu::Error>(())
/// ```
#[derive(Clone)]
pub struct Scoring {
    scheme: sys::nwgpu_scoring,
    matrix: Option<Arc<Matrix>>, // what `scheme` points into; other pointers are static
}

// Matrices are never changed and destroyed on any thread, and letter codes are static.
unsafe impl Send for Scoring {}
unsafe impl Sync for Scoring {}

struct Matrix(NonNull<sys::nwgpu_matrix>);

unsafe impl Send for Matrix {}
unsafe impl Sync for Matrix {}

impl Drop for Matrix {
    fn drop(&mut self) {
        unsafe { sys::nwgpu_matrix_destroy(self.0.as_ptr()) }
    }
}

impl Scoring {
    /// `score` for an equal pair of letters, and the *cost* of any other; gaps cost nothing until [`gaps`](Self::gaps).
    pub fn uniform(score: i32, mismatch: i32) -> Scoring {
        let mut scheme = sys::default(sys::nwgpu_scoring_init);
        scheme.match_ = score;
        scheme.mismatch = mismatch;
        Scoring { scheme, matrix: None }
    }

    /// Match 2, mismatch 4, gaps 4 + 2 k, letters of DNA.
    pub fn dna() -> Scoring {
        Scoring::uniform(2, 4).gaps(4, 2).alphabet(Alphabet::Dna)
    }

    /// A built-in matrix ([`matrix_names`](crate::matrix_names) lists them; case does not matter), with gaps 11 + k.
    pub fn matrix(name: &str) -> Result<Scoring> {
        // C ends a name at a NUL, which no name has.
        let name: Vec<u8> = name.bytes().chain([0]).collect();
        Scoring::made(|matrix, error| unsafe { sys::nwgpu_matrix_create(name.as_ptr().cast(), matrix, error) })
    }

    /// A matrix in NCBI's text format, with gaps 11 + k.
    pub fn parse(text: &str) -> Result<Scoring> {
        Scoring::made(|matrix, error| unsafe {
            sys::nwgpu_matrix_parse(text.as_ptr().cast(), text.len() as u64, matrix, error)
        })
    }

    fn made(
        make: impl FnOnce(*mut *mut sys::nwgpu_matrix, *mut sys::nwgpu_error) -> sys::nwgpu_status,
    ) -> Result<Scoring> {
        let mut handle = null_mut();
        call(|error| make(&mut handle, error))?;
        let matrix = Matrix(NonNull::new(handle).expect("a made matrix is not NULL"));
        let mut scheme = sys::default(sys::nwgpu_scoring_init);
        unsafe {
            scheme.alphabet_size = sys::nwgpu_matrix_alphabet_size(handle);
            scheme.matrix = sys::nwgpu_matrix_scores(handle);
            scheme.letter_codes = sys::nwgpu_matrix_letter_codes(handle);
        }
        Ok(Scoring { scheme, matrix: Some(Arc::new(matrix)) }.gaps(11, 1))
    }

    /// A gap of k letters costs `open + k * extend`.
    pub fn gaps(mut self, open: i32, extend: i32) -> Scoring {
        self.scheme.gap_open = open;
        self.scheme.gap_extend = extend;
        self
    }

    /// Which letters there are; a matrix has letters of its own, and keeps them.
    pub fn alphabet(mut self, alphabet: Alphabet) -> Scoring {
        if self.matrix.is_none() {
            self.scheme.letter_codes = match alphabet {
                Alphabet::Bytes => null(),
                Alphabet::Dna => unsafe { sys::nwgpu_alphabet_letter_codes("dna\0".as_ptr().cast()) },
                Alphabet::Protein => unsafe { sys::nwgpu_alphabet_letter_codes("protein\0".as_ptr().cast()) },
            };
        }
        self
    }

    /// Scores a CIGAR from nothing but the aligned parts of two sequences, to check an answer. An error where the CIGAR
    /// does not fit them, or where an `=` or `X` does not hold.
    pub fn score(&self, query: &[u8], target: &[u8], cigar: Cigar<'_>) -> Result<i64> {
        let (runs, mut score) = (cigar.runs(), 0);
        call(|error| unsafe {
            sys::nwgpu_cigar_score(
                query.as_ptr(),
                query.len() as u64,
                target.as_ptr(),
                target.len() as u64,
                self.raw(),
                runs.as_ptr(),
                runs.len() as u64,
                &mut score,
                error,
            )
        })?;
        Ok(score)
    }

    pub(crate) fn raw(&self) -> *const sys::nwgpu_scoring {
        &self.scheme
    }
}

impl From<&Scoring> for Scoring {
    fn from(scoring: &Scoring) -> Scoring {
        scoring.clone()
    }
}

impl fmt::Debug for Scoring {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = f.debug_struct("Scoring");
        if self.matrix.is_some() {
            text.field("matrix_letters", &self.scheme.alphabet_size);
        } else {
            text.field("match", &self.scheme.match_).field("mismatch", &self.scheme.mismatch);
        }
        text.field("gap_open", &self.scheme.gap_open).field("gap_extend", &self.scheme.gap_extend).finish()
    }
}
