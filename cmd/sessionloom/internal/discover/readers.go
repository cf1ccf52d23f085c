// Package discover finds the history of agents on a machine, as configured, and takes stock of it.
package discover

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/config"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/exit"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/present"
	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/agents"
	"github.com/sessionloom/sessionloom/sources/all"
	"github.com/sessionloom/sessionloom/sources/copilotcli"
	"github.com/sessionloom/sessionloom/sources/cursor"
	"github.com/sessionloom/sessionloom/sources/vscode"
	"github.com/sessionloom/sessionloom/testdata"
)

// Machine says where to look for the history of agents.
type Machine struct {
	Env        func(string) string // an environment variable, or ""
	Home       string              // the user's home folder
	NoDefaults bool                // only named places
	Sample     bool                // the built-in history instead of the machine's
}

// Readers are open sources.
type Readers struct {
	Sources []sources.Source
	scratch string // folder of the sample, to be removed, or ""
}

// Open returns the sources that a configuration selects.
func (m Machine) Open(c config.Config) (r *Readers, err error) {
	r = &Readers{}
	from := m.roots(c)
	if m.Sample {
		if r.scratch, err = os.MkdirTemp("", "sessionloom-sample-"); err != nil {
			return nil, fmt.Errorf("unpack the sample history: %w", err)
		}
		if from, err = sampleRoots(r.scratch); err != nil {
			return nil, errors.Join(err, r.Close())
		}
	}
	known := all.Sources(from)
	if err := m.wanted(c); err != nil {
		return nil, errors.Join(err, r.Close())
	}
	r.Sources = m.reads(c, known)
	return r, nil
}

// Close releases what sources hold, the last first.
func (r *Readers) Close() error {
	var errs []error
	for _, s := range slices.Backward(r.Sources) {
		if closer, ok := s.(sources.Closer); ok {
			errs = append(errs, closer.Close())
		}
	}
	if r.scratch != "" {
		errs = append(errs, os.RemoveAll(r.scratch))
	}
	return errors.Join(errs...)
}

// Watched returns what to watch for the configured sources.
func (m Machine) Watched(ctx context.Context, c config.Config) (roots []sources.WatchRoot) {
	for _, s := range m.reads(c, all.Sources(m.roots(c))) {
		if s, ok := s.(sources.Watcher); ok {
			roots = append(roots, s.Watch(ctx)...)
		}
	}
	return roots
}

// reads returns the sources that are switched on and wanted.
func (m Machine) reads(c config.Config, known []sources.Source) []sources.Source {
	return slices.DeleteFunc(slices.Clone(known), func(s sources.Source) bool {
		return m.off(c, s.Name()) || len(c.Source) > 0 && !slices.Contains(c.Source, s.Name())
	})
}

// roots returns where the sources look. Named roots replace the default ones of their kind.
func (m Machine) roots(c config.Config) all.Config {
	homes := map[string]all.Homes{}
	for name, h := range c.Homes {
		homes[name] = all.Homes{
			Homes: h.Paths, Defaults: len(h.Paths) == 0 && !m.NoDefaults,
			Env: m.Env, Home: m.Home, PromptOnly: h.PromptOnly == "write",
		}
	}
	return all.Config{
		Homes: homes,
		CopilotCLI: copilotcli.Config{
			Homes: c.CopilotCLI.Homes, Defaults: len(c.CopilotCLI.Homes) == 0 && !m.NoDefaults,
			Env: m.Env, Home: m.Home, GOOS: runtime.GOOS, StoreOnly: c.CopilotCLI.StoreOnly == "write",
		},
		VSCode: vscode.Config{
			UserDirs: c.VSCode.UserDirs, Defaults: len(c.VSCode.UserDirs) == 0 && !m.NoDefaults, Exports: c.VSCode.Exports,
			Env: m.Env, Home: m.Home, GOOS: runtime.GOOS, StoreOnly: c.VSCode.StoreOnly == "write", Images: c.VSCode.Images,
		},
		Cursor: cursor.Users{Dirs: c.Cursor.UserDirs, Defaults: len(c.Cursor.UserDirs) == 0 && !m.NoDefaults, GOOS: runtime.GOOS},
	}
}

// off reports whether a source is switched off. The sample never is.
func (m Machine) off(c config.Config, name string) bool {
	off := map[string]bool{"copilot-cli": !c.CopilotCLI.Enabled, "vscode": !c.VSCode.Enabled}
	for name, h := range c.Homes {
		off[name] = !h.Enabled
	}
	return off[name] && !m.Sample
}

// Names returns the names of all sources.
func Names() []string {
	var names []string
	for _, s := range all.Sources(all.Config{}) {
		names = append(names, s.Name())
	}
	return names
}

func (m Machine) wanted(c config.Config) error {
	names := Names()
	for _, name := range c.Source {
		if !slices.Contains(names, name) {
			return exit.Usage("the sources are "+strings.Join(names, ", "), "unknown source %q", name)
		}
		if m.off(c, name) {
			return exit.Usage("set "+config.SourceKey(name)+".enabled", "source %q is switched off", name)
		}
	}
	return nil
}

// sampleRoots unpacks the built-in history, always with the same modification time.
func sampleRoots(dir string) (all.Config, error) {
	home, user := filepath.Join(dir, "sample", "copilot-home"), filepath.Join(dir, "sample", "vscode-user")
	at := time.Date(2026, 11, 14, 0, 0, 0, 0, time.UTC)
	err := errors.Join(testdata.WriteCopilotHome(home), testdata.WriteVSCodeUser(user))
	homes := map[string]all.Homes{}
	for _, k := range agents.AtHome() {
		if !testdata.HasHome(k.Home.Flag) {
			continue
		}
		at := filepath.Join(dir, "sample", k.Home.Flag)
		err = errors.Join(err, testdata.WriteHome(k.Home.Flag, at))
		homes[k.Name] = all.Homes{Homes: []string{at}, Home: dir}
	}
	if err == nil {
		err = filepath.WalkDir(filepath.Join(dir, "sample"), func(path string, _ fs.DirEntry, err error) error {
			return errors.Join(err, os.Chtimes(path, at, at))
		})
	}
	if err != nil {
		return all.Config{}, fmt.Errorf("unpack the sample history: %w", err)
	}
	return all.Config{
		Homes:      homes,
		CopilotCLI: copilotcli.Config{Homes: []string{home}, Home: dir, GOOS: runtime.GOOS},
		VSCode:     vscode.Config{UserDirs: []string{user}, Home: dir, GOOS: runtime.GOOS},
	}, nil
}

// Ignored reports whether a folder has an ignore file.
func Ignored(folder string) bool {
	_, err := os.Lstat(filepath.Join(folder, present.IgnoreFile))
	return err == nil
}
