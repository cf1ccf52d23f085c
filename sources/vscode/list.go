package vscode

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/files"
	"github.com/sessionloom/sessionloom/sources/internal/words"
	"github.com/sessionloom/sessionloom/sources/vscode/internal/places"
)

// programName is what people call the program.
const programName = "VS Code"

// List finds chats, memories and indexes in every storage of every edition, and
// the exports, by folder walks and stat alone.
func (s *Source) List(ctx context.Context) (sources.Listing, error) {
	l := &lister{}
	roots := places.Roots(s.places())
	for _, r := range roots {
		l.out.Roots = append(l.out.Roots, sources.Root{Path: r.Path, Found: r.Found, Why: r.Why})
		if r.Err != nil {
			l.problem("", r.Path, r.Err)
		}
	}
	for _, st := range places.Storages(roots, func(path string, err error) { l.problem("", path, err) }) {
		if err := ctx.Err(); err != nil {
			return sources.Listing{}, err
		}
		l.examine(st)
	}
	l.agentHosts(roots)
	l.exports(s.cfg.Exports, s.cfg.Home)
	listed := l.finish()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.listed = listed
	return l.out, ctx.Err()
}

// places are the settings of the discovery.
func (s *Source) places() places.Config {
	return places.Config{Users: s.cfg.UserDirs, Defaults: s.cfg.Defaults, Env: s.cfg.Env, Home: s.cfg.Home, GOOS: s.cfg.GOOS}
}

// lister gathers a listing.
type lister struct{ out sources.Listing }

// problem tells of something that was not looked at.
func (l *lister) problem(item, path string, err error) {
	l.out.Problems = append(l.out.Problems, files.Problem(sourceName, programName, item, path, err))
}

// parts gathers those of an item; name is what its problems are told of.
func (l *lister) parts(name string) files.Parts {
	return files.Parts{Problem: func(path string, err error) { l.problem(name, path, err) }}
}

// add lists an item, if it has any parts.
func (l *lister) add(it sources.Item, parts *files.Parts) {
	if len(parts.List) > 0 {
		it.Source, it.Parts = sourceName, parts.Sorted()
		l.out.Items = append(l.out.Items, it)
	}
}

// readDir lists a folder; one that is not there is empty.
func (l *lister) readDir(item, path string) []os.DirEntry {
	if path == "" {
		return nil
	}
	entries, err := os.ReadDir(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		l.problem(item, path, err)
	}
	return entries
}

// finish stamps what depends on the set of all sessions, which it returns, sums up
// the roots and sorts.
func (l *lister) finish() map[string]bool {
	listed := map[string]bool{}
	for _, it := range l.out.Items {
		if it.Kind == sources.KindSession && it.Session != "" {
			listed[it.Session] = true
		}
	}
	names := files.StampNames(listed)
	byPath := map[string]*sources.Root{}
	for i := range l.out.Roots {
		byPath[l.out.Roots[i].Path] = &l.out.Roots[i]
	}
	for _, it := range l.out.Items {
		root := byPath[it.Root]
		root.Items++
		for j := range it.Parts {
			p := &it.Parts[j]
			if p.Name == partNames {
				p.Stamp = names
				continue
			}
			if p.Name != partWorkspace {
				root.Bytes += p.Stamp.Size
			}
			if t := time.Unix(0, p.Stamp.MTime).UTC(); p.Stamp.MTime != 0 && t.After(root.New) {
				root.New = t
			}
		}
	}
	slices.SortFunc(l.out.Items, func(a, b sources.Item) int { return strings.Compare(a.Key, b.Key) })
	return listed
}

// exportDepth is how many folders below a named one are entered.
const exportDepth = 4

// exportNames are the endings of files that are taken for exports where a folder
// was named; the dialog suggests chat.json, and some are kept as text.
var exportNames = []string{".json", ".txt"}

// exports lists the files the user exported. They say only inside which session
// they are of.
func (l *lister) exports(all []string, home string) {
	x := &exportLister{lister: l, home: home, seen: map[string]bool{}}
	for _, named := range all {
		path, err := filepath.Abs(named)
		if err != nil || x.seen[path] {
			continue
		}
		x.seen[path] = true
		x.root = sources.Root{Path: path}
		info, err := os.Stat(path)
		if x.root.Found = err == nil; !x.root.Found {
			x.root.Why = files.WhyMissing(err)
		} else if info.IsDir() {
			x.folder(path, exportDepth)
		} else if real, err := filepath.EvalSymlinks(path); err != nil {
			l.problem("export", path, err)
		} else if real == path || !x.seen[real] { // no other name led to it
			x.seen[real] = true
			x.file(real)
		}
		l.out.Roots = append(l.out.Roots, x.root)
	}
}

// exportLister lists the exports of one path after the other.
type exportLister struct {
	*lister
	home string
	root sources.Root
	seen map[string]bool
}

func (x *exportLister) folder(dir string, depth int) {
	for _, e := range x.readDir("export", dir) {
		path := filepath.Join(dir, e.Name())
		switch {
		case strings.HasPrefix(e.Name(), "."):
		case e.IsDir() && depth > 0:
			x.folder(path, depth-1)
		case !e.Type().IsRegular(): // a link could lead anywhere
		case slices.Contains(exportNames, strings.ToLower(filepath.Ext(e.Name()))) && !x.seen[path]:
			x.seen[path] = true
			x.file(path)
		}
	}
}

func (x *exportLister) file(path string) {
	parts := x.parts("export")
	parts.File(partExport, path, nil)
	key := "export/" + words.PathTag(path, x.home, filepath.Base(path))
	x.add(sources.Item{Key: key, Kind: sources.KindSession, Root: x.root.Path, Path: path}, &parts)
}

// agentHosts lists what the agent host keeps of the sessions it runs: in
// <edition>/agentSessionData/<id>, beside the user folder (section 5.4).
func (l *lister) agentHosts(roots []places.Root) {
	for _, r := range roots {
		if !r.Found || filepath.Base(r.Path) != "User" { // beside a copy lies what nobody named
			continue
		}
		dir := hostsBeside(r)
		entries, _ := os.ReadDir(dir) // rarely there
		for _, e := range entries {
			if !e.IsDir() {
				continue
			}
			path, parts := filepath.Join(dir, e.Name(), "session.db"), l.parts(r.Tag+"/agent-host")
			parts.Database(partHost, path)
			l.add(sources.Item{
				Key: r.Tag + "/agent-host/" + e.Name(), Kind: sources.KindSession, Session: hostedSession(e.Name()),
				Root: r.Path, Path: path,
			}, &parts)
		}
	}
}

func hostsBeside(r places.Root) string {
	return filepath.Join(filepath.Dir(r.Path), "agentSessionData")
}

// hostedSession is the id in the name of a folder, which may have its provider
// before it: one session may be known by several (section 5.4).
func hostedSession(name string) string {
	const uuid = 36
	if id := sources.FoldUUID(name[max(0, len(name)-uuid):]); sources.IsUUID(id) {
		return id
	}
	return identity(name, "agent-host")
}
