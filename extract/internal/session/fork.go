// Package session merges the layers of one id to a session, and removes from a fork what its parent shows. It
// is pure: the result is a function of the set of layers.
//
// Secrets are masked before layers are stored, and layers are merged afterwards: each is stored separately,
// so that one that grows or returns is merged again with the others.
//
// A reader marks what came before a fork and keeps it; package loader decides whether the parent shows it.
package session

import (
	"bytes"
	"slices"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/extract/internal/texts"
	"github.com/sessionloom/sessionloom/sources"
)

// ParentLayer is in the sources of a fork's note that leaves out its parent's part: without the parent it is
// not rendered.
const ParentLayer = "fork/parent"

// LeaveToParent removes from a fork what its parent's note shows.
func (m *Merged) LeaveToParent(parent *sources.Session) {
	before := m.Session.Artifacts
	if stripInherited(&m.Session, parent) {
		m.Layers = m.contributors(ParentLayer)
	}
	m.LeftToParent = slices.DeleteFunc(slices.Clone(before), func(a sources.Artifact) bool {
		return slices.ContainsFunc(m.Session.Artifacts, func(b sources.Artifact) bool { return artifactKey(a) == artifactKey(b) })
	})
}

// stripInherited removes from a fork what its parent shows: checkpoints of the same words, artifacts of the
// same text, and turns, marked as inherited or at the start of both, that have nothing beyond the parent's
// turn of the same id or time. What the parent no longer has, as it was rewound or cut, stays. child.Parent is set.
// An unmarked fork must not be older than its parent; the parent is not changed, nor is a child of another
// parent. It reports whether anything was removed.
func stripInherited(child, parent *sources.Session) (some bool) {
	if child.ID == parent.ID || child.Parent != "" && child.Parent != parent.ID {
		return false
	}
	told, some := toldTurns(child.Turns, parent.Turns)
	if child.Parent == "" && (!some || child.Created.Before(parent.Created)) {
		return false
	}
	child.Parent = parent.ID
	dropTurns(child, told, parent)
	checkpoints, artifacts := len(child.Checkpoints), len(child.Artifacts)
	child.Checkpoints = slices.DeleteFunc(slices.Clone(child.Checkpoints), func(c sources.Checkpoint) bool {
		return slices.ContainsFunc(parent.Checkpoints, func(p sources.Checkpoint) bool { return p.Number == c.Number && saysNoMore(c, p) })
	})
	child.Artifacts = slices.DeleteFunc(slices.Clone(child.Artifacts), func(a sources.Artifact) bool {
		return slices.ContainsFunc(parent.Artifacts, func(p sources.Artifact) bool {
			return p.Kind == a.Kind && p.Name == a.Name && p.Text == a.Text && p.Left == a.Left && (a.Text != "" || p.Size == a.Size)
		})
	})
	return some || len(child.Checkpoints) < checkpoints || len(child.Artifacts) < artifacts
}

func toldTurns(child, parent []sources.Turn) (told []bool, some bool) {
	byID := make(map[string][]sources.Turn, len(parent))
	for _, t := range parent {
		byID[t.ID] = append(byID[t.ID], t)
	}
	told = make([]bool, len(child))
	shared := sharedTurns(child, parent)
	for i, t := range child {
		told[i] = i < shared || t.Inherited && slices.ContainsFunc(byID[t.ID], func(p sources.Turn) bool { return repeats(t, p) })
		some = some || told[i]
	}
	return told, some
}

// DropInherited removes from a fork everything that is marked as inherited.
func DropInherited(s *sources.Session) {
	inherited := make([]bool, len(s.Turns))
	for i, t := range s.Turns {
		inherited[i] = t.Inherited
	}
	dropTurns(s, inherited, &sources.Session{})
	s.Checkpoints = slices.DeleteFunc(slices.Clone(s.Checkpoints), func(c sources.Checkpoint) bool { return c.Inherited })
}

// sharedTurns counts the common turns at the start of both. An id alone proves nothing: a copied session may
// have continued within its last turn, and a log may have any ids.
func sharedTurns(child, parent []sources.Turn) (n int) {
	for n < len(child) && n < len(parent) && repeats(child[n], parent[n]) {
		n++
	}
	return n
}

// repeats reports whether a child's turn has nothing beyond the parent's. A turn that was unfinished when
// copied may have less.
func repeats(child, parent sources.Turn) bool {
	isSame := child.ID != "" && child.ID == parent.ID || child.At.Nanosecond() > 0 && child.At.Equal(parent.At) // a copy may get a new id
	if !isSame || !sameText(child.User, parent.User) || child.Error != "" && child.Error != parent.Error ||
		!strings.Contains(texts.OneLine(parent.Assistant), texts.OneLine(child.Assistant)) || len(child.Tools) > len(parent.Tools) {
		return false
	}
	for i, t := range child.Tools {
		if t.Name != parent.Tools[i].Name || !repeatsDetail(t.Detail, parent.Tools[i].Detail) || t.Command != "" && t.Command != parent.Tools[i].Command {
			return false
		}
	}
	return isPartOf(child.Attachments, parent.Attachments, repeatsAttachment) &&
		isPartOf(child.Citations, parent.Citations, func(a, b sources.Citation) bool { return a == b })
}

func isPartOf[T any](some, all []T, saysNoMore func(a, b T) bool) bool {
	return !slices.ContainsFunc(some, func(a T) bool {
		return !slices.ContainsFunc(all, func(b T) bool { return saysNoMore(a, b) })
	})
}

// repeatsAttachment compares pictures by content, as pasted ones have one name.
func repeatsAttachment(child, parent sources.Attachment) bool {
	return child.Kind == parent.Kind && child.Name == parent.Name && (len(child.Content) == 0 || bytes.Equal(child.Content, parent.Content))
}

// repeatsDetail compares two calls of a tool. A path may be relative to the session's folder, which only the
// parent may know.
func repeatsDetail(child, parent string) bool {
	if strings.HasSuffix(parent, child) {
		return true
	}
	folder, longer := strings.CutSuffix(child, parent)
	return longer && parent != "" && strings.HasSuffix(folder, "/") && !strings.ContainsRune(folder, ' ')
}

func sameText(a, b string) bool { return a == b || texts.OneLine(a) == texts.OneLine(b) }

func saysNoMore(child, parent sources.Checkpoint) bool {
	return child.Overview == parent.Overview && child.WorkDone == parent.WorkDone && child.Raw == parent.Raw &&
		(child.History == "" || child.History == parent.History) &&
		(child.Technical == "" || child.Technical == parent.Technical) &&
		(child.Important == "" || child.Important == parent.Important) &&
		(child.NextSteps == "" || child.NextSteps == parent.NextSteps)
}

// dropTurns removes turns, with the files and refs they touched. Touches without a known turn are removed if
// the parent has them too.
func dropTurns(s *sources.Session, drop []bool, parent *sources.Session) {
	place := make([]int, len(s.Turns)) // new indexes by former index
	var kept []sources.Turn
	for i, t := range s.Turns {
		if place[i] = len(kept); drop[i] {
			place[i] = -2
			continue
		}
		t.Index = len(kept)
		kept = append(kept, t)
	}
	at := func(turn int) int {
		if turn < 0 || turn >= len(place) {
			return -1
		}
		return place[turn]
	}
	s.Turns = kept
	s.Files = withTurns(s.Files, at, func(f *sources.FileTouch) *int { return &f.Turn }, func(f sources.FileTouch) bool {
		return f.Turn < 0 && !f.At.IsZero() && slices.Contains(parent.Files, f)
	})
	s.Refs = withTurns(s.Refs, at, func(r *sources.Ref) *int { return &r.Turn }, func(r sources.Ref) bool {
		return r.Turn < 0 && slices.Contains(parent.Refs, r)
	})
	s.Actions = withTurns(s.Actions, at, func(a *sources.Action) *int { return &a.Turn }, func(sources.Action) bool { return false })
	s.Acts = withTurns(s.Acts, at, func(a *sources.Act) *int { return &a.Turn }, func(a sources.Act) bool {
		return slices.ContainsFunc(parent.Acts, func(p sources.Act) bool { return isSameAct(a, p) })
	})
}

// withTurns returns a list with the new turn numbers, without elements of dropped turns.
func withTurns[T any](list []T, at func(turn int) int, turn func(*T) *int, goes func(T) bool) []T {
	list = slices.DeleteFunc(slices.Clone(list), func(x T) bool { return at(*turn(&x)) == -2 || goes(x) })
	for i := range list {
		*turn(&list[i]) = at(*turn(&list[i]))
	}
	return list
}

// isSameAct reports whether an act of a turn that continues in the fork was done before the fork.
func isSameAct(child, parent sources.Act) bool {
	parent.Turn = child.Turn
	return child == parent && child.Text != "" && !child.At.IsZero()
}

// FirstTurn returns a fingerprint of a session's first own turn: its second, or its id if the time is unknown,
// and the beginning of its prompt. It is "" without an id.
func FirstTurn(turns []sources.Turn) string {
	const enough = 4 << 10 // bytes of a long prompt that identify it
	for _, t := range turns {
		switch {
		case t.Inherited:
		case t.ID == "":
			return ""
		case !t.At.IsZero():
			t.ID = t.At.UTC().Format(time.DateTime)
			fallthrough
		default:
			return t.ID + " " + texts.Digest(texts.OneLine(t.User[:min(len(t.User), enough)]), 16)
		}
	}
	return ""
}

// IsEmpty reports whether a session has nothing to show. Rewound turns count.
func IsEmpty(s *sources.Session) bool {
	if len(s.Turns) > 0 || len(s.TakenBack) > 0 || len(s.Checkpoints) > 0 || slices.ContainsFunc(s.Delegated, func(d sources.Delegation) bool { return d.Answer != "" }) {
		return false
	}
	return !slices.ContainsFunc(s.Artifacts, func(a sources.Artifact) bool { return a.Text != "" || a.Left != "" })
}

// KindOf returns whether a session is a conversation or a collection of memories.
func KindOf(s *sources.Session) sources.ItemKind {
	if s.IsMemory {
		return sources.KindMemory
	}
	return sources.KindSession
}

// ScopeOf returns the scope of a collection of memory, or "" for a conversation.
func ScopeOf(s *sources.Session) sources.Scope {
	switch {
	case !s.IsMemory:
		return ""
	case s.Scope == sources.ScopeUser:
		return sources.ScopeUser
	}
	return sources.ScopeRepo
}
