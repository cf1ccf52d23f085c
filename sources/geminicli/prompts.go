package geminicli

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/geminicli/internal/chat"
)

// prompts reads the lines that were typed at the terminal, for the sessions whose chats are
// gone. They may have been deleted by their user, so they are named, and given only where
// Config.PromptOnly says so.
func (r *reading) prompts(ctx context.Context) error {
	p, _ := r.Item.Part(partLogs)
	l, err := r.src.list(ctx, r.Item, p)
	if err != nil {
		return err
	}
	known, err := r.src.known(ctx)
	if err != nil {
		return err
	}
	place := r.place(ctx, chat.New())
	gone := map[string]*sources.Session{}
	for name, typed := range l.lines {
		r.Out.Records += len(typed)
		for _, one := range typed {
			if !known[name] && sources.IsUUID(one.session) {
				addTyped(gone, one)
			}
		}
	}
	for _, id := range slices.Sorted(maps.Keys(gone)) {
		s := gone[id]
		if len(s.Turns) == 0 { // nothing but commands
			continue
		}
		r.Out.RowsOnly = append(r.Out.RowsOnly, id)
		if r.src.cfg.PromptOnly {
			s.Place, s.Damage = place, []string{"only the list of prompts is left"}
			r.give(id, sources.Layer{Name: layerPrompts, Rank: sources.RankIndex, Session: s})
		}
	}
	return nil
}

// addTyped adds a line to its session.
func addTyped(all map[string]*sources.Session, l line) {
	s := all[l.session]
	if s == nil {
		s = &sources.Session{Created: l.at}
		all[l.session] = s
	}
	if strings.HasPrefix(l.text, "/") {
		s.Actions = append(s.Actions, sources.Action{Kind: sources.ActionCommand, Text: l.text, Turn: len(s.Turns) - 1, At: l.at})
		return
	}
	s.Turns = append(s.Turns, sources.Turn{Index: len(s.Turns), At: l.at, User: l.text, Status: sources.Pending})
}
