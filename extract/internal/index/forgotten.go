package index

import (
	"slices"

	"github.com/sessionloom/sessionloom/extract/internal/identity"
	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/extract/internal/pages"
	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/vault"
)

// What is forgotten under a project's former key, from before its remote was known or its user joined it,
// stays forgotten.

// ForgottenID returns the id of a forgotten session ("session:…") or project ("project:…") among the
// tombstones, where the plain id stands for a deleted note.
func ForgottenID(id string) string { return "forgotten:" + id }

// ForgottenSession reports whether a session is kept out; false without a vault.
func ForgottenSession(v *vault.Vault, id string) bool { return keptOut(v)(names.SessionID(id)) }

// ForgottenProject reports whether a project is kept out.
func ForgottenProject(v *vault.Vault, key string) bool { return keptOut(v)(names.ProjectID(key)) }

// Forgotten reports whether the session of a record, or its project, is kept out.
func Forgotten(v *vault.Vault, c ledger.SessionRecord) bool {
	return slices.ContainsFunc(IDsOf(c), keptOut(v))
}

// ForgottenNote reports whether a note belongs to a forgotten session or project.
func ForgottenNote(v *vault.Vault, l *ledger.Ledger, r ledger.NoteRow) bool {
	return v != nil && v.HasTombstones() && GoesWith(l, r, keptOut(v))
}

// keptOut reports whether the session or project with an id is kept out.
func keptOut(v *vault.Vault) func(id string) bool {
	return func(id string) bool { return v != nil && id != "" && v.HasTombstone(ForgottenID(id)) }
}

// IDsOf returns the ids by which the session of a record may be forgotten: its own, and its project's under
// all its keys.
func IDsOf(c ledger.SessionRecord) []string {
	ids := []string{names.SessionID(c.ID)}
	for _, key := range []string{c.Project, c.Joined, c.OwnProject} {
		if key != "" && (key == c.Project || key != identity.KeyLoose) {
			ids = append(ids, names.ProjectID(key))
		}
	}
	return ids
}

// GoesWith reports whether a note is removed if some sessions and projects are forgotten, by id. Pages that
// list notes follow what they list. A note shared by several memories of a project goes with the last of
// them.
func GoesWith(l *ledger.Ledger, r ledger.NoteRow, forgotten func(id string) bool) bool {
	if pages.Order(r.ID) >= 0 {
		return false
	}
	if r.Session != "" && forgotten(names.SessionID(r.Session)) || r.Project != "" && forgotten(names.ProjectID(r.Project)) {
		return true
	}
	record, known := l.Session(r.Session)
	if known && record.Kind != string(sources.KindMemory) {
		return slices.ContainsFunc(IDsOf(record), forgotten)
	}
	from := l.JoinedFrom(r)
	return len(from) > 0 && !slices.ContainsFunc(from, func(key string) bool { return !forgotten(names.ProjectID(key)) })
}
