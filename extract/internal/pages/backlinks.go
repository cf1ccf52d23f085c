package pages

import (
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/extract/internal/names"
)

// AnswersLink says that a link of the note from to the note to is answered by one
// back; links is how many the latter has. What belongs to a session and the
// session link to each other, so do the neighbours of a chain and a day and its
// sessions. Pages that list the latest alone, and those that name another note
// in passing, promise nothing.
func AnswersLink(from, to string, links int) bool {
	kind, rest, _ := strings.Cut(from, ":")
	other, whole, _ := strings.Cut(to, ":")
	if ofSession(kind, other) && (strings.HasPrefix(rest, whole+":") || strings.HasPrefix(whole, rest+":")) {
		return true
	}
	switch kind + " " + other {
	case names.TypeDay + " " + names.TypeDay, names.TypeWeek + " " + names.TypeWeek, names.TypeDay + " " + names.TypeSession, names.TypeSession + " " + names.TypeDay, names.TypeSession + " " + names.TypeSession:
		return true
	case names.TypeFile + " " + names.TypeSession, names.TypeDay + " " + names.TypeWeek, names.TypeWeek + " " + names.TypeDay:
		return true
	case names.TypeSession + " " + names.TypeFile:
		return links < fileSessions
	}
	return false
}

// ofSession says that notes of both types are made of sessions.
func ofSession(types ...string) bool {
	for _, t := range types {
		if !slices.Contains([]string{names.TypeSession, names.TypeCheckpoint, names.TypeMemory}, t) {
			return false
		}
	}
	return true
}
