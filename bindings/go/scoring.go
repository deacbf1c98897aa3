// SPDX-License-Identifier: BSD-3-Clause

package nwgpu

// #include <nwgpu/nwgpu.h>
// #include <stdlib.h>
import "C"

import (
	"runtime"
	"unsafe"
)

// An Alphabet says which letters there are, for scoring by match and mismatch.  A pair with any other letter fails.
type Alphabet int

const (
	Bytes   Alphabet = iota // compared as they are
	DNA                     // ACGT and the codes of IUPAC; U is T, case is folded
	Protein                 // A to Z and '*'; case is folded
)

// A Scoring says what letters and gaps score.  Costs are numbers >= 0: a gap of k letters costs GapOpen + k * GapExtend.
// Edit distance is Scoring{Mismatch: 1, GapExtend: 1}: the score is minus the distance.
type Scoring struct {
	Match, Mismatch    int32 // added for an equal pair of letters, and the cost of any other
	GapOpen, GapExtend int32
	Alphabet           Alphabet // of match and mismatch
	Matrix             *Matrix  // instead of Match, Mismatch and Alphabet, unless nil
}

// DNAScoring is match 2, mismatch 4, gaps 4 + 2 k, and the letters of DNA.
func DNAScoring() Scoring {
	return Scoring{Match: 2, Mismatch: 4, GapOpen: 4, GapExtend: 2, Alphabet: DNA}
}

// letterCodes of each Alphabet are static memory of the library.
var letterCodes = [...]*C.uint8_t{Bytes: nil, DNA: codesOf("dna"), Protein: codesOf("protein")}

func codesOf(name string) *C.uint8_t {
	text := C.CString(name)
	defer C.free(unsafe.Pointer(text))
	return C.nwgpu_alphabet_letter_codes(text)
}

// raw is valid for as long as s.Matrix is kept alive.
func (s *Scoring) raw() (C.nwgpu_scoring, error) {
	raw := C.nwgpu_scoring{
		struct_size: C.sizeof_nwgpu_scoring,
		match:       C.int32_t(s.Match), mismatch: C.int32_t(s.Mismatch),
		gap_open: C.int32_t(s.GapOpen), gap_extend: C.int32_t(s.GapExtend),
	}
	if s.Matrix != nil {
		raw.alphabet_size = C.nwgpu_matrix_alphabet_size(s.Matrix.handle)
		raw.matrix = C.nwgpu_matrix_scores(s.Matrix.handle)
		raw.letter_codes = C.nwgpu_matrix_letter_codes(s.Matrix.handle)
		return raw, nil
	}
	if s.Alphabet < 0 || int(s.Alphabet) >= len(letterCodes) {
		return raw, &Error{Status: InvalidArgument, Pair: -1, Message: "there is no such Alphabet"}
	}
	raw.letter_codes = letterCodes[s.Alphabet]
	return raw, nil
}

// A Matrix scores pairs of letters.  It may be used by several goroutines at once; its memory is given back when it is
// garbage.
type Matrix struct{ handle *C.nwgpu_matrix }

// NewMatrix gives a built-in matrix; case does not matter.  Errors: NotFound.
func NewMatrix(name string) (*Matrix, error) {
	text := C.CString(name)
	defer C.free(unsafe.Pointer(text))
	var handle *C.nwgpu_matrix
	f := newFailure()
	return ownMatrix(check(C.nwgpu_matrix_create(text, &handle, f.raw()), f), handle)
}

// ParseMatrix reads a matrix in NCBI's text format.  Errors: InvalidMatrix, with the line in the message.
func ParseMatrix(text string) (*Matrix, error) {
	chars := C.CString(text)
	defer C.free(unsafe.Pointer(chars))
	var handle *C.nwgpu_matrix
	f := newFailure()
	return ownMatrix(check(C.nwgpu_matrix_parse(chars, C.uint64_t(len(text)), &handle, f.raw()), f), handle)
}

func ownMatrix(err error, handle *C.nwgpu_matrix) (*Matrix, error) {
	if err != nil {
		return nil, err
	}
	m := &Matrix{handle}
	runtime.SetFinalizer(m, func(m *Matrix) { C.nwgpu_matrix_destroy(m.handle) })
	return m, nil
}

// MatrixNames lists the built-in matrices.
func MatrixNames() ([]string, error) {
	names := make([]string, 0, C.nwgpu_matrix_count())
	for i := C.uint64_t(0); i < C.nwgpu_matrix_count(); i++ {
		info := C.nwgpu_matrix_info{struct_size: C.sizeof_nwgpu_matrix_info}
		f := newFailure()
		if err := check(C.nwgpu_matrix_describe(i, &info, f.raw()), f); err != nil {
			return nil, err
		}
		names = append(names, C.GoString(info.name))
	}
	return names, nil
}

// Score scores a CIGAR from nothing but the aligned parts of two sequences, to check an answer.  Errors:
// InvalidArgument where the CIGAR does not fit them, or where an = or X does not hold; InvalidSequence.
func (s Scoring) Score(query, target string, cigar CIGAR) (int64, error) {
	raw, err := s.raw()
	if err != nil {
		return 0, err
	}
	q, t := C.CString(query), C.CString(target)
	defer C.free(unsafe.Pointer(q))
	defer C.free(unsafe.Pointer(t))
	var score C.int64_t
	f := newFailure()
	status := C.nwgpu_cigar_score((*C.uint8_t)(unsafe.Pointer(q)), C.uint64_t(len(query)),
		(*C.uint8_t)(unsafe.Pointer(t)), C.uint64_t(len(target)), &raw, first[C.uint32_t](cigar),
		C.uint64_t(len(cigar)), &score, f.raw())
	runtime.KeepAlive(s.Matrix)
	return int64(score), check(status, f)
}
