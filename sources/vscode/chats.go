package vscode

import (
	"context"
	"fmt"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/vscode/internal/chat"
	"github.com/sessionloom/sessionloom/sources/vscode/internal/chatlog"
	"github.com/sessionloom/sessionloom/sources/vscode/internal/sidecars"
)

// readLog reads the mutation log. One that ends within the entry that holds the
// session is being written anew, and an emptied one is what a crash left.
func (r *reading) readLog(ctx context.Context) error {
	layer := sources.Layer{Name: layerLog, Rank: sources.RankLog}
	return r.readChat(ctx, layer, partLog, chatlog.ReadLog, func(la *sources.Layer, f chatlog.File) {
		la.Provisional = f.Torn || f.State == nil
		if r.complete = !damaged(f); r.complete {
			la.Session.Supersedes = []string{layerDocument}
		}
	})
}

// readDocument reads the one file of before version 1.109. Later versions leave
// it behind when they begin a log, which holds the same and more; it serves
// where the log cannot (section 1). VS Code cannot read a damaged one either, so
// it is one that a crash cut off, or that is being written.
func (r *reading) readDocument(ctx context.Context) error {
	if r.complete {
		return nil
	}
	layer := sources.Layer{Name: layerDocument, Rank: sources.RankSidecar}
	return r.readChat(ctx, layer, partDocument, chatlog.ReadDocument, func(la *sources.Layer, f chatlog.File) {
		la.Provisional = damaged(f)
	})
}

// readChat reads a file that holds the chat, which may fail in the middle of one.
func (r *reading) readChat(ctx context.Context, layer sources.Layer, part string,
	read func(context.Context, string, bool) (chatlog.File, error), judge func(*sources.Layer, chatlog.File),
) error {
	return r.Layer(ctx, layer, part, func(la *sources.Layer, path string) error {
		f, err := read(ctx, path, r.src.cfg.Images)
		if err != nil {
			r.chat = true
			return err
		}
		la.Session = r.convert(f, r.Item.Session)
		judge(la, f)
		r.chat = r.chat || f.Torn || len(la.Session.Turns) > 0
		return nil
	})
}

// damaged tells whether anything of a file could not be read.
func damaged(f chatlog.File) bool { return !f.Whole || len(f.Damage) > 0 }

// export reads a chat its user saved. It carries no id, unless it is a session file
// that somebody copied: the first request gives it one, which a later, longer
// export shares (section 2.1).
func (r *reading) export(ctx context.Context, path string) error {
	f, err := chatlog.ReadDocument(ctx, path, r.src.cfg.Images)
	if err != nil {
		return err
	}
	s := r.convert(f, "")
	if len(s.Turns) == 0 { // told once: it is not tried again until it changes
		why := strings.Join(append([]string{"no chat in it that can be read"}, s.Damage...), ", ")
		r.Out.Problems = append(r.Out.Problems, sources.Problem{Source: sourceName, Item: r.Item.Key, Path: path,
			Err: fmt.Errorf("read %q: %s", path, why), Hint: `exports are made in VS Code with "Chat: Export Chat…"`})
		return nil
	}
	r.give(s.ID, sources.Layer{Name: layerExport, Rank: sources.RankSidecar, Session: s})
	return nil
}

// convert makes a session of a file. Without an id it is that of the file's own
// making.
func (r *reading) convert(f chatlog.File, id string) *sources.Session {
	s, unknown := chat.Convert(f.State, id, r.place)
	r.Unknown(f.Unknown)
	r.Unknown(unknown)
	s.Complete, s.Rewound = f.Whole, s.Rewound || f.Rewound
	s.Damage = append(s.Damage, f.Damage...)
	return s
}

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
		_, log := r.Item.Part(partLog)
		_, document := r.Item.Part(partDocument)
		if t.Empty && !log && !document { // the run of a sub-agent: nobody asked it anything
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
