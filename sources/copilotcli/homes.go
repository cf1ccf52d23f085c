package copilotcli

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/files"
	"github.com/sessionloom/sessionloom/sources/internal/words"
)

// home is one folder with the layout of formats/copilot-cli.md, section 2.1.
// What another home already gave, by its real path, is left empty.
type home struct {
	root sources.Root
	tag  string // stands for the folder in keys: the same on every machine where it can be

	sessions string // session-state/
	legacy   string // history-session-state/
	store    string // session-store.db
	cache    string // vscode.session.metadata.cache.json

	refused []sources.Problem // what may be there and cannot be looked at
}

// homes finds the folders to read, in order of preference, each once.
func (s *Source) homes() []*home {
	var all []*home
	seen := map[string]bool{}
	for _, place := range s.places() {
		h := &home{root: sources.Root{Path: place.path}, tag: s.tag(place.path)}
		if info, err := os.Stat(place.path); err != nil {
			h.root.Why = files.WhyMissing(err)
			if place.optional {
				continue
			}
			h.refuse(place.path, err)
		} else if !info.IsDir() {
			h.root.Why = "not a folder"
		} else {
			h.root.Found = true
			if !h.locate(seen) && place.optional {
				continue
			}
		}
		all = append(all, h)
	}
	return all
}

// locate fills in what the home holds and no earlier home gave. It reports
// whether there was anything.
func (h *home) locate(seen map[string]bool) bool {
	var any, twice bool
	for base, to := range map[string]*string{
		"session-state":                      &h.sessions,
		"history-session-state":              &h.legacy,
		"session-store.db":                   &h.store,
		"vscode.session.metadata.cache.json": &h.cache,
	} {
		path := filepath.Join(h.root.Path, base)
		real, err := filepath.EvalSymlinks(path)
		switch {
		case err != nil:
			h.refuse(path, err)
		case seen[real]:
			twice = true
		default:
			seen[real] = true
			*to, any = real, true
		}
	}
	if !any && twice {
		h.root.Why = "a link to another home that is read"
	}
	return any || len(h.refused) > 0
}

// refuse notes what cannot be looked at; what is not there is no loss.
func (h *home) refuse(path string, err error) {
	if !errors.Is(err, fs.ErrNotExist) {
		h.refused = append(h.refused, newProblem(h.tag, path, err))
	}
}

// place is a folder to look at. An optional one is not worth a word when it is
// not there.
type place struct {
	path     string
	optional bool
}

func (s *Source) places() []place {
	var bases []string
	bases = append(bases, s.cfg.Homes...)
	if s.cfg.Defaults {
		bases = append(bases, s.defaults()...)
	}
	var places []place
	seen := map[string]bool{}
	for _, b := range bases {
		abs, err := filepath.Abs(b)
		if err != nil || seen[abs] {
			continue
		}
		seen[abs] = true
		places = append(places, place{path: abs}, place{path: filepath.Join(abs, "state"), optional: true})
	}
	return places
}

// defaults are the homes of the CLI: the present one, and where its state lay
// before version 1.0 under the XDG variables.
func (s *Source) defaults() []string {
	var d []string
	if h := s.cfg.Env("COPILOT_HOME"); h != "" {
		d = append(d, h)
	} else if s.cfg.Home != "" {
		d = append(d, filepath.Join(s.cfg.Home, ".copilot"))
	}
	for _, v := range []string{"XDG_STATE_HOME", "XDG_CONFIG_HOME"} {
		if x := s.cfg.Env(v); filepath.IsAbs(x) {
			d = append(d, filepath.Join(x, ".copilot"))
		}
	}
	if s.cfg.GOOS != "windows" && s.cfg.Home != "" {
		d = append(d, filepath.Join(s.cfg.Home, ".local", "state", ".copilot"))
	}
	return d
}

// tag names a home in keys.
func (s *Source) tag(path string) string {
	return words.PathTag(path, s.cfg.Home, strings.TrimPrefix(filepath.Base(path), "."))
}
