package extract

import (
	"context"
	"fmt"
	"strings"

	"github.com/sessionloom/sessionloom/extract/ledger"
)

// Restore brings deleted notes back: it lifts their tombstones and writes them
// anew. An id is that of a note ("session:…", "file:…") or of a session, which
// stands for all its notes. It returns an error when no tombstone bears an id.
func (s *Sync) Restore(ctx context.Context, ids []string) (Report, error) {
	for _, id := range ids {
		if err := s.lift(id); err != nil {
			return Report{}, err
		}
	}
	return s.Run(ctx)
}

func (s *Sync) lift(id string) error {
	notes, err := s.notesNamed(id)
	if err != nil {
		return err
	}
	lifted := false
	for _, n := range notes {
		ok, err := s.Vault.Unbury(n)
		if err != nil {
			return err
		}
		lifted = lifted || ok
		if !ok {
			continue
		}
		if err := s.Ledger.DropGrave(n); err != nil {
			return err
		}
		kind, owner := ownerOf(n)
		if err := s.Ledger.MarkDue(kind, owner); err != nil {
			return err
		}
	}
	if !lifted {
		return fmt.Errorf("no deleted note has the id %q", id)
	}
	return nil
}

// notesNamed lists the notes an id given by a user may mean.
func (s *Sync) notesNamed(id string) ([]string, error) {
	if strings.Contains(id, ":") || id == homeID || id == threadsID {
		return []string{id}, nil
	}
	layers, err := s.Ledger.Layers(id)
	if err != nil {
		return nil, err
	}
	m := mergeLayers(layers)
	notes := []string{sessionID(id)}
	for _, c := range m.Session.Checkpoints {
		notes = append(notes, checkpointID(id, c.Number))
	}
	for _, a := range m.Session.Artifacts {
		notes = append(notes, memoryID(id, a))
	}
	return notes, nil
}

// ownerOf tells what must be due for a note to be written.
func ownerOf(id string) (kind, owner string) {
	typ, rest, _ := strings.Cut(id, ":")
	switch typ {
	case typeSession:
		return ledger.DueSession, rest
	case typeCheckpoint:
		return ledger.DueSession, rest[:max(0, strings.LastIndexByte(rest, ':'))]
	case typeMemory:
		if i := strings.LastIndexByte(rest, ':'); i > 0 {
			return ledger.DueSession, rest[:i]
		}
	}
	return ledger.DuePage, id
}
