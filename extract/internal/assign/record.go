package assign

import (
	"strings"

	"github.com/sessionloom/sessionloom/extract/internal/facts"
	"github.com/sessionloom/sessionloom/extract/internal/identity"
	"github.com/sessionloom/sessionloom/extract/internal/index"
	"github.com/sessionloom/sessionloom/extract/internal/report"
	"github.com/sessionloom/sessionloom/extract/internal/session"
	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/sources"
)

// Put writes the ledger's card of a session and makes its notes due, those of
// its forks too. Its project is looked at again once all is read.
func (a *Assigner) Put(id string, m session.Merged) error {
	s := &m.Session
	card := cardOf(id, s)
	a.merges[id] = report.Merge{Damage: s.Damage, Conflicts: m.Conflicts}
	before, known, err := a.ledger.Session(id)
	if err != nil {
		return err
	}
	if known && before.Own == card.Own && before.Folder == card.Folder {
		card.Project = before.Project
	}
	if known && before.Folders == card.Folders {
		card.Linked = before.Linked
	}
	if err := a.ledger.PutSession(card); err != nil {
		return err
	}
	is := recordOf(card)
	is.Content = true
	return a.queue.Changed(facts.Change{Was: recordOf(before), Is: is})
}

// recordOf is what others are made of that a card tells.
func recordOf(card ledger.SessionRow) facts.Record {
	return facts.Record{ID: card.ID, Shelf: card.Kind == string(sources.KindShelf), Scope: card.Scope,
		Project: card.Project, FirstTurn: card.FirstTurn, Linked: card.Linked}
}

// SetEmpty keeps on its card that a session has nothing to show: all it says may
// stand in the note of its parent.
func (a *Assigner) SetEmpty(card ledger.SessionRow, empty bool) error {
	if card.Empty == empty {
		return nil
	}
	card.Empty = empty
	if err := a.ledger.PutSession(card); err != nil {
		return err
	}
	return a.ledger.SetValue(ledger.Empty, nil)
}

// LeftToOthers names the sessions without a note because the note of another has
// every word of them: copies of it that say nothing of their own.
func (a *Assigner) LeftToOthers() ([]report.LeftTo, error) {
	silent, err := a.ledger.Silent()
	if err != nil {
		return nil, err
	}
	out := []report.LeftTo{}
	for _, card := range silent {
		parent, err := a.loader.ParentOf(card)
		if err != nil {
			return nil, err
		}
		if parent != "" {
			out = append(out, report.LeftTo{Session: card.ID, To: parent})
		}
	}
	return out, nil
}

// cardOf is what the ledger can ask of a session without unpacking it.
func cardOf(id string, s *sources.Session) ledger.SessionRow {
	at := identity.EvidenceOf(s.Place)
	card := ledger.SessionRow{
		ID: id, Kind: string(session.KindOf(s)), Scope: string(session.ScopeOf(s)), Project: at.OwnProject, Own: at.OwnProject, Folder: at.Folder, Rooted: at.IsGitRoot,
		Folders: strings.Join(at.WorkspaceFolders, "\n"), Parent: s.Parent, Created: index.Stamp(s.Created), Updated: index.Stamp(s.Updated),
		FirstTurn: session.FirstTurn(s.Turns), Empty: session.IsEmpty(s), Damage: strings.Join(s.Damage, "\n"),
	}
	if s.Scope == sources.ScopeUser {
		card.Project, card.Own, card.Folder, card.Folders = "", "", "", ""
	}
	return card
}
