package extract

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/extract/catalog"
	"github.com/sessionloom/sessionloom/extract/internal/index"
	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/extract/internal/owned"
	"github.com/sessionloom/sessionloom/extract/internal/pages"
	"github.com/sessionloom/sessionloom/extract/internal/session"
	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/sources"
)

// Restore brings deleted notes back: it removes their tombstones and writes them again. An id names a note
// ("session:…", "file:…") or a session, for all its notes; any other name that [catalog.Catalog.Restorable]
// knows will do. A forgotten session or project is read again. It returns an error if an id has no tombstone.
func (s *Engine) Restore(ctx context.Context, ids []string) (Report, error) {
	if err := s.beginKnowing(ctx); err != nil {
		return Report{}, err
	}
	back := make([][]string, len(ids))
	for i, id := range ids {
		var err error
		if back[i], err = s.restore(ctx, id); err != nil {
			return Report{}, err
		}
	}
	report, err := s.Run(ctx)
	for i, name := range ids {
		report.Answer("restore", name, "created", func(id string) bool { return back[i] == nil || slices.Contains(back[i], id) })
	}
	return report, err
}

// RestoreLast brings back the notes that their user deleted last: those whose deletion one run noticed, also
// this one. It returns an error if nothing was deleted.
func (s *Engine) RestoreLast(ctx context.Context) (Report, error) {
	before := s.deleted()
	look := *s
	look.Mode.Force = true // missing notes are about to come back
	look.Sources = nil     // the run below reads them
	if report, err := look.Run(ctx); err != nil {
		return report, err
	}
	ids := slices.DeleteFunc(s.deleted(), func(id string) bool { return slices.Contains(before, id) })
	if len(ids) == 0 { // an earlier run noticed it
		ids = s.lastDeleted()
	}
	if len(ids) == 0 {
		return Report{}, cmp.Or(s.Ledger.Failed(), errors.New("no note was deleted"))
	}
	return s.Restore(ctx, ids)
}

func (s *Engine) deleted() (ids []string) {
	for _, g := range s.Ledger.Tombstones() {
		if _, kept := Forgotten(g); !kept {
			ids = append(ids, g.ID)
		}
	}
	return ids
}

// lastDeleted returns the ids of the notes whose absence was noticed last, by the times of the tombstones.
func (s *Engine) lastDeleted() (ids []string) {
	const togetherDeleted = 2 * time.Second // longest time between tombstones of one run
	at := map[string]time.Time{}
	for _, id := range s.deleted() {
		if when, ok := s.Vault.DeletedAt(id); ok {
			at[id] = when
		}
	}
	ids = slices.SortedFunc(maps.Keys(at), func(a, b string) int { return cmp.Or(at[b].Compare(at[a]), cmp.Compare(a, b)) })
	for i, id := range ids {
		if i > 0 && at[ids[i-1]].Sub(at[id]) > togetherDeleted {
			return ids[:i]
		}
	}
	return ids
}

// restore brings back what a name stands for, preferably an id. It returns the ids of the notes, none of
// forgotten ones.
func (s *Engine) restore(ctx context.Context, name string) (notes []string, err error) {
	recalled, err := s.unforget(ctx, name)
	if err != nil || recalled {
		return nil, err
	}
	notes, err = s.lift(name)
	if !errors.Is(err, errNotDeleted) {
		return notes, err
	}
	e, unknown := catalog.New(s.Ledger, s.Folder).Restorable(name)
	if unknown != nil { // it may have been deleted since the last run
		if _, err := s.Run(ctx); err != nil {
			return nil, err
		}
		if e, unknown = catalog.New(s.Ledger, s.Folder).Restorable(name); unknown != nil {
			return nil, unknown
		}
	}
	if recalled, err := s.unforget(ctx, e.ID); err != nil || recalled {
		return nil, err
	}
	return s.lift(e.ID)
}

var errNotDeleted = errors.New("no such note was deleted")

// beginKnowing is beginWriting for commands that name notes: it first looks at the vault.
func (s *Engine) beginKnowing(ctx context.Context) error {
	if err := s.beginWriting(); err != nil || !s.Ledger.Fresh() {
		return err
	}
	return s.readOnly(ctx)
}

func (s *Engine) readOnly(ctx context.Context) error {
	first := *s
	first.Mode.NotesOff = true
	_, err := first.Run(ctx)
	return err
}

// lift removes the tombstones of an id. Their notes become due before, so that an interruption loses nothing.
// It returns the ids of the notes.
func (s *Engine) lift(id string) (notes []string, err error) {
	notes = s.notesNamed(id)
	deleted := slices.DeleteFunc(slices.Clone(notes), func(n string) bool { return !s.Vault.HasTombstone(n) })
	if len(deleted) == 0 {
		return notes, s.askBack(id, notes[0])
	}
	for _, n := range notes {
		s.due(n)
	}
	if err := s.Ledger.Commit(); err != nil {
		return nil, err
	}
	for _, n := range deleted {
		if err := index.LiftTombstone(s.Vault, s.Ledger, n); err != nil {
			return nil, err
		}
	}
	return notes, nil
}

// due queues a note, or a file that pages show.
func (s *Engine) due(id string) {
	kind, owner := s.ownerOf(id)
	if kind == "" {
		owned.MarkPages(s.Ledger, id, s.Ledger.MarkDue)
	} else {
		s.Ledger.MarkDue(kind, owner)
	}
}

// askBack queues a note that has no tombstone but is missing, as after a checkout of a commit without it.
func (s *Engine) askBack(id, note string) error {
	_, stands := s.Ledger.Note(note)
	kind, owner := s.ownerOf(note)
	known := kind == ledger.DuePage && pages.Order(owner) >= 0
	if kind == ledger.DueSession {
		_, known = s.Ledger.Session(owner)
	}
	if stands || !known {
		return cmp.Or(s.Ledger.Failed(), fmt.Errorf("%w: %q", errNotDeleted, id))
	}
	s.Ledger.MarkDue(kind, owner)
	s.Ledger.RemoveTombstone(note) // its record may be lost
	return nil
}

func (s *Engine) notesNamed(id string) []string {
	layers := s.Ledger.Layers(id)
	if len(layers) == 0 && (strings.Contains(id, ":") || id == names.HomeID || id == names.ThreadsID) {
		_, session := s.ownerOf(id)
		return underKeys(s.Ledger, underAliases(s.Ledger, []string{id}, session))
	}
	m := session.Merge(layers)
	record, _ := s.Ledger.Session(id)
	notes := []string{names.SessionID(id)}
	for n := range m.Session.Turns { // a conversation has at most as many parts
		notes = append(notes, names.PartID(id, n+2))
	}
	for _, c := range m.Session.Checkpoints {
		notes = append(notes, names.CheckpointID(id, c.Number))
	}
	for _, a := range m.Session.Artifacts {
		notes = append(notes, names.MemoryID(id, a))
		if m.Session.IsMemory {
			notes = append(notes, names.SharedMemoryID(record.Project, a, ""), names.SharedMemoryID(record.Project, a, names.CollectionSuffix(id)))
		}
	}
	return underKeys(s.Ledger, underAliases(s.Ledger, notes, id))
}

// ownerOf returns what must be due for a note to be written, or "" for a file that is not a note.
func (s *Engine) ownerOf(id string) (kind, owner string) {
	typ, rest, _ := strings.Cut(id, ":")
	switch typ {
	case names.TypeSession, names.TypeCheckpoint, names.TypeMemory:
	case names.TypeBase, names.TypeCanvas:
		return "", ""
	default:
		return ledger.DuePage, id
	}
	if project, _, ok := strings.Cut(rest, ":repo:"); ok && typ == names.TypeMemory {
		return s.memoryOf(sources.ScopeRepo, project)
	}
	if strings.HasPrefix(rest, "user:") && typ == names.TypeMemory {
		return s.memoryOf(sources.ScopeUser, "")
	}
	// Ids of sessions, and the rest, may contain colons.
	for end := len(rest); end > 0; end = strings.LastIndexByte(rest[:end], ':') {
		home := s.Ledger.CanonicalID(rest[:end])
		if _, known := s.Ledger.Session(home); known {
			return ledger.DueSession, home
		}
	}
	return ledger.DueSession, rest
}

func (s *Engine) memoryOf(scope sources.Scope, project string) (kind, owner string) {
	records := s.Ledger.MemoryOf(string(scope), project)
	if len(records) > 0 {
		return ledger.DueSession, records[0].ID
	}
	if project == "" {
		return ledger.DuePage, names.HomeID
	}
	return ledger.DuePage, names.ProjectID(project)
}

// underAliases adds the ids that notes of a session have under its other ids.
func underAliases(l *ledger.Ledger, notes []string, session string) []string {
	home := l.CanonicalID(session)
	aliases := l.AliasesOf(home)
	out := slices.Clone(notes)
	for _, n := range notes {
		for _, id := range append(aliases, home) {
			if other := names.UnderOtherID(n, "", session, id); other != "" && id != session {
				out = append(out, other)
			}
		}
	}
	return out
}

// underKeys adds the ids that notes of a project have under its other keys.
func underKeys(l *ledger.Ledger, notes []string) []string {
	out := slices.Clone(notes)
	former := l.FormerProjects()
	for _, key := range slices.Sorted(maps.Keys(former)) {
		for _, n := range notes {
			for _, other := range []string{names.UnderOtherKey(n, key, former[key]), names.UnderOtherKey(n, former[key], key)} {
				if other != "" {
					out = append(out, other)
				}
			}
		}
	}
	return out
}
