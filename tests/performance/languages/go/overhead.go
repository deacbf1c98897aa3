// SPDX-License-Identifier: BSD-3-Clause

// See overhead.c.
package main

import (
	"bufio"
	"context"
	"fmt"
	"log"
	"os"
	"strconv"
	"time"

	"nwgpu"
)

const length, calls = 100, 500

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func align(c *nwgpu.Context, query []byte, queryAt []uint64, target []byte, targetAt []uint64) (sum int64) {
	queries, err := c.Sequences(query, queryAt)
	check(err)
	defer queries.Close()
	targets, err := c.Sequences(target, targetAt)
	check(err)
	defer targets.Close()
	options := nwgpu.Options{Scoring: nwgpu.DNAScoring(), Output: nwgpu.CIGARs}
	result, err := c.Align(context.Background(), queries, targets, options)
	check(err)
	defer result.Close()
	for _, score := range result.Scores() {
		sum += score
	}
	return sum
}

func main() {
	queries, err := os.ReadFile(os.Args[1])
	check(err)
	targets, err := os.ReadFile(os.Args[2])
	check(err)
	offsets := make([]uint64, len(queries)/length+1)
	for i := range offsets {
		offsets[i] = uint64(i * length)
	}
	threads, err := strconv.Atoi(os.Args[3])
	check(err)
	c, err := nwgpu.NewContext(nwgpu.ContextOptions{Backend: nwgpu.CPU, Threads: threads})
	check(err)
	defer c.Close()
	query, target := []byte("GATTACA"), []byte("GATACA")
	queryAt, targetAt := []uint64{0, 7}, []uint64{0, 6}
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		begun, sum, times := time.Now(), int64(0), 1
		if lines.Text() == "batch" {
			sum = align(c, queries, offsets, targets, offsets)
		} else {
			times = calls
			for i := 0; i < calls; i++ {
				sum += align(c, query, queryAt, target, targetAt)
			}
		}
		fmt.Printf("%.9f %d\n", time.Since(begun).Seconds()/float64(times), sum)
	}
}
