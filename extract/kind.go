package extract

import (
	"slices"

	"github.com/sessionloom/sessionloom/sources"
)

// isEmpty tells whether a session has nothing worth a note.
func isEmpty(s *sources.Session) bool {
	if len(s.Turns) > 0 || len(s.Checkpoints) > 0 {
		return false
	}
	return !slices.ContainsFunc(s.Artifacts, func(a sources.Artifact) bool { return a.Text != "" || a.Left != "" })
}

// kindOf tells a conversation from a shelf of memories.
func kindOf(s *sources.Session) sources.ItemKind {
	if s.Shelf {
		return sources.KindShelf
	}
	return sources.KindSession
}

// scopeOf is whose memory a shelf is, empty for a conversation.
func scopeOf(s *sources.Session) sources.Scope {
	switch {
	case !s.Shelf:
		return ""
	case s.Scope == sources.ScopeUser:
		return sources.ScopeUser
	}
	return sources.ScopeRepo
}
