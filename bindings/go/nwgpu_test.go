// SPDX-License-Identifier: BSD-3-Clause

package nwgpu

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

func newContext(t *testing.T) *Context {
	t.Helper()
	c, err := NewContext(ContextOptions{Backend: CPU, Threads: 2})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

func sequences(t *testing.T, c *Context, texts ...string) *Sequences {
	t.Helper()
	s, err := NewSequences(c, texts)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func align(t *testing.T, c *Context, queries, targets *Sequences, o Options) *Result {
	t.Helper()
	r, err := c.Align(context.Background(), queries, targets, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.Close)
	return r
}

func expect(t *testing.T, got, want any) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func expectStatus(t *testing.T, err error, want Status) {
	t.Helper()
	var e *Error
	if !errors.As(err, &e) || e.Status != want || !errors.Is(err, want) || errors.Is(err, OK) {
		t.Errorf("got %v, want %v", err, want)
	}
}

func text(r *Result) string {
	var lines []string
	for entry, score := range r.Scores() {
		lines = append(lines, fmt.Sprint(r.Pairs()[entry], score, r.CIGAR(entry)))
	}
	return strings.Join(lines, ", ")
}

// edits is edit distance, of bytes as they are.
var edits = Scoring{Mismatch: 1, GapExtend: 1}

// longCall takes minutes.
func longCall(ctx context.Context, t *testing.T, c *Context, progress func(done, total uint64)) error {
	t.Helper()
	long, err := NewSequences(c, [][]byte{make([]byte, 1000000)})
	if err != nil {
		t.Fatal(err)
	}
	defer long.Close()
	ctx, cancel := context.WithTimeout(ctx, time.Minute) // should cancelling fail
	defer cancel()
	_, err = c.Align(ctx, long, long, Options{Scoring: edits, EveryCell: true, Progress: progress})
	return err
}

func TestBatch(t *testing.T) {
	c := newContext(t)
	queries := sequences(t, c, "GATTACA", "GAT-ACA", "", "ACGTACGT")
	targets := sequences(t, c, "GATACA", "GATACA", "AC", "ACGT")
	r := align(t, c, queries, targets, Options{Scoring: DNAScoring(), Output: CIGARs})
	expect(t, text(r), "0 6 2=1I4=, 1 0 *, 2 -8 2D, 3 -4 4I4=")
	expect(t, []int{queries.Len(), r.Len(), r.Failed()}, []int{4, 4, 1})
	expect(t, r.Statuses(), []Status{OK, InvalidSequence, OK, OK})
	expect(t, r.Spans()[0], Span{0, 7, 0, 6})
	runs, offsets := r.Runs()
	expect(t, offsets[4], uint64(len(runs)))
	if &runs[0] != &r.CIGAR(0)[0] {
		t.Error("CIGARs are copied")
	}
	expect(t, r.Err(0), nil)
	var e *Error
	if !errors.As(r.Err(1), &e) {
		t.Fatal(r.Err(1))
	}
	expect(t, *e, Error{InvalidSequence, 1, 0, "query: letter '-' at position 3 is not in the alphabet", nil})
	expect(t, e.Error(), e.Message+" (NWGPU_ERROR_INVALID_SEQUENCE)")
}

func TestOptionsReachTheLibrary(t *testing.T) {
	c := newContext(t)
	blosum62, err := NewMatrix("blosum62")
	if err != nil {
		t.Fatal(err)
	}
	proteins := Scoring{Matrix: blosum62, GapOpen: 11, GapExtend: 1}
	queries, targets := sequences(t, c, "WLKAWL", "AWL"), sequences(t, c, "AWLKWL")
	o := Options{Scoring: proteins, Mode: Local, Output: CIGARs, AllPairs: true, Top: 2}
	expect(t, text(align(t, c, queries, targets, o)), "0 23 3=1I2=, 0 19 3=, 1 19 3=, 1 15 2=")
	o = Options{Scoring: proteins, Mode: FreeEnding, FreeEnds: TargetBegin | TargetEnd, Output: CIGARs, CIGARStyle: M}
	o.Pairs = []Pair{{1, 0}}
	expect(t, text(align(t, c, queries, targets, o)), "0 19 3M")
	o.Mode, o.FreeEnds, o.CIGARStyle = Extend, 0, EQX
	expect(t, text(align(t, c, queries, targets, o)), "0 19 3=")
	o.Mode = ExtendLeft
	expect(t, text(align(t, c, queries, targets, o)), "0 15 2=")
	o.Pairs = []Pair{}
	expect(t, text(align(t, c, queries, targets, o)), "")

	two, three := sequences(t, c, "AA"), sequences(t, c, "AAA")
	many := sequences(t, c, "AAA", "AA", "A", "AA")
	nearest := Options{Scoring: edits, Output: CIGARs, AllPairs: true, Best: &Best{Targets: 1}}
	expect(t, text(align(t, c, two, many, nearest)), "1 0 2=")
	nearest.Best.AllEqual = true
	expect(t, text(align(t, c, two, many, nearest)), "1 0 2=, 3 0 2=")
	expect(t, text(align(t, c, two, three, Options{Scoring: edits, Output: CIGARs})), "0 -1 1D2=")
	expect(t, text(align(t, c, two, three, Options{Scoring: edits, Output: CIGARs, Ties: GapsFirst})), "0 -1 2=1D")
	expectStatus(t, align(t, c, two, three, Options{Scoring: edits, Band: &Band{0, 0}}).Err(0), InvalidArgument)

	least := int64(-1)
	expect(t, text(align(t, c, two, three, Options{Scoring: edits, MinScore: &least})), "0 -1 *")
	least = 0
	expectStatus(t, align(t, c, two, three, Options{Scoring: edits, MinScore: &least}).Err(0), BelowMinScore)

	estimate, err := c.Estimate(context.Background(), two, three, Options{Scoring: edits, Output: CIGARs})
	expect(t, err, nil)
	expect(t, []uint64{estimate.Pairs, estimate.Cells}, []uint64{1, 6})
	checkpoint := &Checkpoint{Folder: t.TempDir(), Every: time.Hour}
	expect(t, text(align(t, c, two, three, Options{Scoring: edits, Checkpoint: checkpoint})), "0 -1 *")
}

func TestOutputs(t *testing.T) {
	c := newContext(t)
	query, target := sequences(t, c, "CCGATT"), sequences(t, c, "GATTAA")
	o := Options{Scoring: DNAScoring(), Mode: Local}
	for output, want := range map[Output][]Span{
		Scores: nil,
		Ends:   {{NoPosition, 6, NoPosition, 4}},
		Spans:  {{2, 6, 0, 4}},
		CIGARs: {{2, 6, 0, 4}},
	} {
		o.Output = output
		r := align(t, c, query, target, o)
		expect(t, r.Spans(), want)
		if runs, offsets := r.Runs(); (runs == nil) != (output != CIGARs) || (offsets == nil) != (output != CIGARs) {
			t.Error(output, runs, offsets)
		}
		if output == CIGARs {
			score, err := o.Scoring.Score("GATT", "GATT", r.CIGAR(0))
			expect(t, err, nil)
			expect(t, score, r.Scores()[0])
			_, err = o.Scoring.Score("GAT", "GATT", r.CIGAR(0))
			expectStatus(t, err, InvalidArgument)
		}
	}
}

func TestTraceback(t *testing.T) {
	c := newContext(t)
	queries, targets := sequences(t, c, "GATTACA", "ACGTACGT"), sequences(t, c, "GATACA", "ACGT")
	scores := align(t, c, queries, targets, Options{Scoring: DNAScoring()})
	for want, entries := range map[string][]uint64{"1 -4 4I4=": {1}, "0 6 2=1I4=, 1 -4 4I4=": nil, "": {}} {
		traced, err := c.Traceback(context.Background(), queries, targets, scores, entries)
		if err != nil {
			t.Fatal(err)
		}
		expect(t, text(traced), want)
		traced.Close()
	}
	_, err := c.Traceback(context.Background(), targets, queries, scores, nil)
	expectStatus(t, err, InvalidArgument)
}

func TestWhatCannotBeIsRefused(t *testing.T) {
	c := newContext(t)
	one, two := sequences(t, c, "A"), sequences(t, c, "A", "C")
	for _, o := range []Options{
		{Scoring: edits}, // one query, two targets
		{Scoring: edits, AllPairs: true, Pairs: []Pair{{0, 0}}},
		{Scoring: edits, Pairs: []Pair{{1, 0}}},
		{Scoring: Scoring{Alphabet: 3}, AllPairs: true},
		{Scoring: Scoring{Match: -1}, AllPairs: true},
		{Scoring: edits, AllPairs: true, Mode: 7},
	} {
		_, err := c.Align(context.Background(), one, two, o)
		expectStatus(t, err, InvalidArgument)
	}
	for _, offsets := range [][]uint64{{0, 2}, {1, 0}} {
		_, err := c.Sequences([]byte("A"), offsets)
		expectStatus(t, err, InvalidArgument)
	}
	none, err := c.Sequences(nil, nil)
	expect(t, err, nil)
	expect(t, text(align(t, c, none, none, Options{Scoring: edits})), "")
	_, err = ParseMatrix("   A\nA x")
	expectStatus(t, err, InvalidMatrix)
	_, err = NewContext(ContextOptions{InstructionSet: "z80"})
	expect(t, err != nil, true)
	_, err = NewContext(ContextOptions{Backend: CUDA, Device: 99})
	expect(t, err != nil, true)
}

func TestCancel(t *testing.T) {
	c := newContext(t)
	ctx, cancel := context.WithCancel(context.Background())
	time.AfterFunc(50*time.Millisecond, cancel)
	begun := time.Now()
	err := longCall(ctx, t, c, nil)
	expectStatus(t, err, Cancelled)
	expect(t, errors.Is(err, context.Canceled), true)
	expect(t, time.Since(begun) < 30*time.Second, true)
	err = longCall(ctx, t, c, nil) // before it begins
	expectStatus(t, err, Cancelled)

	ctx, cancel = context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	err = longCall(ctx, t, c, nil)
	expectStatus(t, err, DeadlineExceeded)
	expect(t, errors.Is(err, context.DeadlineExceeded), true)
}

func TestProgress(t *testing.T) {
	c := newContext(t)
	ctx, cancel := context.WithCancel(context.Background())
	told := 0
	err := longCall(ctx, t, c, func(done, total uint64) {
		if told++; told == 3 {
			cancel()
		}
		if done > total || total != 1e12 {
			t.Error(done, total)
		}
	})
	expectStatus(t, err, Cancelled)
	expect(t, told >= 3, true)
}

func TestCallsOfGoroutinesWaitForEachOther(t *testing.T) {
	c := newContext(t)
	queries, targets := sequences(t, c, "GATTACA"), sequences(t, c, "GATACA")
	shared := align(t, c, queries, targets, Options{Scoring: DNAScoring(), Output: CIGARs})
	var group sync.WaitGroup
	for i := 0; i < 8; i++ {
		group.Add(1)
		go func() {
			defer group.Done()
			for j := 0; j < 50; j++ {
				own, err := NewSequences(c, []string{"GATTACA"})
				if err != nil {
					t.Error(err)
					return
				}
				r, err := c.Align(context.Background(), own, targets, Options{Scoring: DNAScoring(), Output: CIGARs})
				if err != nil {
					t.Error(err)
					return
				}
				expect(t, text(r), text(shared))
				r.Close()
				own.Close()
			}
		}()
	}
	group.Wait()

	running := make(chan struct{})
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	group.Add(1)
	go func() {
		defer group.Done()
		var once sync.Once
		err := longCall(ctx, t, c, func(uint64, uint64) { once.Do(func() { close(running) }) })
		expectStatus(t, err, Cancelled)
	}()
	<-running
	soon, cancelSoon := context.WithTimeout(context.Background(), time.Millisecond)
	defer cancelSoon()
	_, err := c.Align(soon, queries, targets, Options{Scoring: DNAScoring()}) // while the other one runs
	expectStatus(t, err, DeadlineExceeded)
	cancel()
	group.Wait()
}

func TestHostMemory(t *testing.T) {
	c := newContext(t)
	m, err := c.HostMemory(11)
	if err != nil {
		t.Fatal(err)
	}
	copy(m.Bytes(), "GATTACAACGT")
	view, err := c.View(m, []uint64{0, 7, 11})
	if err != nil {
		t.Fatal(err)
	}
	expect(t, align(t, c, view, view, Options{Scoring: DNAScoring()}).Scores(), []int64{14, 8})
	_, err = c.View(m, []uint64{0, 12})
	expectStatus(t, err, InvalidArgument)
	view.Close()
	m.Close()
	expect(t, len(m.Bytes()), 0)
}

func TestCloseTwiceAndInAnyOrder(t *testing.T) {
	c, err := NewContext(ContextOptions{Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	expect(t, c.Threads(), 1)
	expect(t, strings.Contains(c.Backend(), "cpu:"), true)
	expect(t, c.Trim(), nil)
	s := sequences(t, c, "A")
	r := align(t, c, s, s, Options{Scoring: edits})
	c.Close()
	s.Close()
	expect(t, r.Scores(), []int64{0})
	for i := 0; i < 2; i++ {
		c.Close()
		s.Close()
		r.Close()
	}
	expect(t, []int{r.Len(), s.Len(), r.Failed()}, []int{0, 0, 0})
	d := newContext(t)
	later := sequences(t, d, "GATTACA") // has what s had, which no longer is its own
	laterResult := align(t, d, later, later, Options{Scoring: DNAScoring()})
	s.Close()
	r.Close()
	expect(t, text(laterResult), "0 14 *")
	expect(t, text(align(t, d, later, later, Options{Scoring: DNAScoring()})), "0 14 *")
	_, err = c.Align(context.Background(), s, s, Options{Scoring: edits})
	expectStatus(t, err, InvalidArgument)
}

// Results whose Close is forgotten are freed, and what is in use is not.
func TestFinalizers(t *testing.T) {
	for i := 0; i < 200; i++ {
		c, err := NewContext(ContextOptions{Backend: CPU, Threads: 1})
		if err != nil {
			t.Fatal(err)
		}
		m, err := c.HostMemory(1000)
		if err != nil {
			t.Fatal(err)
		}
		view, err := c.View(m, []uint64{0, 1000})
		if err != nil {
			t.Fatal(err)
		}
		matrix, err := NewMatrix("BLOSUM62")
		if err != nil {
			t.Fatal(err)
		}
		copy(m.Bytes(), strings.Repeat("W", 1000))
		if i%20 == 0 {
			runtime.GC()
		}
		r, err := c.Align(context.Background(), view, view, Options{Scoring: Scoring{Matrix: matrix}})
		if err != nil {
			t.Fatal(err)
		}
		expect(t, r.Scores()[0], int64(11000))
		runtime.KeepAlive(r)
	}
	runtime.GC()
}

func TestLibrary(t *testing.T) {
	expect(t, strings.HasPrefix(Version(), "0.") && strings.Contains(BuildInfo(), "cpu="), true)
	names, err := MatrixNames()
	expect(t, err, nil)
	expect(t, strings.Contains(strings.Join(names, " "), "BLOSUM62"), true)
	devices, err := Devices(CPU)
	expect(t, err, nil)
	expect(t, len(devices), 1)
	expect(t, DeviceFailed.Error(), "NWGPU_ERROR_DEVICE")
}
