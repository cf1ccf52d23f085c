package copilotcli

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/files"
)

// maxDepth is how many folders below files/ or research/ are entered.
const maxDepth = 4

// outcome is what is told of the sessions that one walker examined.
type outcome struct {
	scaffolds int // opened and left: nothing a person or the agent wrote
	problems  []sources.Problem
}

// examiner stats one session.
type examiner struct {
	*collector
	item  sources.Item
	parts files.Parts
	out   *outcome
}

// known gives the files of a session folder that are parts of it the name they all
// share: there are many sessions. Locks, tracking files and whatever later versions
// add are none.
var known = map[string]string{
	partLog: partLog, partPlan: partPlan, "workspace.yaml": "workspace.yaml", "index.md": "index.md", "vscode.metadata.json": "vscode.metadata.json",
}

// examine makes the item of a candidate, one without a key where there is none. The folder wins over the flat file and
// that over the oldest layout, but a folder without a log leaves the log to them. Of a folder with nothing in it the rows of
// the store may tell, for who deletes a session deletes its folder.
func (c *collector) examine(x candidate, out *outcome) sources.Item {
	e := &examiner{collector: c, out: out}
	before := len(out.problems)
	e.parts = files.Parts{Dir: x.dir, Problem: e.problem}
	item := &e.item
	*item = sources.Item{
		Source: agentName, Key: c.home.tag + "/session/" + x.name, Kind: sources.KindSession,
		Session: sessionID(x.name), Root: c.home.root.Path, Path: x.dir,
	}
	if x.dir != "" && !e.folder(x.dir) {
		return sources.Item{}
	}
	if !e.has(partLog) {
		for part, path := range map[string]string{partLog: x.flat, partLegacy: x.legacy} {
			if path == "" || part == partLegacy && x.flat != "" {
				continue
			}
			if item.Path == "" {
				item.Path = path
			}
			e.parts.File(part, path, nil)
		}
	}
	if !e.worthReading() {
		if len(out.problems) == before {
			out.scaffolds++
		}
		if item.Scaffold = x.dir != "" && len(c.shared) > 0; !item.Scaffold {
			return sources.Item{}
		}
	}
	e.parts.List = append(e.parts.List, c.shared...)
	item.Parts = e.parts.Sorted()
	return *item
}

func (e *examiner) has(part string) bool {
	return slices.ContainsFunc(e.parts.List, func(p sources.Part) bool { return p.Name == part })
}

// worthReading says that the session is more than a scaffold.
func (e *examiner) worthReading() bool {
	return slices.ContainsFunc(e.parts.List, func(p sources.Part) bool {
		switch p.Name {
		case partLog, partLegacy, partPlan, partTodos, "index.md":
			return true
		}
		folder, rest, _ := strings.Cut(p.Name, "/")
		return folder == "checkpoints" && rest != "index.md" || folder == "files" || folder == "research"
	})
}

// folder stats the known parts of a session's folder. It reports false where the
// folder cannot be read.
func (e *examiner) folder(dir string) bool {
	entries, err := os.ReadDir(dir)
	if err != nil {
		e.problem(dir, err)
		return false
	}
	for _, entry := range entries {
		base := entry.Name()
		name, part := known[base]
		if !part && base != partTodos && !entry.IsDir() {
			continue
		}
		path := files.Below(dir, base)
		switch {
		case part:
			e.parts.File(name, path, entry)
		case base == partTodos:
			e.parts.Database(partTodos, path)
		case base == "checkpoints" && entry.IsDir():
			e.flatFolder(base, path)
		case (base == "files" || base == "research") && entry.IsDir():
			left := e.src.cfg.MaxArtifacts
			e.parts.Tree(base, path, maxDepth, &left)
		case base == rewindFolder && entry.IsDir():
			if _, err := os.Lstat(filepath.Join(path, "index.json")); err == nil {
				e.parts.File(base+"/index.json", filepath.Join(path, "index.json"), nil)
			}
		}
	}
	return true
}

// flatFolder adds the plain files of a folder, markdown and JSON.
func (e *examiner) flatFolder(base, dir string) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		e.problem(dir, err)
		return
	}
	for _, entry := range entries {
		if ext := filepath.Ext(entry.Name()); ext == ".md" || ext == ".json" {
			e.parts.File(base+"/"+entry.Name(), files.Below(dir, entry.Name()), entry)
		}
	}
}

func (e *examiner) problem(path string, err error) {
	e.out.problems = append(e.out.problems, newProblem(e.item.Key, path, err))
}
