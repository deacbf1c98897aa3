// SPDX-License-Identifier: BSD-3-Clause

package nwgpu_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"time"

	"nwgpu"
)

func Example() {
	c, err := nwgpu.NewContext(nwgpu.ContextOptions{Threads: 2})
	if err != nil {
		log.Fatal(err)
	}
	defer c.Close()
	reads, err := nwgpu.NewSequences(c, []string{"GATTACA", "ACGT"})
	if err != nil {
		log.Fatal(err)
	}
	defer reads.Close()
	references, err := nwgpu.NewSequences(c, []string{"CCGATACACC", "ACGT"})
	if err != nil {
		log.Fatal(err)
	}
	defer references.Close()
	result, err := c.Align(context.Background(), reads, references, nwgpu.Options{
		Scoring: nwgpu.DNAScoring(), Mode: nwgpu.Local, Output: nwgpu.CIGARs,
	})
	if err != nil {
		log.Fatal(err)
	}
	defer result.Close()
	for entry, score := range result.Scores() {
		fmt.Println(score, result.CIGAR(entry))
	}
	// Output:
	// 8 4=
	// 8 4=
}

// A pair that cannot be aligned has its own error, and harms no other.
func ExampleResult_Err() {
	c, _ := nwgpu.NewContext(nwgpu.ContextOptions{Backend: nwgpu.CPU, Threads: 1})
	defer c.Close()
	queries, _ := nwgpu.NewSequences(c, []string{"GATTACA", "GAT-ACA"})
	targets, _ := nwgpu.NewSequences(c, []string{"GATACA", "GATACA"})
	result, err := c.Align(context.Background(), queries, targets, nwgpu.Options{
		Scoring: nwgpu.DNAScoring(), Output: nwgpu.CIGARs,
	})
	if err != nil {
		log.Fatal(err)
	}
	defer result.Close()
	for entry := range result.Scores() {
		var failed *nwgpu.Error
		if err := result.Err(entry); errors.As(err, &failed) {
			fmt.Println(failed.Pair, failed.Status, failed.Message)
		} else {
			fmt.Println(result.Pairs()[entry], result.Scores()[entry], result.CIGAR(entry))
		}
	}
	// Output:
	// 0 6 2=1I4=
	// 1 NWGPU_ERROR_INVALID_SEQUENCE query: letter '-' at position 3 is not in the alphabet
}

// A context.Context ends a call.
func ExampleContext_Align_cancel() {
	c, _ := nwgpu.NewContext(nwgpu.ContextOptions{Backend: nwgpu.CPU, Threads: 1})
	defer c.Close()
	long, _ := nwgpu.NewSequences(c, [][]byte{make([]byte, 1000000)})
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	_, err := c.Align(ctx, long, long, nwgpu.Options{Scoring: nwgpu.Scoring{Mismatch: 1, GapExtend: 1}, EveryCell: true})
	fmt.Println(errors.Is(err, context.DeadlineExceeded), errors.Is(err, nwgpu.DeadlineExceeded))
	// Output: true true
}

// Proteins, with a built-in matrix.
func ExampleNewMatrix() {
	c, _ := nwgpu.NewContext(nwgpu.ContextOptions{Backend: nwgpu.CPU, Threads: 1})
	defer c.Close()
	blosum62, err := nwgpu.NewMatrix("BLOSUM62")
	if err != nil {
		log.Fatal(err)
	}
	queries, _ := nwgpu.NewSequences(c, []string{"WLKAWL"})
	targets, _ := nwgpu.NewSequences(c, []string{"AWLKWL"})
	result, err := c.Align(context.Background(), queries, targets, nwgpu.Options{
		Scoring: nwgpu.Scoring{Matrix: blosum62, GapOpen: 11, GapExtend: 1}, Mode: nwgpu.Local, Output: nwgpu.CIGARs, Top: 2,
	})
	if err != nil {
		log.Fatal(err)
	}
	defer result.Close()
	for entry, span := range result.Spans() {
		fmt.Println(result.Scores()[entry], result.CIGAR(entry), span)
	}
	_, err = nwgpu.NewMatrix("BLOSUM63")
	fmt.Println(err)
	// Output:
	// 23 3=1I2= {0 6 1 6}
	// 19 3= {3 6 0 3}
	// no built-in matrix is named 'BLOSUM63' (NWGPU_ERROR_NOT_FOUND)
}
