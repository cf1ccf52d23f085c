// Package homes looks at the folders in which programs keep their history.
package homes

import (
	"errors"
	"io/fs"
	"iter"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/agents"
	"github.com/sessionloom/sessionloom/sources/internal/files"
	"github.com/sessionloom/sessionloom/sources/internal/words"
)

// Config says where to look for the history of a program. The zero value looks nowhere.
type Config struct {
	Homes    []string            // homes given by the user
	Defaults bool                // also read the program's default place
	Env      func(string) string // looks up environment variables; nil: none is set
	Home     string              // the user's home folder
	GOOS     string              // operating system of the default places
	TempDir  string              // for copies of databases; "" means the system's

	PromptOnly bool // yield sessions of which only typed prompts are left
	StoreOnly  bool // yield sessions of which only rows of a store are left
}

// Folders returns the homes to read: the named ones, then a program's default one.
func (c Config) Folders(program string) []string {
	folders, at := slices.Clone(c.Homes), agents.Named(program).Home
	if !c.Defaults {
		return folders
	}
	if c.Env != nil {
		if home := at.Named(c.Env); home != "" {
			return append(folders, home)
		}
	}
	if c.Home != "" {
		return append(folders, filepath.Join(c.Home, filepath.FromSlash(at.Usual)))
	}
	return folders
}

// Home is a folder in which a program keeps its history, with its content.
type Home struct {
	Root sources.Root
	Tag  string            // names the folder in keys; the same on every machine if possible
	Real map[string]string // real paths of the requested names; empty if another home gave them already
	files.Lister
}

// Paths yields the absolute paths of folders that are not in seen, which may change meanwhile.
func Paths(folders []string, seen map[string]bool) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, folder := range folders {
			path, err := filepath.Abs(folder)
			if err != nil || seen[path] {
				continue
			}
			if seen[path] = true; !yield(path) {
				return
			}
		}
	}
}

// distinct returns the absolute paths of folders, without those that lead to the same place.
func distinct(folders []string) (all []string) {
	seen := map[string]bool{} // real paths
	for path := range Paths(folders, map[string]bool{}) {
		real, err := filepath.EvalSymlinks(path)
		if err != nil {
			real = path
		}
		if !seen[real] {
			seen[real], all = true, append(all, path)
		}
	}
	return all
}

// Open examines a folder; user is the user's home. A name that is missing, or seen already, gets no real path.
func (h *Home) Open(path, user string, seen map[string]bool, names []string) {
	h.Root = sources.Root{Path: path}
	h.Tag = words.PathTag(path, user, strings.TrimPrefix(filepath.Base(path), "."))
	if info, err := os.Stat(path); err != nil {
		h.Root.Why = files.WhyMissing(err)
		h.refuse(path, err)
		return
	} else if !info.IsDir() {
		h.Root.Why = "not a folder"
		return
	}
	h.Root.Found, h.Real = true, map[string]string{}
	twice := false
	for _, name := range names {
		at := filepath.Join(path, name)
		real, err := filepath.EvalSymlinks(at)
		switch {
		case err != nil:
			h.refuse(at, err)
		case seen[real]:
			twice = true
		default:
			seen[real], h.Real[name] = true, real
		}
	}
	if twice && len(h.Real) == 0 {
		h.Root.Why = "a link to another home that is read"
	}
}

// refuse records something that exists and cannot be examined.
func (h *Home) refuse(path string, err error) {
	if !errors.Is(err, fs.ErrNotExist) {
		h.Problem(h.Tag, path, err)
	}
}

// AddTo adds the content to a listing.
func (h *Home) AddTo(l *files.Lister) {
	l.Out.Roots = append(l.Out.Roots, h.Root)
	l.Out.Items = append(l.Out.Items, h.Out.Items...)
	l.Out.Problems = append(l.Out.Problems, h.Out.Problems...)
}

// In returns the path of something in the home.
func (h *Home) In(name string) string { return files.Below(h.Root.Path, filepath.FromSlash(name)) }

// Add adds an item of the home with its parts, if there are any.
func (h *Home) Add(it sources.Item, parts files.Parts, more ...sources.Part) {
	if len(parts.List) > 0 {
		parts.List = append(parts.List, more...)
		it.Source, it.Root, it.Parts = h.Source, h.Root.Path, parts.Sorted()
		h.Out.Items = append(h.Out.Items, it)
	}
}

// AddFile adds an item that is one file and no session, with its parts.
func (h *Home) AddFile(key, part, path string, e fs.DirEntry, more ...sources.Part) {
	parts := h.Parts(key)
	parts.File(part, path, e)
	h.Add(sources.Item{Key: key, Kind: sources.KindMemory, Path: path}, parts, more...)
}

// Expires returns when a file goes whose program deletes it that many days after its last use.
func Expires(what, path string, used int64, days int) []sources.Expiry {
	last := time.Unix(0, used).UTC()
	at := last.AddDate(0, 0, days)
	if !sources.OnCalendar(at).Equal(at) {
		return nil
	}
	return []sources.Expiry{{What: what, Path: path, Used: last, At: at}}
}

// Prompts are the prompts, by session id, of sessions of which nothing else is left.
type Prompts map[string]*sources.Session

// Add records a prompt, or an action of a kind. Some programs write one twice within milliseconds.
func (p Prompts) Add(id string, place sources.Place, action, text string, at time.Time) {
	if text == "" {
		return
	}
	s := p[id]
	if s == nil {
		s = &sources.Session{Created: at, Place: place}
		p[id] = s
	}
	n := len(s.Turns)
	switch {
	case action != "":
		s.Actions = append(s.Actions, sources.Action{Kind: action, Text: text, Turn: n - 1, At: at})
	case n > 0 && s.Turns[n-1].User == text && at.Sub(s.Turns[n-1].At).Abs() <= time.Second:
	default:
		s.Turns = append(s.Turns, sources.Turn{Index: n, At: at, User: text})
	}
}

// Left returns the ids of the sessions with a prompt: others were probes or commands.
func (p Prompts) Left() []string {
	maps.DeleteFunc(p, func(_ string, s *sources.Session) bool { return len(s.Turns) == 0 })
	return slices.Sorted(maps.Keys(p))
}

// GiveTo names the sessions with a prompt, and returns them as a layer if requested.
func (p Prompts) GiveTo(r *files.Reading, layer string, asked bool) {
	for _, id := range p.Left() {
		r.Out.RowsOnly = append(r.Out.RowsOnly, id)
		if asked {
			p[id].Damage = []string{"only the list of prompts is left"}
			r.Give(id, sources.Layer{Name: layer, Rank: sources.RankIndex, Session: p[id]})
		}
	}
}
