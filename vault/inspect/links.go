package inspect

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"
	"gopkg.in/yaml.v3"

	"github.com/sessionloom/sessionloom/vault/note"
)

// linkTargets answers where links lead. What was asked once is remembered.
type linkTargets struct {
	*check
	files  map[string]bool     // paths from the vault's root of all files in the managed folder
	found  map[string]target   // by the link as written
	folded map[string]string   // path without regard to case and form → path
	parts  map[string][]string // path → names that can stand behind "#"
}

// target is where a link leads.
type target struct {
	at       string // path from the vault's root, empty: nowhere
	external bool   // that had to be looked up outside of the managed folder
}

// judgeLinks finds the links that lead nowhere: where no file, id or heading
// changed, among those of changed notes and those that lead out of the folder.
func (c *check) judgeLinks() {
	var again []*noteInfo
	paths := map[string]bool{}
	for i := range c.notes {
		if n := &c.notes[i]; c.anew || !n.seen || n.external {
			again = append(again, n)
			paths[c.fromRoot(n.path)] = true
		}
	}
	if len(again) == 0 {
		return
	}
	c.shared = slices.DeleteFunc(c.shared, func(f Finding) bool { return f.Kind == FindingLink && paths[f.Path] })
	t, between := newLinkTargets(c), newLinkGraph(c)
	for _, n := range again {
		n.external = false
		for _, l := range c.linksOf(n) {
			at, words := t.fault(n, l)
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

func newLinkTargets(c *check) *linkTargets {
	t := &linkTargets{check: c, found: map[string]target{}, parts: map[string][]string{}}
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

// fault says where a link leads, and in words why it leads nowhere; no words if
// it leads somewhere.
func (t *linkTargets) fault(n *noteInfo, l note.Link) (at, words string) {
	at = t.resolve(n, l)
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

// resolve finds the file that a link of a note leads to, empty if there is none.
func (t *linkTargets) resolve(n *noteInfo, l note.Link) string {
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
func (t *linkTargets) file(n *noteInfo, to string) string {
	found, asked := t.found[to]
	if !asked {
		found = t.search(to)
		t.found[to] = found
	}
	n.external = n.external || found.external
	return found.at
}

func (t *linkTargets) search(to string) target {
	for _, p := range []string{to + ".md", to} {
		if t.files[p] {
			return target{at: p}
		}
	}
	if p := t.fold(to); p != "" {
		return target{at: p}
	}
	for _, p := range []string{to + ".md", to} {
		if fs.ValidPath(p) && t.Stands(p) {
			return target{at: p, external: true}
		}
	}
	return target{external: true}
}

// fold finds a file of the managed folder whatever the spelling.
func (t *linkTargets) fold(to string) string {
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
func (t *linkTargets) partsOf(at string) (names []string, known bool) {
	if names, known = t.parts[at]; known {
		return names, true
	}
	isBase := strings.EqualFold(path.Ext(at), ".base")
	if !isBase && !note.IsNote(at) {
		return nil, false
	}
	text, err := t.ReadAt(at)
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
