// Package system adapts the program to its system: its memory, and the files it may open.
package system

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"time"

	"github.com/thlib/go-timezone-local/tzlocal"
)

// memoryTarget is the limit of the heap in bytes. About a third is needed; at 75 MiB a first sync took a
// quarter longer. SQLite's memory is separate.
const memoryTarget = 172 << 20

// garbage is the percentage of garbage that may accumulate.
const garbage = 400

// BoundMemory trades time for a small footprint, unless GOGC or GOMEMLIMIT is set.
func BoundMemory() {
	if os.Getenv("GOMEMLIMIT") == "" && os.Getenv("GOGC") == "" {
		debug.SetMemoryLimit(memoryTarget)
		debug.SetGCPercent(garbage)
		followHeap(memoryTarget)
	}
}

// followHeap keeps the limit at least half above what is in use: below that, Go would only collect.
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

// OwnPath returns the path of this program, by the name it was called.
func OwnPath() (string, error) {
	if path, err := exec.LookPath(os.Args[0]); err == nil {
		if path, err = filepath.Abs(path); err == nil {
			return path, nil
		}
	}
	path, err := os.Executable()
	if err != nil {
		return "", fmt.Errorf("find this program: %w", err)
	}
	return path, nil
}

// Version returns the version that the Go tool wrote into the program.
func Version() string {
	name, commit, dirty := "devel", "", ""
	if info, ok := debug.ReadBuildInfo(); ok {
		if v := info.Main.Version; v != "" && v != "(devel)" {
			name = v
		}
		for _, s := range info.Settings {
			switch {
			case s.Key == "vcs.revision" && len(s.Value) >= 12:
				commit = ", commit " + s.Value[:12]
			case s.Key == "vcs.modified" && s.Value == "true":
				dirty = ", with changes"
			}
		}
	}
	return fmt.Sprintf("sessionloom %s (%s, %s/%s%s%s)", name, runtime.Version(), runtime.GOOS, runtime.GOARCH, commit, dirty)
}

// Writable fails if no file can be created in a folder.
func Writable(dir string) error {
	f, err := os.CreateTemp(dir, ".doctor-")
	if err != nil {
		return err
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}

// Zone returns the time zone of this system, or "UTC" if unknown.
func Zone() string {
	name, err := tzlocal.RuntimeTZ()
	if err != nil {
		return "UTC"
	}
	if _, err = time.LoadLocation(name); err != nil || name == "" || name == "Local" || name == "Etc/UTC" {
		return "UTC"
	}
	return name
}
