package vscode

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"

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
	l := &lister{files.Lister{Source: sourceName, Program: programName}}
	roots := places.Roots(s.places())
	for _, r := range roots {
		l.Out.Roots = append(l.Out.Roots, sources.Root{Path: r.Path, Found: r.Found, Why: r.Why})
		if r.Err != nil {
			l.Problem("", r.Path, r.Err)
		}
	}
	for _, st := range places.Storages(roots, func(path string, err error) { l.Problem("", path, err) }) {
		if err := ctx.Err(); err != nil {
			return sources.Listing{}, err
		}
		l.examine(st)
	}
	l.agentHosts(roots)
	l.exports(s.cfg.Exports, s.cfg.Home)
	names := files.StampNames(sessionsOf(l.Out.Items))
	for _, it := range l.Out.Items {
		for j, p := range it.Parts {
			if p.Name == files.Names {
				it.Parts[j].Stamp = names
			}
		}
	}
	return l.Finish(partWorkspace), ctx.Err()
}

// places are the settings of the discovery.
func (s *Source) places() places.Config {
	return places.Config{Users: s.cfg.UserDirs, Defaults: s.cfg.Defaults, Env: s.cfg.Env, Home: s.cfg.Home, GOOS: s.cfg.GOOS}
}

// lister gathers a listing.
type lister struct{ files.Lister }

// add lists an item, if it has any parts.
func (l *lister) add(it sources.Item, parts *files.Parts) {
	if len(parts.List) > 0 {
		it.Source, it.Parts = sourceName, parts.Sorted()
		l.Out.Items = append(l.Out.Items, it)
	}
}

// exportDepth is how many folders below a named one are entered.
const exportDepth = 4

// exportNames are the endings of files that are taken for exports where a folder
// was named; the dialog suggests chat.json, and some are kept as text.
var exportNames = []string{".json", ".txt"}

// exports lists the files the user exported. They say only inside which session
// they are of.
func (l *lister) exports(all []string, home string) {
	seen := map[string]bool{}
	for _, named := range all {
		path, err := filepath.Abs(named)
		if err != nil || seen[path] {
			continue
		}
		seen[path] = true
		root := sources.Root{Path: path}
		info, err := os.Stat(path)
		var found []string
		if root.Found = err == nil; !root.Found {
			root.Why = files.WhyMissing(err)
		} else if info.IsDir() {
			found = l.exported(path, exportDepth)
		} else if path, err = filepath.EvalSymlinks(path); err != nil {
			l.Problem("export", root.Path, err)
		} else if found = []string{path}; path == root.Path {
			seen[path] = false // no other name led to it
		}
		for _, path := range found {
			if !seen[path] {
				seen[path] = true
				parts := l.Parts("export")
				parts.File(partExport, path, nil)
				key := "export/" + words.PathTag(path, home, filepath.Base(path))
				l.add(sources.Item{Key: key, Kind: sources.KindSession, Root: root.Path, Path: path}, &parts)
			}
		}
		l.Out.Roots = append(l.Out.Roots, root)
	}
}

// exported are the exports in a folder.
func (l *lister) exported(dir string, depth int) (all []string) {
	for _, e := range l.ReadDir("export", dir) {
		path := filepath.Join(dir, e.Name())
		switch {
		case strings.HasPrefix(e.Name(), "."):
		case e.IsDir() && depth > 0:
			all = append(all, l.exported(path, depth-1)...)
		case e.Type().IsRegular() && slices.Contains(exportNames, strings.ToLower(filepath.Ext(path))): // a link could lead anywhere
			all = append(all, path)
		}
	}
	return all
}

// agentHosts lists what the agent host keeps of the sessions it runs: in
// <edition>/agentSessionData/<id>, beside the user folder (section 5.4).
func (l *lister) agentHosts(roots []places.Root) {
	for _, r := range roots {
		if !r.Found || filepath.Base(r.Path) != "User" { // beside a copy lies what nobody named
			continue
		}
		dir := filepath.Join(filepath.Dir(r.Path), "agentSessionData")
		entries, _ := os.ReadDir(dir) // rarely there
		for _, e := range entries {
			if !e.IsDir() {
				continue
			}
			path, parts := filepath.Join(dir, e.Name(), "session.db"), l.Parts(r.Tag+"/agent-host")
			parts.Database(partHost, path)
			l.add(sources.Item{
				Key: r.Tag + "/agent-host/" + e.Name(), Kind: sources.KindSession, Session: hostedSession(e.Name()),
				Root: r.Path, Path: path,
			}, &parts)
		}
	}
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
