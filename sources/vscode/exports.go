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
func (s *Source) exports(out *sources.Listing) {
	seen := map[string]bool{}
	for _, named := range s.cfg.Exports {
		path, err := filepath.Abs(named)
		if err != nil || seen[path] {
			continue
		}
		seen[path] = true
		x := &exportRoot{src: s, root: sources.Root{Path: path}, out: out, seen: seen}
		x.list(path)
		out.Roots = append(out.Roots, x.root)
	}
}

// exportRoot is one path the user named.
type exportRoot struct {
	src  *Source
	root sources.Root
	out  *sources.Listing
	seen map[string]bool
}

func (x *exportRoot) list(path string) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		x.root.Why = files.WhyMissing(err)
	case info.IsDir():
		x.root.Found = true
		x.folder(path, exportDepth)
	default:
		x.root.Found = true
		x.named(path)
	}
}

// named takes a file the user named, which may be a link, unless another name
// led to it.
func (x *exportRoot) named(path string) {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		x.problem(path, err)
		return
	}
	if real == path || !x.seen[real] {
		x.seen[real] = true
		x.file(real)
	}
}

func (x *exportRoot) folder(dir string, depth int) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		x.problem(dir, err)
		return
	}
	for _, e := range entries {
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

func (x *exportRoot) file(path string) {
	parts := files.Parts{Problem: x.problem}
	parts.File(partExport, path, nil)
	if len(parts.List) == 0 {
		return
	}
	x.out.Items = append(x.out.Items, sources.Item{
		Source: sourceName, Key: "export/" + words.PathTag(path, x.src.cfg.Home, filepath.Base(path)), Kind: sources.KindSession, Root: x.root.Path, Path: path, Parts: parts.Sorted(),
	})
}

func (x *exportRoot) problem(path string, err error) {
	x.out.Problems = append(x.out.Problems, newProblem("export", path, err))
}

// agentHosts lists what the agent host keeps of the sessions it runs: in
// <edition>/agentSessionData/<id>, beside the user folder (section 5.4).
func (s *Source) agentHosts(roots []places.Root, out *sources.Listing) {
	for _, r := range roots {
		if !r.Found || filepath.Base(r.Path) != "User" { // beside a copy lies what nobody named
			continue
		}
		dir := filepath.Join(filepath.Dir(r.Path), "agentSessionData")
		entries, err := os.ReadDir(dir)
		if err != nil {
			continue // rarely there
		}
		for _, e := range entries {
			parts := files.Parts{Problem: func(path string, err error) {
				out.Problems = append(out.Problems, newProblem(r.Tag+"/agent-host", path, err))
			}}
			path := filepath.Join(dir, e.Name(), "session.db")
			if e.IsDir() {
				parts.Database(partHost, path)
			}
			if len(parts.List) == 0 {
				continue
			}
			out.Items = append(out.Items, sources.Item{
				Source: sourceName, Key: r.Tag + "/agent-host/" + e.Name(), Kind: sources.KindSession,
				Session: identity(rawID(e.Name()), "agent-host"), Root: r.Path, Path: path, Parts: parts.Sorted(),
			})
		}
	}
}

// rawID takes the provider off an id: one session may be known by several
// (section 5.4).
func rawID(name string) string {
	for _, scheme := range externalSchemes {
		for _, sep := range []string{":", "-", "_"} {
			if rest, ok := strings.CutPrefix(name, scheme+sep); ok {
				return strings.TrimLeft(rest, "/")
			}
		}
	}
	return name
}
