// SPDX-License-Identifier: BSD-3-Clause

// The job of this folder (README.md) in Go.  The flags come from CGO_CFLAGS and CGO_LDFLAGS; a program of your own says
// #cgo pkg-config: nwgpu.
package main

// #include <nwgpu/nwgpu.h>
// #include <stdlib.h>
import "C"

import (
	"fmt"
	"os"
	"strings"
	"sync/atomic"
	"time"
	"unsafe"
)

// A call that failed.
type failure struct {
	status  C.nwgpu_status
	message string
}

func (f *failure) Error() string {
	return C.GoString(C.nwgpu_status_name(f.status)) + ": " + f.message
}

// Calls a function that reports by status, with room for its message.
func call(function func(e *C.nwgpu_error) C.nwgpu_status) error {
	var e C.nwgpu_error
	C.nwgpu_error_init(&e, C.sizeof_nwgpu_error)
	if status := function(&e); status != C.NWGPU_OK {
		return &failure{status, C.GoString(&e.message[0])}
	}
	return nil
}

func check(function func(e *C.nwgpu_error) C.nwgpu_status) {
	if err := call(function); err != nil {
		fmt.Println("failed:", err)
		os.Exit(1)
	}
}

func refused(what string, function func(e *C.nwgpu_error) C.nwgpu_status) {
	if err := call(function); err != nil {
		fmt.Printf("%s: %s\n", what, err)
	}
}

// Options that point to others have to lie in C's memory: cgo lets no Go pointer to a Go pointer through.
func options() *C.nwgpu_align_options {
	o := (*C.nwgpu_align_options)(C.calloc(1, C.sizeof_nwgpu_align_options))
	C.nwgpu_align_options_init(o, C.sizeof_nwgpu_align_options)
	return o
}

func entries(result *C.nwgpu_result) int {
	return int(C.nwgpu_result_count(result))
}

func printEntry(result *C.nwgpu_result, entry int, cigar string) {
	var e C.nwgpu_error
	C.nwgpu_error_init(&e, C.sizeof_nwgpu_error)
	C.nwgpu_result_pair_error(result, C.uint64_t(entry), &e)
	fmt.Printf("pair %d: ", unsafe.Slice(C.nwgpu_result_pairs(result), entries(result))[entry])
	if e.status == C.NWGPU_OK {
		fmt.Println(unsafe.Slice(C.nwgpu_result_scores(result), entries(result))[entry], cigar)
	} else {
		fmt.Println(&failure{e.status, C.GoString(&e.message[0])})
	}
}

func printCigars(result *C.nwgpu_result) {
	var runs *C.uint32_t
	var offsets *C.uint64_t
	check(func(e *C.nwgpu_error) C.nwgpu_status { return C.nwgpu_result_cigars(result, &runs, &offsets, e) })
	ends := unsafe.Slice(offsets, entries(result)+1)
	for entry := 0; entry < entries(result); entry++ {
		var cigar [64]C.char
		begin := unsafe.Slice(runs, ends[entry]+1)[ends[entry]:]
		C.nwgpu_cigar_to_text(&begin[0], ends[entry+1]-ends[entry], &cigar[0], C.uint64_t(len(cigar)))
		printEntry(result, entry, C.GoString(&cigar[0]))
	}
}

func sequences(context *C.nwgpu_context, texts ...string) *C.nwgpu_sequences {
	offsets := []C.uint64_t{0}
	for _, text := range texts {
		offsets = append(offsets, offsets[len(offsets)-1]+C.uint64_t(len(text)))
	}
	letters := C.CString(strings.Join(texts, ""))
	defer C.free(unsafe.Pointer(letters))
	var handle *C.nwgpu_sequences
	check(func(e *C.nwgpu_error) C.nwgpu_status {
		return C.nwgpu_sequences_create(context, (*C.uint8_t)(unsafe.Pointer(letters)), &offsets[0],
			C.uint64_t(len(texts)), &handle, e)
	})
	return handle
}

// Scores of a batch first, then the alignments of some of its pairs.
func batch(context *C.nwgpu_context, scoring *C.nwgpu_scoring) {
	queries := sequences(context, "GATTACA", "GAT-ACA", "", "ACGTACGT")
	targets := sequences(context, "GATACA", "GATACA", "AC", "ACGT")
	var result, traced *C.nwgpu_result
	check(func(e *C.nwgpu_error) C.nwgpu_status {
		return C.nwgpu_align(context, queries, targets, nil, 0, scoring, nil, &result, e)
	})
	fmt.Printf("%d pairs, %d failed\n", C.nwgpu_result_count(result), C.nwgpu_result_failed(result))
	for entry := 0; entry < entries(result); entry++ {
		printEntry(result, entry, "-")
	}
	var runs *C.uint32_t
	var offsets *C.uint64_t
	refused("no CIGARs", func(e *C.nwgpu_error) C.nwgpu_status {
		return C.nwgpu_result_cigars(result, &runs, &offsets, e)
	})

	scores := unsafe.Slice(C.nwgpu_result_scores(result), entries(result))
	chosen := []C.uint64_t{3, 1, 0}
	check(func(e *C.nwgpu_error) C.nwgpu_status {
		return C.nwgpu_traceback(context, queries, targets, result, &chosen[0], C.uint64_t(len(chosen)), nil, &traced, e)
	})
	printCigars(traced)
	C.nwgpu_sequences_destroy(targets)
	C.nwgpu_sequences_destroy(queries)
	C.nwgpu_result_destroy(traced)
	fmt.Println("the first scores:", scores[0], scores[1], scores[2], scores[3])
	C.nwgpu_result_destroy(result)
}

func createMatrix(name string, matrix **C.nwgpu_matrix) func(e *C.nwgpu_error) C.nwgpu_status {
	return func(e *C.nwgpu_error) C.nwgpu_status {
		text := C.CString(name)
		defer C.free(unsafe.Pointer(text))
		return C.nwgpu_matrix_create(text, matrix, e)
	}
}

// Several local alignments, with an option struct inside the options.
func top(context *C.nwgpu_context) {
	var matrix *C.nwgpu_matrix
	refused("no matrix", createMatrix("BLOSUM63", &matrix))
	check(createMatrix("blosum62", &matrix))
	var scoring C.nwgpu_scoring
	C.nwgpu_scoring_init(&scoring, C.sizeof_nwgpu_scoring)
	scoring.gap_open = 11
	scoring.gap_extend = 1
	scoring.alphabet_size = C.nwgpu_matrix_alphabet_size(matrix)
	scoring.matrix = C.nwgpu_matrix_scores(matrix)
	scoring.letter_codes = C.nwgpu_matrix_letter_codes(matrix)
	best := (*C.nwgpu_top)(C.calloc(1, C.sizeof_nwgpu_top))
	defer C.free(unsafe.Pointer(best))
	C.nwgpu_top_init(best, C.sizeof_nwgpu_top)
	best.alignments = 2
	o := options()
	defer C.free(unsafe.Pointer(o))
	o.mode = C.NWGPU_MODE_LOCAL
	o.output = C.NWGPU_OUTPUT_CIGAR
	o.top = best
	query, target := sequences(context, "WLKAWL"), sequences(context, "AWLKWL")
	var result *C.nwgpu_result
	check(func(e *C.nwgpu_error) C.nwgpu_status {
		return C.nwgpu_align(context, query, target, nil, 0, &scoring, o, &result, e)
	})
	printCigars(result)
	C.nwgpu_result_destroy(result)
	C.nwgpu_sequences_destroy(target)
	C.nwgpu_sequences_destroy(query)
	C.nwgpu_matrix_destroy(matrix)
}

// A call of minutes, ended by another goroutine.
func cancelled(context *C.nwgpu_context, scoring *C.nwgpu_scoring) {
	bytes := *scoring
	bytes.letter_codes = nil // zeros are letters, too
	control := (*C.nwgpu_control)(C.calloc(1, C.sizeof_nwgpu_control))
	defer C.free(unsafe.Pointer(control))
	C.nwgpu_control_init(control, C.sizeof_nwgpu_control)
	control.deadline_seconds = 60 // should cancelling fail
	o := options()
	defer C.free(unsafe.Pointer(o))
	o.every_cell = 1
	o.control = control
	const count = 1000000
	letters := C.calloc(count, 1) // a view keeps the pointer: that cannot be Go's
	defer C.free(letters)
	offsets := []C.uint64_t{0, count}
	var view *C.nwgpu_sequences
	var result *C.nwgpu_result
	check(func(e *C.nwgpu_error) C.nwgpu_status {
		return C.nwgpu_sequences_create_view(context, (*C.uint8_t)(letters), &offsets[0], 1, &view, e)
	})
	var ended int32
	left := make(chan bool)
	go func() { // the call may not have begun: asks again until it has ended
		for atomic.LoadInt32(&ended) == 0 {
			C.nwgpu_context_cancel(context)
			time.Sleep(time.Millisecond)
		}
		close(left)
	}()
	refused("cancelled", func(e *C.nwgpu_error) C.nwgpu_status {
		return C.nwgpu_align(context, view, view, nil, 0, &bytes, o, &result, e)
	})
	atomic.StoreInt32(&ended, 1)
	<-left
	C.nwgpu_sequences_destroy(view)
}

func main() {
	fmt.Println("ABI", C.nwgpu_abi_version())
	var o C.nwgpu_context_options
	C.nwgpu_context_options_init(&o, C.sizeof_nwgpu_context_options)
	o.backend = C.NWGPU_BACKEND_CPU
	o.cpu_threads = 2
	var context *C.nwgpu_context
	check(func(e *C.nwgpu_error) C.nwgpu_status { return C.nwgpu_context_create(&o, &context, e) })
	defer C.nwgpu_context_destroy(context)
	dna := C.CString("dna")
	defer C.free(unsafe.Pointer(dna))
	var scoring C.nwgpu_scoring
	C.nwgpu_scoring_init(&scoring, C.sizeof_nwgpu_scoring)
	scoring.match = 2
	scoring.mismatch = 4
	scoring.gap_open = 4
	scoring.gap_extend = 2
	scoring.letter_codes = C.nwgpu_alphabet_letter_codes(dna)
	batch(context, &scoring)
	top(context)
	cancelled(context, &scoring)
}
