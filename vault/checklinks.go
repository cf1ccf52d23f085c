package vault

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"
	"gopkg.in/yaml.v3"

	"github.com/sessionloom/sessionloom/vault/note"
)

// targets answers where links lead. What was asked once is remembered.
type targets struct {
	*check
	files  map[string]bool     // paths from the vault's root of all files in the managed folder
	found  map[string]lead     // by the target as written
	folded map[string]string   // path without regard to case and form → path
	parts  map[string][]string // path → names that can stand behind "#"
}

// lead is where a target leads.
type lead struct {
	at     string // path from the vault's root, empty: nowhere
	beyond bool   // that had to be looked up outside of the managed folder
}

// judgeLinks finds the links that lead nowhere: where no file, id or heading
// changed, among those of changed notes and those that lead out of the folder.
func (c *check) judgeLinks() {
	var again []*noted
	paths := map[string]bool{}
	for i := range c.notes {
		if n := &c.notes[i]; c.anew || !n.seen || n.beyond {
			again = append(again, n)
			paths[c.fromRoot(n.path)] = true
		}
	}
	if len(again) == 0 {
		return
	}
	c.shared = slices.DeleteFunc(c.shared, func(f Finding) bool { return f.Kind == FindingLink && paths[f.Path] })
	t, between := newTargets(c), newTies(c)
	for _, n := range again {
		n.beyond = false
		for _, l := range c.linksOf(n) {
			at, words := t.trouble(n, l)
			if words != "" {
				c.shared = append(c.shared, Finding{Kind: FindingLink, Path: c.fromRoot(n.path), Line: l.Line, Words: words})
			}
			between.add(c.fromRoot(n.path), at)
		}
	}
	if c.anew && c.Answers != nil {
		between.judge()
	}
}

func newTargets(c *check) *targets {
	t := &targets{check: c, found: map[string]lead{}, parts: map[string][]string{}}
	t.files = make(map[string]bool, len(c.notes)+len(c.others))
	for i := range c.notes {
		if n := &c.notes[i]; !n.gone {
			t.files[c.fromRoot(n.path)] = true
		}
	}
	for _, f := range c.others {
		t.files[c.fromRoot(f.Path)] = true
	}
	return t
}

// trouble says where a link leads, and in words why it leads nowhere; no words if
// it leads somewhere.
func (t *targets) trouble(n *noted, l note.Link) (at, words string) {
	at = t.lead(n, l)
	if at == "" {
		return "", fmt.Sprintf("its link to %q leads nowhere", l.To)
	}
	if l.Part == "" {
		return at, ""
	}
	if names, known := t.partsOf(at); known && !slices.Contains(names, note.PartName(l.Part)) {
		return at, fmt.Sprintf("its link leads to %q, where there is no %q", at, l.Part)
	}
	return at, ""
}

// lead finds the file that a link of a note leads to, empty if there is none.
func (t *targets) lead(n *noted, l note.Link) string {
	if l.To == "" {
		return t.fromRoot(n.path)
	}
	if l.Near != "" {
		if at := t.file(n, l.Near); at != "" {
			return at
		}
	}
	return t.file(n, l.To)
}

// file finds the file of a target as Obsidian does: a note, or any file by its
// whole name, whatever the case of its letters.
func (t *targets) file(n *noted, to string) string {
	found, asked := t.found[to]
	if !asked {
		found = t.search(to)
		t.found[to] = found
	}
	n.beyond = n.beyond || found.beyond
	return found.at
}

func (t *targets) search(to string) lead {
	for _, p := range []string{to + ".md", to} {
		if t.files[p] {
			return lead{at: p}
		}
	}
	if p := t.fold(to); p != "" {
		return lead{at: p}
	}
	for _, p := range []string{to + ".md", to} {
		if !fs.ValidPath(p) {
			continue
		}
		info, err := t.outer.Lstat(p)
		if err == nil && info.Mode().IsRegular() || errors.Is(err, fs.ErrPermission) {
			return lead{at: p, beyond: true} // of what we may not look at nothing bad is said
		}
	}
	return lead{beyond: true}
}

// fold finds a file of the managed folder whatever the spelling.
func (t *targets) fold(to string) string {
	if t.folded == nil {
		t.folded = make(map[string]string, len(t.files))
		for p := range t.files {
			if key := folded(p); t.folded[key] == "" || p < t.folded[key] {
				t.folded[key] = p
			}
		}
	}
	if p := t.folded[folded(to+".md")]; p != "" {
		return p
	}
	return t.folded[folded(to)]
}

func folded(p string) string { return norm.NFC.String(strings.ToLower(p)) }

// partsOf lists what can stand behind "#" in a link to a file: headings and
// blocks of a note, views of a base. Of other files, and of what cannot be read,
// that is not known.
func (t *targets) partsOf(at string) (names []string, known bool) {
	if names, known = t.parts[at]; known {
		return names, true
	}
	isBase := strings.EqualFold(path.Ext(at), ".base")
	if !isBase && !note.IsNote(at) {
		return nil, false
	}
	text, err := t.textOf(at)
	if err != nil {
		return nil, false
	}
	if !isBase {
		names = note.Anchors(string(text))
	} else if names, known = views(text); !known {
		return nil, false
	}
	t.parts[at] = names
	return names, true
}

// textOf reads a file by its path from the vault's root.
func (t *targets) textOf(at string) ([]byte, error) {
	root, err := t.outer.OpenRoot(path.Dir(at))
	if err != nil {
		return nil, err
	}
	defer func() { _ = root.Close() }()
	c, err := (&folder{root: root}).readFile(path.Base(at))
	return c.text, err
}

// views lists the names of the views of a base, if it can be read.
func views(text []byte) (names []string, readable bool) {
	var base struct {
		Views []struct{ Name string }
	}
	if yaml.Unmarshal(text, &base) != nil {
		return nil, false
	}
	for _, v := range base.Views {
		names = append(names, note.PlainHeading(v.Name))
	}
	return names, true
}
