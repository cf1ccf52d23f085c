package index

import (
	"strings"

	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/extract/internal/pages"
	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/vault"
)

// ForgottenID names a session ("session:…") or project ("project:…") among the
// tombstones that is to be kept out, where the plain id says that a note of it
// was deleted.
func ForgottenID(id string) string { return "forgotten:" + id }

// ForgottenIn gives the id of a session or project that is kept out, false for the
// tombstone of a note that was deleted.
func ForgottenIn(g ledger.Tombstone) (id string, ok bool) {
	return strings.CutPrefix(g.ID, ForgottenID(""))
}

// ForgottenSession tells whether a session is kept out. Without a vault none is.
func ForgottenSession(v *vault.Vault, id string) bool {
	return v != nil && id != "" && v.HasTombstone(ForgottenID(names.SessionID(id)))
}

// ForgottenProject tells whether a project is kept out.
func ForgottenProject(v *vault.Vault, key string) bool {
	return v != nil && key != "" && v.HasTombstone(ForgottenID(names.ProjectID(key)))
}

// Forgotten tells whether the session of a record is kept out, or its project.
func Forgotten(v *vault.Vault, c ledger.SessionRecord) bool {
	return ForgottenSession(v, c.ID) || ForgottenProject(v, c.Project)
}

// ForgottenNote tells whether a note is one of a forgotten session or project.
// Pages that list notes come and go with what they list.
func ForgottenNote(v *vault.Vault, r ledger.NoteRow) bool {
	return pages.Order(r.ID) < 0 && (ForgottenSession(v, r.Session) || ForgottenProject(v, r.Project))
}

// DeletedOnce is why a note that was deleted and stands all the same is left alone.
const DeletedOnce = "it was deleted once and is not kept up to date: sessionloom restore lifts that, by its id"

// LiftTombstone takes a tombstone away: what has the id may come back.
func LiftTombstone(v *vault.Vault, l *ledger.Ledger, id string) error {
	if _, err := v.RemoveTombstone(id); err != nil {
		return err
	}
	return l.RemoveTombstone(id)
}
