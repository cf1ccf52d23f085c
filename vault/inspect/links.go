package inspect

import (
	"fmt"
	"io/fs"
	"strings"

	"golang.org/x/text/unicode/norm"
)

// linkTargets answers whether links lead somewhere. What was asked once is remembered.
type linkTargets struct {
	*check
	files  map[string]bool // paths from the vault's root of all files in the managed folder
	folded map[string]bool // the same without regard to case and form
	found  map[string]bool // by the link as written
}

// judgeLinks finds the links of ours that lead nowhere.
func (c *check) judgeLinks() {
	t := linkTargets{check: c, files: map[string]bool{}, folded: map[string]bool{}, found: map[string]bool{}}
	for _, n := range c.notes {
		t.add(n.path)
	}
	for _, f := range c.listed.Others {
		t.add(f.Path)
	}
	for _, n := range c.notes {
		for _, l := range n.links {
			if !t.leads(l.To) {
				c.find(FindingLink, n.path, l.Line, fmt.Sprintf("its link to %q leads nowhere", l.To))
			}
		}
	}
}

func (t *linkTargets) add(p string) {
	at := t.fromRoot(p)
	t.files[at], t.folded[folded(at)] = true, true
}

// leads tells whether Obsidian finds the file of a target: a note, or any file by its
// whole name, whatever the case of its letters.
func (t *linkTargets) leads(to string) bool {
	found, asked := t.found[to]
	if !asked {
		found = t.search(to)
		t.found[to] = found
	}
	return found
}

func (t *linkTargets) search(to string) bool {
	for _, p := range []string{to + ".md", to} {
		if t.files[p] || t.folded[folded(p)] || fs.ValidPath(p) && t.Stands(p) {
			return true
		}
	}
	return false
}

func folded(p string) string { return norm.NFC.String(strings.ToLower(p)) }
