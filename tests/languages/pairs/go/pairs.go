// SPDX-License-Identifier: BSD-3-Clause

// Aligns the pairs of a file that make.py wrote (../../README.md), with the package nwgpu.
package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"nwgpu"
)

func check(err error) {
	if err != nil {
		fmt.Println("failed:", err)
		os.Exit(1)
	}
}

func scoring(name string, s nwgpu.Scoring) nwgpu.Scoring {
	alphabet, ok := map[string]nwgpu.Alphabet{"bytes": nwgpu.Bytes, "dna": nwgpu.DNA, "protein": nwgpu.Protein}[name]
	s.Alphabet = alphabet
	if !ok {
		matrix, err := nwgpu.NewMatrix(name)
		check(err)
		s.Matrix = matrix
	}
	return s
}

const none = nwgpu.NoPosition

var nowhere = nwgpu.Span{QueryBegin: none, QueryEnd: none, TargetBegin: none, TargetEnd: none}

func place(position uint64) string {
	if position == none {
		return "-"
	}
	return fmt.Sprint(position)
}

// runSection reads a section after its first line, aligns its pairs, and prints them.
func runSection(c *nwgpu.Context, first string, lines *bufio.Scanner, out *bufio.Writer) {
	var section, count, hasBand int
	var name string
	var o nwgpu.Options
	var band nwgpu.Band
	_, err := fmt.Sscan(strings.TrimPrefix(first, "section "), &section, &o.Mode, &o.FreeEnds, &o.Output, &o.CIGARStyle,
		&o.Ties, &hasBand, &band.Lower, &band.Upper, &o.Top, &name, &o.Scoring.Match, &o.Scoring.Mismatch,
		&o.Scoring.GapOpen, &o.Scoring.GapExtend, &count)
	check(err)
	if hasBand == 1 {
		o.Band = &band
	}
	o.Scoring = scoring(name, o.Scoring)
	queries, targets := make([]string, count), make([]string, count)
	for i := range queries {
		lines.Scan()
		queries[i], targets[i], _ = strings.Cut(lines.Text(), "\t")
	}
	q, err := nwgpu.NewSequences(c, queries)
	check(err)
	defer q.Close()
	t, err := nwgpu.NewSequences(c, targets)
	check(err)
	defer t.Close()
	r, err := c.Align(context.Background(), q, t, o)
	check(err)
	defer r.Close()
	for entry, score := range r.Scores() {
		fmt.Fprint(out, section, r.Pairs()[entry], " ")
		var failed *nwgpu.Error
		if errors.As(r.Err(entry), &failed) {
			fmt.Fprintln(out, failed.Status, failed.Message)
			continue
		}
		span := nowhere
		if spans := r.Spans(); spans != nil {
			span = spans[entry]
		}
		cigar := "-"
		if o.Output == nwgpu.CIGARs {
			cigar = r.CIGAR(entry).String()
		}
		fmt.Fprintln(out, score, place(span.QueryBegin), place(span.QueryEnd), place(span.TargetBegin),
			place(span.TargetEnd), cigar)
	}
}

func main() {
	file, err := os.Open(os.Args[1])
	check(err)
	c, err := nwgpu.NewContext(nwgpu.ContextOptions{Backend: nwgpu.CPU, Threads: 2})
	check(err)
	defer c.Close()
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		runSection(c, lines.Text(), lines, out)
	}
	check(lines.Err())
}
