package catalog

import (
	"slices"
	"time"

	"github.com/sessionloom/sessionloom/extract/internal/commands"
	"github.com/sessionloom/sessionloom/extract/internal/content"
	"github.com/sessionloom/sessionloom/extract/internal/session"
	"github.com/sessionloom/sessionloom/extract/redact"
	"github.com/sessionloom/sessionloom/sources"
)

// Conversation is what was said and done in a session, secrets masked.
type Conversation struct {
	Entry
	Branch string
	Turns  []Turn
}

// Turn is a prompt and what came of it.
type Turn struct {
	At       time.Time
	Block    string // in the note: ^ID
	Prompt   string
	Answer   string
	Error    string
	Commands []Command
	Files    []string // that were changed
}

// Command is a command that the agent ran.
type Command struct {
	Line   string
	Failed bool
}

// Conversation tells what was said and done in a session; zone is that of the vault.
func (c *Catalog) Conversation(e Entry, zone *time.Location) Conversation {
	s := session.Merge(c.ledger.Layers(e.Session)).Session
	masks := redact.NumbersAfter("")
	out := Conversation{Entry: e, Branch: masks.Text(s.Place.Branch)}
	blocks := content.ShownBlocks(s.Turns, zone)
	for i, t := range s.Turns {
		out.Turns = append(out.Turns, Turn{At: t.At, Block: blocks[i], Prompt: masks.Text(t.User), Answer: masks.Text(t.Assistant), Error: masks.Text(t.Error)})
	}
	for _, r := range commands.Of(&s) {
		if r.Turn >= 0 && r.Turn < len(out.Turns) {
			t := &out.Turns[r.Turn]
			t.Commands = append(t.Commands, Command{Line: masks.Text(r.Line), Failed: r.Failed})
		}
	}
	for _, f := range s.Files {
		if f.Turn < 0 || f.Turn >= len(out.Turns) || f.Kind == sources.Viewed {
			continue
		}
		if t := &out.Turns[f.Turn]; !slices.Contains(t.Files, f.Path) {
			t.Files = append(t.Files, masks.Text(f.Path))
		}
	}
	return out
}
