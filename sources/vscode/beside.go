package vscode

import (
	"context"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/vscode/internal/sidecars"
)

// readTranscript reads what the extension noted of the conversation: a
// supplement to the chat, and all there is where the chat is gone.
func (r *reading) readTranscript(ctx context.Context) error {
	layer := sources.Layer{Name: layerTranscript, Rank: sources.RankStore}
	return r.Layer(ctx, layer, partTranscript, func(la *sources.Layer, path string) error {
		t, err := sidecars.Transcript(ctx, path)
		if err != nil {
			return err
		}
		r.Unknown(t.Unknown)
		if t.Empty && !r.hasChatFile() { // the run of a sub-agent: nobody asked it anything
			la.Session = &sources.Session{Damage: t.Session.Damage}
			return nil
		}
		if t.Session.Place.Guessed = true; !r.place.Guessed {
			t.Session.Place = r.place
		}
		la.Session = r.besideChat(t.Session)
		return nil
	})
}

func (r *reading) hasChatFile() bool {
	_, log := r.Item.Part(partLog)
	_, document := r.Item.Part(partDocument)
	return log || document
}

// besideChat is a transcript without the turn that began before it did, where
// the chat tells that turn with its prompt (section 7, case 26).
func (r *reading) besideChat(s *sources.Session) *sources.Session {
	if !r.chat || len(s.Turns) == 0 || s.Turns[0].User != "" {
		return s
	}
	s.Turns = s.Turns[1:]
	for i := range s.Turns {
		s.Turns[i].Index = i
	}
	for i := range s.Files {
		s.Files[i].Turn = max(s.Files[i].Turn-1, -1) // that of the turn left out becomes unknown
	}
	return s
}

// readMemory reads what the agent kept for this session. VS Code deletes it
// after two weeks; what was read once stays (section 5.2).
func (r *reading) readMemory(context.Context) error {
	if la := r.memories(memoryFolder); la != nil {
		r.Add(*la)
	}
	return nil
}

// readEdits reads which files the editor saw changed, and what became of it.
func (r *reading) readEdits(ctx context.Context) error {
	layer := sources.Layer{Name: layerEdits, Rank: sources.RankSidecar}
	return r.Layer(ctx, layer, partEdits, func(la *sources.Layer, path string) (err error) {
		if la.Session, err = sidecars.Edits(path); err == nil {
			la.Session.Place = r.place
		}
		return err
	})
}

// readHost reads what the agent host keeps of a session that runs elsewhere.
func (r *reading) readHost(ctx context.Context) error {
	layer := sources.Layer{Name: layerHost, Rank: sources.RankSidecar}
	return r.Layer(ctx, layer, partHost, func(la *sources.Layer, path string) (err error) {
		la.Session, err = sidecars.AgentHost(ctx, path, r.src.cfg.TempDir)
		return err
	})
}
