package homes

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"golang.org/x/mod/semver"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/files"
	"github.com/sessionloom/sessionloom/sources/internal/words"
)

// Reader is the common part of readers of agents with a home. A source embeds it.
type Reader struct {
	Config
	Agent   string          // name of the source, and the agent of its sessions
	Program string          // display name of the program
	Version string          // the newest version that was tested
	Watched []string        // patterns to watch, see [sources.WatchRoot]
	Further func() []string // further homes, or nil
}

// Name returns the name of the source.
func (r *Reader) Name() string { return r.Agent }

// Tested returns the newest version whose files the tests read.
func (r *Reader) Tested() string { return r.Version }

// folders returns all homes to read, in order of preference.
func (r *Reader) folders() []string {
	all := r.Folders(r.Agent)
	if r.Further != nil {
		all = append(all, r.Further()...)
	}
	return all
}

// Open opens all homes, each once, and finds the real paths of these names in them. If two homes share a path, the
// first has it.
func (r *Reader) Open(names ...string) (all []*Home) {
	each, seen := slices.Values(distinct(r.folders())), map[string]bool{} // real paths of folders and their content
	if len(names) > 0 {
		each = Paths(r.folders(), seen)
	}
	for path := range each {
		h := &Home{Lister: files.Lister{Source: r.Agent, Program: r.Program}}
		h.Open(path, r.Home, seen, names)
		all = append(all, h)
	}
	return all
}

// Watch returns the homes and what to watch in them.
func (r *Reader) Watch(context.Context) (roots []sources.WatchRoot) {
	for _, path := range distinct(r.folders()) {
		roots = append(roots, sources.WatchRoot{Path: path, Files: r.Watched})
	}
	return roots
}

// Begin begins reading an item.
func (r *Reader) Begin(item sources.Item) files.Reading {
	out := files.Reading{Item: item, Source: r.Agent, Agent: r.Agent, Program: r.Program}
	out.CountBytes("")
	return out
}

type found interface{ home() *Home }

func (h *Home) home() *Home { return h }

// Listing lists the content of all homes.
func Listing[H found](ctx context.Context, all []H, err error) (sources.Listing, error) {
	if err = cmp.Or(err, ctx.Err()); err != nil {
		return sources.Listing{}, err
	}
	var out files.Lister
	for _, one := range all {
		one.home().AddTo(&out)
	}
	return out.Finish(""), nil
}

// Tally counts the things in a home, by words that begin with a noun: "session of a sub-agent".
type Tally struct {
	Counts  map[string]int
	Version string // version of its newest writer, if known
}

// Details says in words how many things of each kind the homes hold, and which version wrote them.
func Details[H found](ctx context.Context, r *Reader, all []H, tally func(H) (Tally, error)) (map[string][]string, error) {
	out, failures := map[string][]string{}, error(nil)
	for _, h := range all {
		t, err := tally(h)
		var lines []string
		for what, n := range t.Counts {
			if noun, rest, _ := strings.Cut(what, " "); n > 0 {
				lines = append(lines, words.Count(n, noun)+" "+rest)
			}
		}
		slices.Sort(lines)
		if v := t.Version; semver.IsValid("v" + v) {
			if semver.Compare("v"+v, "v"+r.Version) > 0 {
				v += ", newer than " + r.Version + ", the newest that was tested"
			}
			lines = append(lines, "written by version "+v)
		}
		if failures = errors.Join(failures, err); len(lines) > 0 {
			out[h.home().Root.Path] = lines
		}
	}
	return out, errors.Join(failures, ctx.Err())
}
