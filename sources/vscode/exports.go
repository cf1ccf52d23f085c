package vscode

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/files"
	"github.com/sessionloom/sessionloom/sources/internal/words"
	"github.com/sessionloom/sessionloom/sources/vscode/internal/places"
)

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
