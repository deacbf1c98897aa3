// SPDX-License-Identifier: BSD-3-Clause
use std::fmt;

/// What a run of a CIGAR does, as SAM says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operation {
    /// `M`: a letter beside a letter, with [`CigarStyle::M`](crate::CigarStyle::M).
    Pair,
    /// `I`: letters of the query only.
    Insertion,
    /// `D`: letters of the target only.
    Deletion,
    /// `=`
    Equal,
    /// `X`
    Mismatch,
}

impl Operation {
    pub fn letter(self) -> char {
        match self {
            Operation::Pair => 'M',
            Operation::Insertion => 'I',
            Operation::Deletion => 'D',
            Operation::Equal => '=',
            Operation::Mismatch => 'X',
        }
    }

    fn of(run: u32) -> Operation {
        match run & 15 {
            0 => Operation::Pair,
            1 => Operation::Insertion,
            2 => Operation::Deletion,
            7 => Operation::Equal,
            8 => Operation::Mismatch,
            code => unreachable!("no CIGAR of this library has operation {code}"),
        }
    }
}

/// The CIGAR of an alignment: runs that lie in its [`Alignments`](crate::Alignments). Displayed as SAM writes it:
/// `2=1I4=`, or `*` for no runs.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Cigar<'a> {
    runs: &'a [u32],
}

impl<'a> Cigar<'a> {
    pub(crate) fn new(runs: &'a [u32]) -> Cigar<'a> {
        Cigar { runs }
    }

    /// In the encoding of BAM: `length << 4 | operation`.
    pub fn runs(self) -> &'a [u32] {
        self.runs
    }

    pub fn is_empty(self) -> bool {
        self.runs.is_empty()
    }

    /// Lengths and operations.
    pub fn iter(self) -> impl DoubleEndedIterator<Item = (u32, Operation)> + ExactSizeIterator + Clone + 'a {
        self.runs.iter().map(|&run| (run >> 4, Operation::of(run)))
    }
}

impl fmt::Display for Cigar<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use fmt::Write;
        if self.is_empty() {
            return f.write_char('*');
        }
        for (length, operation) in self.iter() {
            write!(f, "{length}")?;
            f.write_char(operation.letter())?;
        }
        Ok(())
    }
}

impl fmt::Debug for Cigar<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Cigar({self})")
    }
}
