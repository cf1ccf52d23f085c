//go:build unix

package main

import (
	"os"
	"runtime"
	"syscall"
)

// peakMemory is the most memory a finished process had at once, in bytes. Linux
// counts the memory of the process that started it as well, which is why this one
// stays small.
func peakMemory(p *os.ProcessState) int64 {
	u, ok := p.SysUsage().(*syscall.Rusage)
	switch {
	case !ok:
		return 0
	case runtime.GOOS == "darwin":
		return int64(u.Maxrss)
	default:
		return int64(u.Maxrss) << 10 // kilobytes
	}
}
