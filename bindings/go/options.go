// SPDX-License-Identifier: BSD-3-Clause

package nwgpu

// #include <nwgpu/nwgpu.h>
import "C"

import "time"

// A Mode says what an alignment spans.
type Mode int32

const (
	Global     Mode = C.NWGPU_MODE_GLOBAL      // both sequences from end to end
	Local      Mode = C.NWGPU_MODE_LOCAL       // the best part of both
	FreeEnding Mode = C.NWGPU_MODE_FREE_ENDS   // global, but letters beyond the FreeEnds cost nothing
	Extend     Mode = C.NWGPU_MODE_EXTEND      // from both begins to the best end anywhere
	ExtendLeft Mode = C.NWGPU_MODE_EXTEND_LEFT // from the best begin anywhere to both ends
)

// FreeEnds are ends beyond which letters cost nothing: TargetBegin | TargetEnd places a query in a target.
type FreeEnds int32

const (
	QueryBegin  FreeEnds = C.NWGPU_FREE_QUERY_BEGIN
	QueryEnd    FreeEnds = C.NWGPU_FREE_QUERY_END
	TargetBegin FreeEnds = C.NWGPU_FREE_TARGET_BEGIN
	TargetEnd   FreeEnds = C.NWGPU_FREE_TARGET_END
)

// An Output says what is wanted; each holds what the one before it holds.
type Output int32

const (
	Scores Output = C.NWGPU_OUTPUT_SCORE
	Ends   Output = C.NWGPU_OUTPUT_END   // and where alignments end
	Spans  Output = C.NWGPU_OUTPUT_SPAN  // and where they begin
	CIGARs Output = C.NWGPU_OUTPUT_CIGAR // and the alignments themselves
)

// A Ties says which of several equally good alignments is taken; docs/exactness.md of the library defines them.
type Ties int32

const (
	First     Ties = C.NWGPU_TIES_FIRST      // the first end; pair, insertion, deletion
	LastEnd   Ties = C.NWGPU_TIES_LAST_END   // the last end, and the same path to it
	GapsFirst Ties = C.NWGPU_TIES_GAPS_FIRST // the last end; deletion, insertion, pair
)

// A CIGARStyle says how a letter beside a letter is written.
type CIGARStyle int32

const (
	EQX CIGARStyle = C.NWGPU_CIGAR_EQX // = and X
	M   CIGARStyle = C.NWGPU_CIGAR_M   // M for both
)

// A Pair has the numbers of a query and a target.
type Pair struct{ Query, Target uint64 }

// A Band holds the only cells that exist: Lower <= target - query <= Upper, where target and query count the letters
// before the cell.  A pair whose band holds no path fails with InvalidArgument.
type Band struct{ Lower, Upper int64 }

// A Best says how many pairs of each query get entries: so many, the best first, of equal scores in the order of their
// numbers; then those that failed.  Scores of all pairs are computed first, and the rest for the chosen ones alone.
type Best struct {
	Targets  uint64 // 1 at least
	AllEqual bool   // and all others with the score of the last one
}

// A Checkpoint lets a long call of one pair go on after a crash.
type Checkpoint struct {
	Folder string
	Every  time.Duration // of work, about; 0: a minute
	Resume bool          // goes on where an earlier run of the same problem was stopped
}

// Options say how pairs are aligned.  The zero value aligns the i-th query with the i-th target, from end to end, for
// scores alone; only Scoring must be given.
type Options struct {
	Scoring    Scoring
	Mode       Mode
	FreeEnds   FreeEnds // of the mode FreeEnding
	Output     Output
	CIGARStyle CIGARStyle
	Ties       Ties
	AllPairs   bool   // each query with each target: pair number query * targets.Len() + target
	Pairs      []Pair // unless nil: these pairs
	EveryCell  bool   // computes what provably matters for no optimum, too; the answer is the same
	Band       *Band
	Top        int // up to so many local alignments of each pair, best first; 0 or 1: one
	// MinScore, unless nil: a pair whose best score is lower has the status BelowMinScore, and no score, positions and
	// CIGAR; with Top, lower alignments are left out.  A global pair that cannot reach it is given up early.
	MinScore *int64
	// Best, unless nil: entries for the pairs of each query with the best scores alone, and for those that failed.
	Best       *Best
	Checkpoint *Checkpoint
	// Progress is called with matrix cells done and in all, about every 100 ms, by a goroutine that ends before the call
	// returns.
	Progress func(done, total uint64)
}
