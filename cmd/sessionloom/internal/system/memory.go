// Package system fits the program to the system it runs on: its memory, and the files
// it may open.
package system

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// memoryTarget is what the heap tries to stay below, in bytes. What the program
// really needs at a time is about a third of that; a lower target costs time: at
// 75 MiB a first sync took a quarter longer. SQLite has its memory beside it.
const memoryTarget = 172 << 20

// garbage is how much of it may gather, in percent of what is in use.
const garbage = 400

// BoundMemory trades a little time for a small footprint: a sync runs beside
// other work. Who sets Go's own variables knows better.
func BoundMemory() {
	if os.Getenv("GOMEMLIMIT") == "" && os.Getenv("GOGC") == "" {
		debug.SetMemoryLimit(memoryTarget)
		debug.SetGCPercent(garbage)
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
