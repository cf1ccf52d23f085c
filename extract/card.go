package extract

import (
	"errors"
	"strings"

	"github.com/sessionloom/sessionloom/extract/internal/facts"
	"github.com/sessionloom/sessionloom/extract/internal/identity"
	"github.com/sessionloom/sessionloom/extract/internal/index"
	"github.com/sessionloom/sessionloom/extract/internal/report"
	"github.com/sessionloom/sessionloom/extract/internal/session"
	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/sources"
)

// putCard writes the ledger's card of a session and makes its notes due, those of
// its forks too. Its project is looked at again once all is read.
func (p *pass) putCard(id string, m session.Merged) error {
	s := &m.Session
	card := cardOf(id, s)
	p.merges[id] = report.Merge{Damage: s.Damage, Conflicts: m.Conflicts}
	before, known, err := p.Ledger.Session(id)
	if err != nil {
		return err
	}
	if known && before.Own == card.Own && before.Folder == card.Folder {
		card.Project = before.Project
	}
	if known && before.Folders == card.Folders {
		card.Linked = before.Linked
	}
	if err := p.Ledger.PutSession(card); err != nil {
		return err
	}
	is := recordOf(card)
	is.Content = true
	return p.queue.Changed(facts.Change{Was: recordOf(before), Is: is})
}

// recordOf is what others are made of that a card tells.
func recordOf(card ledger.SessionRow) facts.Record {
	return facts.Record{ID: card.ID, Shelf: card.Kind == string(sources.KindShelf), Scope: card.Scope,
		Project: card.Project, FirstTurn: card.FirstTurn, Linked: card.Linked}
}

// noteEmpty keeps on its card that a session has nothing to show: all it says may
// stand in the note of its parent.
func (p *pass) noteEmpty(card ledger.SessionRow, empty bool) error {
	if card.Empty == empty {
		return nil
	}
	card.Empty = empty
	if err := p.Ledger.PutSession(card); err != nil {
		return err
	}
	return p.Ledger.SetValue(ledger.Empty, nil)
}

// leftToOthers names the sessions without a note because the note of another has
// every word of them: copies of it that say nothing of their own.
func (p *pass) leftToOthers() ([]LeftTo, error) {
	silent, err := p.Ledger.Silent()
	out := []LeftTo{}
	for _, card := range silent {
		parent, other := p.parentOfCard(card)
		if err = errors.Join(err, other); parent != "" {
			out = append(out, LeftTo{Session: card.ID, To: parent})
		}
	}
	return out, err
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
