package main

import (
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/all"
	"github.com/sessionloom/sessionloom/sources/copilotcli"
	"github.com/sessionloom/sessionloom/sources/vscode"
)

// readers gives the sources to read. What it opens is closed by l.
func (a *app) readers(c config, l *loom) ([]sources.Source, error) {
	from := a.roots(c)
	if a.sample {
		temp, err := os.MkdirTemp("", "sessionloom-sample-")
		if err != nil {
			return nil, fmt.Errorf("unpack the sample history: %w", err)
		}
		l.ends = append(l.ends, func() error { return os.RemoveAll(temp) })
		if from, err = sampleRoots(temp); err != nil {
			return nil, err
		}
	}
	known := all.Sources(from)
	if err := a.wanted(c, known); err != nil {
		return nil, err
	}
	out := a.reads(c, known)
	for _, s := range out {
		if closer, ok := s.(sources.Closer); ok {
			l.ends = append(l.ends, closer.Close)
		}
	}
	return out, nil
}

// reads leaves the sources that are switched on and wanted.
func (a *app) reads(c config, known []sources.Source) []sources.Source {
	var out []sources.Source
	for _, s := range known {
		if !a.off(c, s.Name()) && (len(c.source) == 0 || slices.Contains(c.source, s.Name())) {
			out = append(out, s)
		}
	}
	return out
}

// roots says where the sources look on this machine. Roots that were named
// replace the usual ones of their kind; exports have no usual place.
func (a *app) roots(c config) all.Config {
	return all.Config{
		CopilotCLI: copilotcli.Config{
			Homes: c.copilotCLI.homes, Defaults: len(c.copilotCLI.homes) == 0 && !a.noDefaults,
			Env: a.env, Home: a.home, GOOS: runtime.GOOS, StoreOnly: c.copilotCLI.storeOnly == "write",
		},
		VSCode: vscode.Config{
			UserDirs: c.vscode.userDirs, Defaults: len(c.vscode.userDirs) == 0 && !a.noDefaults, Exports: c.vscode.exports,
			Env: a.env, Home: a.home, GOOS: runtime.GOOS, StoreOnly: c.vscode.storeOnly == "write", Images: c.vscode.images,
		},
	}
}

// off tells whether the configuration switches a source off. The sample is read
// nevertheless.
func (a *app) off(c config, name string) bool {
	off := map[string]bool{"copilot-cli": !c.copilotCLI.enabled, "vscode": !c.vscode.enabled}
	return off[name] && !a.sample
}

// wanted refuses --source where it names what cannot be read.
func (a *app) wanted(c config, known []sources.Source) error {
	var names []string
	for _, s := range known {
		names = append(names, s.Name())
	}
	for _, name := range c.source {
		if !slices.Contains(names, name) {
			return usage(fmt.Sprintf("known sources: %q", names), "unknown source %q", name)
		}
		if a.off(c, name) {
			key := "sources." + strings.ReplaceAll(name, "-", "_") + ".enabled"
			return usage("set "+key, "source %q is switched off", name)
		}
	}
	return nil
}
