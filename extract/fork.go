package extract

import (
	"slices"

	"github.com/sessionloom/sessionloom/sources"
)

// stripInherited takes out of a fork what it has from its parent and did not
// change: artifacts of the same text, checkpoints of the same words, and the
// turns with the parent's ids at its start (a fork whose log does not say that
// it is one). What was taken out is named in child.Inherited, and child.Parent
// is set. An unmarked fork must not be older than its parent; the parent is not
// changed, nor is a child of another parent.
func stripInherited(child, parent *sources.Session) {
	if child.ID == parent.ID || child.Parent != "" && child.Parent != parent.ID {
		return
	}
	shared := sharedTurns(child.Turns, parent.Turns)
	if child.Parent == "" && (shared == 0 || child.Created.Before(parent.Created)) {
		return
	}
	child.Parent = parent.ID
	dropTurns(child, shared)
	child.Checkpoints = slices.DeleteFunc(slices.Clone(child.Checkpoints), func(c sources.Checkpoint) bool {
		same := slices.ContainsFunc(parent.Checkpoints, func(p sources.Checkpoint) bool {
			return p.Number == c.Number && p.Overview == c.Overview && p.WorkDone == c.WorkDone && p.Raw == c.Raw
		})
		if same {
			child.Inherited.Checkpoints = append(slices.Clip(child.Inherited.Checkpoints), c.Number)
		}
		return same
	})
	child.Artifacts = slices.DeleteFunc(slices.Clone(child.Artifacts), func(a sources.Artifact) bool {
		same := slices.ContainsFunc(parent.Artifacts, func(p sources.Artifact) bool {
			return p.Kind == a.Kind && p.Name == a.Name && p.Text == a.Text && p.Left == a.Left && (a.Text != "" || p.Size == a.Size)
		})
		if same {
			child.Inherited.Artifacts = append(slices.Clip(child.Inherited.Artifacts), artifactKey(a))
		}
		return same
	})
	child.Inherited = tidyInherited(child.Inherited)
}

// sharedTurns counts the turns at the start of both that have one id.
func sharedTurns(child, parent []sources.Turn) (n int) {
	for n < len(child) && n < len(parent) && child[n].ID != "" && child[n].ID == parent[n].ID {
		n++
	}
	return n
}

// dropTurns takes the first turns away, with the files and refs they touched.
func dropTurns(s *sources.Session, n int) {
	if n == 0 {
		return
	}
	s.Turns = slices.Clone(s.Turns[n:])
	for i := range s.Turns {
		s.Turns[i].Index = i
	}
	inherited := func(turn int) bool { return turn >= 0 && turn < n }
	s.Files = slices.DeleteFunc(slices.Clone(s.Files), func(t sources.FileTouch) bool { return inherited(t.Turn) })
	for i := range s.Files {
		s.Files[i].Turn = max(s.Files[i].Turn-n, -1)
	}
	s.Refs = slices.DeleteFunc(slices.Clone(s.Refs), func(r sources.Ref) bool { return inherited(r.Turn) })
	for i := range s.Refs {
		s.Refs[i].Turn = max(s.Refs[i].Turn-n, -1)
	}
}
