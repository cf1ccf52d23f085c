//go:build unix

package main

import (
	"os"
	"runtime"
	"syscall"
)

// peakMemory returns the peak memory of a finished process, in bytes. Linux includes the memory of its
// parent, which is why this program stays small.
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
