// Package session makes one session of the layers of one id, and takes out of a fork
// what its parent tells. It is pure: the result is a function of the set of layers.
//
// Secrets are masked before layers are stored, and layers are merged after it: they are kept
// apart, so that one that grows or comes back is merged anew with the others.
//
// A reader marks what came before a fork and keeps it; package loader decides whether the
// parent tells it.
package session

import (
	"slices"

	"github.com/sessionloom/sessionloom/sources"
)

// IsEmpty tells whether a session has nothing worth a note.
func IsEmpty(s *sources.Session) bool {
	if len(s.Turns) > 0 || len(s.Checkpoints) > 0 {
		return false
	}
	return !slices.ContainsFunc(s.Artifacts, func(a sources.Artifact) bool { return a.Text != "" || a.Left != "" })
}

// KindOf tells a conversation from a collection of memories.
func KindOf(s *sources.Session) sources.ItemKind {
	if s.IsMemory {
		return sources.KindMemory
	}
	return sources.KindSession
}

// ScopeOf is whose memory a collection is, empty for a conversation.
func ScopeOf(s *sources.Session) sources.Scope {
	switch {
	case !s.IsMemory:
		return ""
	case s.Scope == sources.ScopeUser:
		return sources.ScopeUser
	}
	return sources.ScopeRepo
}
