package inspect

import (
	"fmt"

	"github.com/sessionloom/sessionloom/vault/note"
)

// linkGraph are the links between notes: those of a note lead to these others.
type linkGraph struct {
	*check
	byPath  map[string]int // path from the vault's root → index of the note
	targets []map[int]bool // of each note: the notes its links lead to
	count   []int          // of each note: its links
}

func newLinkGraph(c *check) *linkGraph {
	t := &linkGraph{check: c, byPath: make(map[string]int, len(c.notes)), targets: make([]map[int]bool, len(c.notes)), count: make([]int, len(c.notes))}
	for i := range c.notes {
		t.byPath[c.fromRoot(c.notes[i].path)] = i
	}
	return t
}

// add takes in that a link of a note leads to a file.
func (t *linkGraph) add(note, at string) {
	from := t.byPath[note]
	t.count[from]++
	to, known := t.byPath[at]
	if !known || to == from {
		return
	}
	if t.targets[from] == nil {
		t.targets[from] = map[int]bool{}
	}
	t.targets[from][to] = true
}

// judge finds the notes that should link back and do not. One whose links
// somebody changed, or took out, may do so; one that has links into the void has
// trouble of its own, and so has a note that bears another's id, or a name that no
// link can hold.
func (t *linkGraph) judge() {
	troubled := map[string]bool{}
	for _, f := range t.shared {
		if f.Kind == FindingLink || f.Kind == FindingDuplicate {
			troubled[f.Path] = true
		}
	}
	for from := range t.targets {
		for to := range t.targets[from] {
			a, b := &t.notes[from], &t.notes[to]
			if troubled[t.fromRoot(a.path)] || note.PathFault(t.fromRoot(a.path)) != "" || troubled[t.fromRoot(b.path)] {
				continue
			}
			if a.id == "" || b.id == "" || !b.asRendered || t.targets[to][from] || !t.Answers(a.id, b.id, t.count[to]) {
				continue
			}
			t.shared = append(t.shared, Finding{Kind: FindingBack, Path: t.fromRoot(b.path),
				Words: fmt.Sprintf("%q links to it, and it does not link back", t.fromRoot(a.path))})
		}
	}
}
