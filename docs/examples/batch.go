// SPDX-License-Identifier: BSD-3-Clause

// batch.c in Go: places reads in a reference, in one call; a read with a letter that is no nucleotide fails alone and
// says why.
package main

import (
	"context"
	"errors"
	"fmt"
	"log"

	"nwgpu"
)

func main() {
	c, err := nwgpu.NewContext(nwgpu.ContextOptions{})
	if err != nil {
		log.Fatal(err)
	}
	defer c.Close()
	reads, err := nwgpu.NewSequences(c, []string{"ACGTAC", "ACG?", "GATACA", ""})
	if err != nil {
		log.Fatal(err)
	}
	defer reads.Close()
	reference, err := nwgpu.NewSequences(c, []string{"TTTACGTACCCGGATTACAGGTTT"})
	if err != nil {
		log.Fatal(err)
	}
	defer reference.Close()
	result, err := c.Align(context.Background(), reads, reference, nwgpu.Options{
		Scoring:  nwgpu.Scoring{Match: 1, Mismatch: 4, GapOpen: 0, GapExtend: 2, Alphabet: nwgpu.DNA},
		AllPairs: true, // each read with the one reference
		Mode:     nwgpu.FreeEnding,
		FreeEnds: nwgpu.TargetBegin | nwgpu.TargetEnd,
		Output:   nwgpu.CIGARs,
	})
	if err != nil {
		log.Fatal(err)
	}
	defer result.Close()
	for read, score := range result.Scores() {
		var failed *nwgpu.Error
		if errors.As(result.Err(read), &failed) {
			fmt.Printf("read %d: %s\n", read, failed.Message)
			continue
		}
		span := result.Spans()[read]
		fmt.Printf("read %d: at %d-%d, score %d, %s\n", read, span.TargetBegin, span.TargetEnd, score, result.CIGAR(read))
	}
}
