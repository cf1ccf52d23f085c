// Package system fits the program to the system it runs on: its memory, and the files
// it may open.
package system

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// memoryTarget is what the program tries to stay below, in bytes. What it
// really needs at a time is about half of that: without a limit the garbage of
// a first pass over a long history would double it.
const memoryTarget = 75 << 20

// BoundMemory trades a little time for a small footprint: a sync runs beside
// other work. Who sets Go's own variables knows better.
func BoundMemory() {
	if os.Getenv("GOMEMLIMIT") == "" && os.Getenv("GOGC") == "" {
		debug.SetMemoryLimit(memoryTarget)
		debug.SetGCPercent(100)
		followHeap(memoryTarget)
	}
}

// followHeap keeps the limit above what is in use, by a half, after each
// collection: with tens of thousands of sessions more than the target is, and a
// limit below it would have the program do nothing but collect.
func followHeap(limit int64) {
	collected := new(*byte) // a pointer, so that it shares its block with nothing that stays
	runtime.AddCleanup(collected, func(limit int64) {
		live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
		metrics.Read(live)
		wanted := max(memoryTarget, int64(live[0].Value.Uint64())*3/2)
		if wanted > limit+limit/16 || wanted < limit-limit/16 {
			limit = wanted
			debug.SetMemoryLimit(limit)
		}
		followHeap(limit)
	}, limit)
}
