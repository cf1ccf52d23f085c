package system

import (
	"fmt"
	"runtime"
	"runtime/debug"
)

// Version is made of what the Go tool wrote into the program: a release has
// its number, a build from a checkout its commit.
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
