package vscode

import (
	"context"
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
		if t.Empty && len(partsNamed(r.item, partLog))+len(partsNamed(r.item, partDocument)) == 0 { // the run of a sub-agent: nobody asked it anything
			return &sources.Session{Damage: t.Session.Damage}, cursor{}, nil
		}
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
		now, missed, err := r.memories(parts, memoryFolder)
		return &sources.Session{Place: r.place, Artifacts: now}, cursor{Mark: stamp.Mark{Young: missed}}, err
	})
}

// memories reads the files of one scope. All but the user's lie in a folder that
// stands for the scope and is no part of their name. Those that are no longer
// there stay as they were kept, and so do those that cannot be read now, of which
// missed tells.
func (r *reading) memories(parts []sources.Part, folder string) (all []sources.Artifact, missed bool, err error) {
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
			missed = true
			continue
		}
		all = append(all, a)
	}
	before, err := r.prior.Layer(layerMemory)
	if err != nil {
		return nil, missed, err
	}
	if before != nil {
		all = withVanished(all, before.Artifacts)
	}
	slices.SortStableFunc(all, func(a, b sources.Artifact) int { return strings.Compare(a.Name, b.Name) })
	return all, missed, nil
}

// withVanished keeps what is no longer there under its old name.
func withVanished(now, before []sources.Artifact) []sources.Artifact {
	for _, old := range before {
		gone := !slices.ContainsFunc(now, func(a sources.Artifact) bool { return a.Kind == old.Kind && a.Name == old.Name })
		if gone && old.Text != "" {
			now = append(now, old)
		}
	}
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
