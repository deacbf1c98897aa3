// SPDX-License-Identifier: BSD-3-Clause

package nwgpu

import (
	"context"
	"testing"
)

// One small pair, from letters to CIGAR: what C takes for it is the time of nwgpu_align.
func BenchmarkSmallPair(b *testing.B) {
	c, err := NewContext(ContextOptions{Backend: CPU, Threads: 1})
	if err != nil {
		b.Fatal(err)
	}
	defer c.Close()
	query, target := []byte("GATTACA"), []byte("GATACA")
	queryAt, targetAt := []uint64{0, 7}, []uint64{0, 6}
	for i := 0; i < b.N; i++ {
		q, _ := c.Sequences(query, queryAt)
		t, _ := c.Sequences(target, targetAt)
		r, err := c.Align(context.Background(), q, t, Options{Scoring: DNAScoring(), Output: CIGARs})
		if err != nil {
			b.Fatal(err)
		}
		r.Close()
		q.Close()
		t.Close()
	}
}
