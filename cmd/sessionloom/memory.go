package main

import (
	"os"
	"runtime/debug"
)

// memoryTarget is what the program tries to stay below, in bytes. What it
// really needs at a time is about half of that: without a limit the garbage of
// a first pass over a long history would double it.
const memoryTarget = 75 << 20

// boundMemory trades a little time for a small footprint: a sync runs beside
// other work. Who sets Go's own variables knows better.
func boundMemory() {
	if os.Getenv("GOMEMLIMIT") == "" && os.Getenv("GOGC") == "" {
		debug.SetMemoryLimit(memoryTarget)
		debug.SetGCPercent(100)
	}
}
