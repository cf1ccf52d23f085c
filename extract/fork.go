package extract

import (
	"bytes"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
)

// stripInherited takes out of a fork what it has from its parent and did not
// change: artifacts of the same text, checkpoints of the same words, and the
// turns at its start that say nothing which the parent's of the same id do not (a
// fork whose log does not say that it is one). What was taken out is named in
// child.Inherited, and child.Parent is set. An unmarked fork must not be older
// than its parent; the parent is not changed, nor is a child of another parent.
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
			return p.Number == c.Number && saysNoMore(c, p)
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

// sharedTurns counts the turns at the start of both that are one turn. An id alone
// proves nothing: a copied session may have gone on within its last turn, and who
// writes a log gives what ids they like.
func sharedTurns(child, parent []sources.Turn) (n int) {
	for n < len(child) && n < len(parent) && repeats(child[n], parent[n]) {
		n++
	}
	return n
}

// repeats tells whether a turn of a child says nothing that the parent's does not.
// One that was still going on when the session was copied may say less.
func repeats(child, parent sources.Turn) bool {
	if child.ID == "" || child.ID != parent.ID || !sameText(child.User, parent.User) || child.Error != "" && child.Error != parent.Error ||
		!strings.Contains(oneLine(parent.Assistant), oneLine(child.Assistant)) || len(child.Tools) > len(parent.Tools) {
		return false
	}
	for i, t := range child.Tools {
		if t.Name != parent.Tools[i].Name || !repeatsDetail(t.Detail, parent.Tools[i].Detail) {
			return false
		}
	}
	return isPartOf(child.Attachments, parent.Attachments, repeatsAttachment) &&
		isPartOf(child.Citations, parent.Citations, func(a, b sources.Citation) bool { return a == b })
}

// isPartOf tells whether each of some says no more than one of all.
func isPartOf[T any](some, all []T, saysNoMore func(a, b T) bool) bool {
	return !slices.ContainsFunc(some, func(a T) bool {
		return !slices.ContainsFunc(all, func(b T) bool { return saysNoMore(a, b) })
	})
}

// repeatsAttachment compares pictures by what they show: those that are pasted
// have one name.
func repeatsAttachment(child, parent sources.Attachment) bool {
	return child.Kind == parent.Kind && child.Name == parent.Name && (len(child.Content) == 0 || bytes.Equal(child.Content, parent.Content))
}

// repeatsDetail compares what two calls of a tool did. A path is told from the
// folder of the session, which the parent may know and the child not.
func repeatsDetail(child, parent string) bool {
	if strings.HasSuffix(parent, child) {
		return true
	}
	folder, longer := strings.CutSuffix(child, parent)
	return longer && parent != "" && strings.HasSuffix(folder, "/") && !strings.ContainsRune(folder, ' ')
}

// sameText compares texts without regard to white space.
func sameText(a, b string) bool { return a == b || oneLine(a) == oneLine(b) }

// startOf is equal for turns that have one id and begin with one prompt, empty for
// one without id. Of a long prompt the beginning is enough to find it by.
func startOf(t sources.Turn) string {
	const enough = 4 << 10
	if t.ID == "" {
		return ""
	}
	return t.ID + " " + digest(oneLine(t.User[:min(len(t.User), enough)]), 16)
}

// saysNoMore tells whether a checkpoint of a child holds no text that the
// parent's does not.
func saysNoMore(child, parent sources.Checkpoint) bool {
	return child.Overview == parent.Overview && child.WorkDone == parent.WorkDone && child.Raw == parent.Raw &&
		(child.History == "" || child.History == parent.History) &&
		(child.Technical == "" || child.Technical == parent.Technical) &&
		(child.Important == "" || child.Important == parent.Important) &&
		(child.NextSteps == "" || child.NextSteps == parent.NextSteps)
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
