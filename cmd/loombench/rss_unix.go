//go:build unix

package main

import (
	"os"
	"runtime"
	"syscall"
)

// peakRSS is the most memory a finished process had at once, in bytes. Linux
// counts the memory of the process that started it as well, which is why this
// one stays small.
func peakRSS(p *os.ProcessState) int64 {
	if u, ok := p.SysUsage().(*syscall.Rusage); ok {
		return rssBytes(u)
	}
	return 0
}

// ownRSS is the peak of this process: no child is measured below it.
func ownRSS() int64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return rssBytes(&u)
}

// rssBytes evens out the unit: bytes on darwin, kilobytes elsewhere.
func rssBytes(u *syscall.Rusage) int64 {
	if runtime.GOOS == "darwin" {
		return int64(u.Maxrss)
	}
	return int64(u.Maxrss) << 10
}
