package extract

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/extract/catalog"
	"github.com/sessionloom/sessionloom/extract/internal/identity"
	"github.com/sessionloom/sessionloom/extract/internal/index"
	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/extract/ledger"
)

// Forget removes sessions and projects from vault and ledger and keeps them out, on every machine, until
// [Engine.Restore]. A name is the id of a session, with or without "session:", or "project:" with a key or
// name; or any other name that [catalog.Catalog.Forgettable] knows. Notes with a person's text stay and are
// named in the report; with Mode.Edited they are quarantined. Nothing outside the managed folder and the
// ledger is touched. It returns an error for an unknown name, and a [HeldError] if many notes would go.
func (s *Engine) Forget(ctx context.Context, names []string) (Report, error) {
	if err := s.beginKnowing(ctx); err != nil {
		return Report{}, err
	}
	var ids []string // "session:…", "project:…"
	goes, back := make([][]string, len(names)), make([]string, len(names))
	for i, name := range names {
		found, err := s.forgettable(name)
		if err != nil {
			return Report{}, err
		}
		ids, back[i] = append(ids, found...), restorable(name, found[0])
		goes[i], _ = notesToGo(s.Ledger, found)
	}
	notes, all := notesToGo(s.Ledger, ids)
	if limit := max(20, all/10); len(notes) > limit && !s.Mode.Force {
		return Report{}, &HeldError{
			What: fmt.Sprintf("%d of %d notes would go: nothing was written", len(notes), all),
			Hint: "--force --dry-run shows which; run again with --force if that is meant",
		}
	}
	// Once the tombstones are on disk, any run on any machine does the rest.
	for _, id := range ids {
		if err := s.Vault.AddTombstone(index.ForgottenID(id)); err != nil {
			return Report{}, err
		}
		s.Ledger.AddTombstone(ledger.Tombstone{ID: index.ForgottenID(id)})
	}
	if err := s.Vault.Flush(); err != nil {
		return Report{}, err
	}
	for _, id := range notes {
		s.Ledger.MarkDue(ledger.DueNav, id)
	}
	report, err := s.Run(ctx)
	for i, name := range names {
		report.Answer("forget", name, "removed", func(id string) bool { return slices.Contains(goes[i], id) })
		report.Asked[len(report.Asked)-1].Back = back[i]
	}
	return report, err
}

// notesToGo lists the notes of sessions and projects in the folder, and counts all notes.
func notesToGo(l *ledger.Ledger, ids []string) (notes []string, all int) {
	for r := range index.EachNote(l) {
		all++
		if index.GoesWith(l, r, func(id string) bool { return slices.Contains(ids, id) }) {
			notes = append(notes, r.ID)
		}
	}
	return notes, all
}

// forgettable returns what a name means to a user: the ids of one session, or a project.
func (s *Engine) forgettable(name string) ([]string, error) {
	if project, ok := strings.CutPrefix(name, "project:"); ok {
		return s.projectNamed(project)
	}
	id := strings.TrimPrefix(name, "session:")
	home := s.Ledger.CanonicalID(id)
	_, known := s.Ledger.Session(home)
	if !known && len(s.Ledger.NotesOfSession(home)) == 0 && !index.ForgottenSession(s.Vault, home) {
		e, err := catalog.New(s.Ledger, s.Folder).Forgettable(name)
		switch failed := s.Ledger.Failed(); {
		case failed != nil || err != nil:
			return nil, cmp.Or(failed, err)
		case !e.IsSession():
			return s.projectNamed(e.Project)
		}
		home = e.Session
	}
	ids := []string{names.SessionID(home)}
	for _, id := range s.Ledger.AliasesOf(home) { // its other ids are the same conversation
		ids = append(ids, names.SessionID(id))
	}
	return ids, nil
}

// projectNamed finds a project by its key, or by a unique name.
func (s *Engine) projectNamed(name string) ([]string, error) {
	former := slices.Sorted(maps.Keys(s.Ledger.FormerProjects()))
	if slices.Contains(former, name) || index.ForgottenProject(s.Vault, name) {
		return []string{names.ProjectID(name)}, nil
	}
	key, err := identity.ProjectNamed(name, s.Ledger.Projects(), former)
	if err != nil {
		return nil, cmp.Or(s.Ledger.Failed(), err)
	}
	return []string{names.ProjectID(key)}, nil
}

// unforget removes the tombstones of a forgotten session or project, and reports whether there were any. Its
// content is read again if a source has it.
func (s *Engine) unforget(ctx context.Context, name string) (bool, error) {
	id := name
	if key, ok := strings.CutPrefix(name, "project:"); ok {
		if found, err := s.projectNamed(key); err == nil {
			id = found[0]
		}
	} else {
		id = names.SessionID(strings.TrimPrefix(name, "session:"))
	}
	if !s.Vault.HasTombstone(index.ForgottenID(id)) {
		return false, nil
	}
	if err := index.LiftTombstone(s.Vault, s.Ledger, index.ForgottenID(id)); err != nil {
		return false, err
	}
	session, ok := strings.CutPrefix(id, "session:")
	if !ok {
		return true, nil
	}
	// Reading finds its other ids again.
	if err := s.readOnly(ctx); err != nil {
		return false, err
	}
	for _, c := range s.Ledger.AliasCandidates() {
		if c.By != session || !index.ForgottenSession(s.Vault, c.Of) {
			continue
		}
		if err := index.LiftTombstone(s.Vault, s.Ledger, index.ForgottenID(names.SessionID(c.Of))); err != nil {
			return false, err
		}
	}
	return true, nil
}

// restorable returns the name under which something forgotten can be restored; its title is forgotten too.
func restorable(name, id string) string {
	if id = strings.TrimPrefix(id, "session:"); strings.HasPrefix(id, name) {
		return name
	}
	return id
}
