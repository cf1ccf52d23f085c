package copilotcli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/stamp"
	"github.com/sessionloom/sessionloom/sources/internal/textfile"
)

// maxDepth is how many folders below files/ or research/ are entered.
const maxDepth = 4

// outcome is what one session's folder or file turned out to be.
type outcome struct {
	item     sources.Item
	scaffold bool // opened and left: nothing a person or the agent wrote
	problems []sources.Problem
}

// examiner stats one session.
type examiner struct {
	*collector
	out outcome
}

// known are the files of a session folder that are parts of it. Locks, tracking
// files and whatever later versions add are none.
var known = map[string]bool{
	partLog: true, partPlan: true, "workspace.yaml": true, "index.md": true, "vscode.metadata.json": true,
}

// uuid is the form of an id that other tools know the session by as well.
var uuid = regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$`)

// sessionID makes the identity of a session from the name of its folder or file.
func sessionID(folder string) string {
	if id := strings.ToLower(folder); uuid.MatchString(id) {
		return id
	}
	return agentName + ":" + folder
}

// examine makes the item of a candidate. The folder wins over the flat file and
// that over the oldest layout, but a folder without a log leaves the log to them.
func (c *collector) examine(x candidate) outcome {
	e := &examiner{collector: c}
	item := &e.out.item
	*item = sources.Item{
		Source: agentName, Key: c.home.tag + "/session/" + x.name, Kind: sources.KindSession,
		Session: sessionID(x.name), Root: c.home.root.Path, Path: x.dir,
	}
	if x.dir != "" && !e.folder(x.dir) {
		e.out.item = sources.Item{}
		return e.out
	}
	if _, ok := findPart(*item, partLog); !ok {
		for part, path := range map[string]string{partLog: x.flat, partLegacy: x.legacy} {
			if path == "" || part == partLegacy && x.flat != "" {
				continue
			}
			if item.Path == "" {
				item.Path = path
			}
			e.file(part, path, nil)
		}
	}
	if !e.worthReading() {
		e.out.scaffold = len(e.out.problems) == 0
		e.out.item = sources.Item{}
		return e.out
	}
	item.Parts = slices.Concat(item.Parts, c.shared) // of the exact size: there are many items
	slices.SortFunc(item.Parts, func(a, b sources.Part) int { return strings.Compare(a.Name, b.Name) })
	return e.out
}

// worthReading says that the session is more than a scaffold.
func (e *examiner) worthReading() bool {
	return slices.ContainsFunc(e.out.item.Parts, func(p sources.Part) bool {
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
		path := filepath.Join(dir, base)
		switch {
		case known[base]:
			e.file(base, path, entry)
		case base == partTodos:
			e.todos(path, entry)
		case base == "checkpoints" && entry.IsDir():
			e.flatFolder(base, path)
		case (base == "files" || base == "research") && entry.IsDir():
			left := e.src.cfg.MaxArtifacts
			e.tree(base, path, maxDepth, &left)
		case slices.Contains(rewindFolders[:], base) && entry.IsDir():
			if _, err := os.Lstat(filepath.Join(path, "index.json")); err == nil {
				e.file(base+"/index.json", filepath.Join(path, "index.json"), nil)
			}
		}
	}
	return true
}

// file adds a part that must be a plain file.
func (e *examiner) file(part, path string, entry fs.DirEntry) {
	if info, ok := e.stat(path, entry); ok {
		p := sources.Part{Name: part, Stamp: stamp.Of(info)}
		if e.out.item.File(p) != path {
			p.Path = path
		}
		e.out.item.Parts = append(e.out.item.Parts, p)
	}
}

func (e *examiner) todos(path string, entry fs.DirEntry) {
	info, ok := e.stat(path, entry)
	if !ok {
		return
	}
	st := stamp.Of(info)
	for _, suffix := range []string{"-wal", "-journal"} {
		if info, err := os.Lstat(path + suffix); err == nil {
			st = stamp.Join(st, stamp.Of(info))
		}
	}
	e.out.item.Parts = append(e.out.item.Parts, sources.Part{Name: partTodos, Stamp: st})
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
			e.file(base+"/"+entry.Name(), filepath.Join(dir, entry.Name()), entry)
		}
	}
}

// tree adds the files below a folder in order of name, to a depth and a number.
// What lies beyond is told by one part of its own.
func (e *examiner) tree(base, dir string, depth int, left *int) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		e.problem(dir, err)
		return
	}
	for _, entry := range entries {
		part, path := base+"/"+entry.Name(), filepath.Join(dir, entry.Name())
		switch {
		case *left <= 0 || entry.IsDir() && depth == 0:
			e.out.item.Parts = append(e.out.item.Parts, sources.Part{Name: base + "/" + moreFiles, Path: dir})
			return
		case entry.IsDir():
			e.tree(part, path, depth-1, left)
		default:
			*left--
			e.file(part, path, entry)
		}
	}
}

// stat looks at a file without following a link, which could lead anywhere.
func (e *examiner) stat(path string, entry fs.DirEntry) (info fs.FileInfo, ok bool) {
	var err error
	if entry != nil {
		info, err = entry.Info()
	} else {
		info, err = os.Lstat(path)
	}
	switch {
	case errors.Is(err, fs.ErrNotExist): // it vanished since the folder was read
	case err != nil:
		e.problem(path, err)
	case !info.Mode().IsRegular():
		e.problem(path, fmt.Errorf("list %q: %w", path, textfile.ErrNotRegular))
	default:
		return info, true
	}
	return nil, false
}

func (e *examiner) problem(path string, err error) {
	e.out.problems = append(e.out.problems, newProblem(e.out.item.Key, path, err))
}
