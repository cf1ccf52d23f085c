package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

func newVersion(a *app) *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "print the version",
		Long:    "Print the version, the commit it was built from, and the system it is for.",
		Example: "  sessionloom version",
		RunE: func(*cobra.Command, []string) error {
			a.print.Quiet = false
			a.print.Say(version())
			return nil
		},
	}
}

// version is made of what the Go tool wrote into the program: a release has
// its number, a build from a checkout its commit.
func version() string {
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
