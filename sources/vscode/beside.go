package vscode

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/partlist"
	"github.com/sessionloom/sessionloom/sources/internal/stamp"
	"github.com/sessionloom/sessionloom/sources/vscode/internal/sidecars"
)

// readTranscript reads what the extension noted of the conversation: a
// supplement to the chat, and all there is where the chat is gone.
func (r *reading) readTranscript(ctx context.Context) error {
	parts := partsNamed(r.item, partTranscript)
	basis := stamp.Hash(r.basis, boolWord(r.hasChat()))
	return r.derived(ctx, layerTranscript, sources.RankStore, parts, basis, func(cursor) (*sources.Session, cursor, error) {
		t, err := sidecars.Transcript(ctx, r.item.File(parts[0]))
		if err != nil {
			return nil, cursor{}, err
		}
		r.out.BytesRead += t.BytesRead
		r.count(t.Unknown)
		if isPlaced(r.place) {
			t.Session.Place = worksIn(t.Session.Place, r.place)
		}
		return r.besideChat(t.Session), cursor{}, nil
	})
}

// besideChat is a transcript without the turn that began before it did, where
// the chat tells that turn with its prompt (section 7, quirk 26).
func (r *reading) besideChat(s *sources.Session) *sources.Session {
	if !r.hasChat() || len(s.Turns) == 0 || s.Turns[0].User != "" {
		return s
	}
	s.Turns = s.Turns[1:]
	for i := range s.Turns {
		s.Turns[i].Index = i
	}
	for i := range s.Files {
		s.Files[i].Turn = max(s.Files[i].Turn-1, -1) // that of the turn left out becomes unknown
	}
	for i := range s.Refs {
		s.Refs[i].Turn = max(s.Refs[i].Turn-1, -1)
	}
	return s
}

// readMemory reads what the agent kept for this session. VS Code deletes it
// after two weeks; what was read once stays (section 5.2).
func (r *reading) readMemory(ctx context.Context) error {
	parts := partsNamed(r.item, memoryFolder)
	return r.derived(ctx, layerMemory, sources.RankSidecar, parts, r.basis, func(cursor) (*sources.Session, cursor, error) {
		now, err := r.memories(parts, memoryFolder)
		if err != nil && r.prior.Cursor(layerMemory) != nil {
			return nil, cursor{}, err
		}
		before, err := r.prior.Layer(layerMemory)
		if err != nil {
			return nil, cursor{}, err
		}
		if before != nil {
			now = withVanished(now, before.Artifacts)
		}
		return &sources.Session{Place: r.place, Artifacts: now}, cursor{}, nil
	})
}

// memories reads the files of one scope. All but the user's lie in a folder that
// stands for the scope and is no part of their name.
func (r *reading) memories(parts []sources.Part, folder string) (all []sources.Artifact, failed error) {
	for _, p := range parts {
		name := strings.TrimPrefix(p.Name, folder)
		if folder == memoryFolder {
			_, name, _ = strings.Cut(name, "/")
		}
		if partlist.IsMore(p) {
			all = append(all, sources.Artifact{Kind: sources.Memory, Name: name, Left: "not all files are read"})
			continue
		}
		a, n, err := sidecars.Memory(r.item.File(p), name)
		r.out.BytesRead += n
		if err != nil {
			r.problem(r.item.File(p), err)
			failed = errors.Join(failed, err)
			continue
		}
		all = append(all, a)
	}
	return all, failed
}

// withVanished keeps what is no longer there under its old name.
func withVanished(now, before []sources.Artifact) []sources.Artifact {
	for _, old := range before {
		gone := !slices.ContainsFunc(now, func(a sources.Artifact) bool { return a.Kind == old.Kind && a.Name == old.Name })
		if gone && old.Text != "" {
			now = append(now, old)
		}
	}
	slices.SortStableFunc(now, func(a, b sources.Artifact) int { return strings.Compare(a.Name, b.Name) })
	return now
}

// readEdits reads which files the editor saw changed, and what became of it.
func (r *reading) readEdits(ctx context.Context) error {
	parts := partsNamed(r.item, partEdits)
	return r.derived(ctx, layerEdits, sources.RankSidecar, parts, r.basis, func(cursor) (*sources.Session, cursor, error) {
		e, err := sidecars.Edits(r.item.File(parts[0]))
		if err != nil {
			return nil, cursor{}, err
		}
		r.out.BytesRead += e.BytesRead
		s := &sources.Session{Place: r.place, Damage: e.Damage}
		for _, edit := range e.Touches {
			edit.Touch.Turn, edit.Touch.TurnID = -1, edit.Request
			s.Files = append(s.Files, edit.Touch)
		}
		return s, cursor{}, nil
	})
}

// readHost reads what the agent host keeps of a session that runs elsewhere.
func (r *reading) readHost(ctx context.Context) error {
	parts := partsNamed(r.item, partHost)
	return r.derived(ctx, layerHost, sources.RankSidecar, parts, r.basis, func(cursor) (*sources.Session, cursor, error) {
		s, err := sidecars.AgentHost(ctx, r.item.File(parts[0]), r.src.cfg.TempDir)
		if err == nil {
			r.out.BytesRead += parts[0].Stamp.Size
		}
		return s, cursor{}, err
	})
}
