package extract

import (
	"slices"
	"time"

	"github.com/sessionloom/sessionloom/extract/internal/facts"
	"github.com/sessionloom/sessionloom/extract/internal/identity"
	"github.com/sessionloom/sessionloom/extract/internal/index"
	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/extract/internal/session"
	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/sources"
)

// withoutInherited takes out of a fork what the parent at hand tells of it. What no
// other note is going to tell stays.
func (p *pass) withoutInherited(m session.Merged) (session.Merged, error) {
	parent, err := p.parentOf(&m.Session)
	if err != nil {
		return m, err
	}
	if parent == "" {
		return p.noFork(m)
	}
	if index.ForgottenSession(p.Vault, parent) {
		session.DropInherited(&m.Session)
	}
	if lost, err := p.otherParentLost(&m.Session, parent); err != nil || lost {
		return m, err
	}
	layers, err := p.Ledger.Layers(parent)
	if err != nil {
		return m, err
	}
	from, err := p.identified(parent, session.Merge(layers))
	if err != nil {
		return m, err
	}
	if len(from.Session.Turns) == 0 && !from.Session.Whole { // gone, or emptied: that tells nothing of what it held
		return p.outgrown(m)
	}
	m.AtHand = append(slices.Clone(m.AtHand), session.ParentLayer)
	tells, err := p.tells(&m.Session, &from.Session)
	if err != nil || !tells {
		return m, err
	}
	m.LeaveToParent(&from.Session)
	return m, nil
}

// noFork has a session tell all it has whose note was made with a parent that is at
// hand and no longer its parent: a rewind may take back that it was forked.
func (p *pass) noFork(m session.Merged) (session.Merged, error) {
	return p.withoutParent(m, "no fork ", func() (bool, error) {
		was, err := p.notedParent(m.Session.ID)
		return was != "" && atHand(p.Ledger, was), err
	})
}

// outgrown has a fork whose parent is not at hand tell all it has, where its log says
// more than the note that was made with the parent. Else that note stays as it is.
func (p *pass) outgrown(m session.Merged) (session.Merged, error) {
	if !slices.ContainsFunc(m.Session.Turns, func(t sources.Turn) bool { return t.Inherited }) {
		return m, nil
	}
	return p.withoutParent(m, "outgrown ", func() (bool, error) {
		row, _, err := p.Ledger.Note(names.SessionID(m.Session.ID))
		if err != nil {
			return false, err
		}
		f, err := facts.Decode(row.Facts)
		return f.Updated.Before(m.Session.Updated.Truncate(time.Second)), err
	})
}

// withoutParent has a session need no parent where that is so.
func (p *pass) withoutParent(m session.Merged, what string, isSo func() (bool, error)) (session.Merged, error) {
	so, err := p.foundOut(what+m.Session.ID, isSo)
	if so {
		m.AtHand = append(slices.Clone(m.AtHand), session.ParentLayer)
	}
	return m, err
}

// foundOut answers a question once: what was found out when a note was planned holds
// when it is written.
func (p *pass) foundOut(what string, find func() (bool, error)) (bool, error) {
	p.mu.Lock()
	so, known := p.told[what]
	p.mu.Unlock()
	if known {
		return so, nil
	}
	so, err := find()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.told[what] = so
	return so, err
}

// tells reports whether what a parent says stands in the vault for a fork to leave
// out: its own note has it, or that of its own parent. In a circle of forks the one
// with the smallest id leaves nothing out. A note that its user deleted counts.
func (p *pass) tells(fork, parent *sources.Session) (bool, error) {
	return p.foundOut(fork.ID, func() (bool, error) { return p.tellsNow(fork.ID, parent) })
}

func (p *pass) tellsNow(fork string, parent *sources.Session) (bool, error) {
	if first, err := p.isFirstOfCircle(fork, parent.ID); err != nil || first {
		return false, err
	}
	card, _, err := p.Ledger.Session(parent.ID)
	if err != nil {
		return false, err
	}
	if p.inScope(card.ID, identity.ProjectFromKey(card.Project), card.Updated) {
		return p.ignoredBy(parent.Place) == "", nil
	}
	row, known, err := p.Ledger.Note(names.SessionID(parent.ID))
	if err != nil || !known || p.Mode.NotesOff || !p.notes.Writable(row) && !p.Vault.Buried(row.ID) {
		return false, err
	}
	owing := p.queue.Has(ledger.DueSession, parent.ID) // its note is to say more, or less, than it does
	p.mu.Lock()
	defer p.mu.Unlock()
	p.owing[fork] = owing
	return !owing, nil
}

// isFirstOfCircle tells whether the parents of a session lead back to it, and its id
// is the smallest on the way.
func (p *pass) isFirstOfCircle(id, parent string) (bool, error) {
	seen := map[string]bool{}
	for at := parent; at != "" && !seen[at]; {
		if at == id {
			return true, nil
		}
		if at < id {
			return false, nil
		}
		seen[at] = true
		card, _, err := p.Ledger.Session(at)
		if err != nil {
			return false, err
		}
		if at, err = p.parentOfCard(card); err != nil {
			return false, err
		}
	}
	return false, nil
}

// otherParentLost tells that a copied session, which does not say whose copy it
// is, was told from another one that is not at hand now: what it has from that
// one is not what it has from this parent.
func (p *pass) otherParentLost(s *sources.Session, parent string) (bool, error) {
	if s.Parent != "" {
		return false, nil
	}
	was, err := p.notedParent(s.ID)
	if err != nil || was == "" || was == parent || atHand(p.Ledger, was) {
		return false, err
	}
	_, known, err := p.Ledger.Note(names.SessionID(was)) // else somebody wrote another id there
	return known || p.Vault.Buried(names.SessionID(was)), err
}

// notedParent is the parent that the note of a session names and leaves to it what
// they share; empty where there is none.
func (p *pass) notedParent(id string) (string, error) {
	row, known, err := p.Ledger.Note(names.SessionID(id))
	if err != nil || !known || !p.notes.Writable(row) {
		return "", err
	}
	f, err := facts.Decode(row.Facts)
	if err != nil || !slices.Contains(f.Sources, session.ParentLayer) {
		return "", err
	}
	return f.Parent, nil
}

// parentOf names the session this one was forked from.
func (p *pass) parentOf(s *sources.Session) (string, error) {
	return p.parentOfCard(ledger.SessionRow{ID: s.ID, Parent: s.Parent, FirstTurn: session.FirstTurn(s.Turns), Created: index.Stamp(s.Created)})
}

// parentOfCard names the session one was forked from: told by its log, or an older
// one that begins with the same turn and is known no worse. A derived account of this
// very session begins so too.
func (p *pass) parentOfCard(s ledger.SessionRow) (string, error) {
	if s.Parent != "" {
		return s.Parent, nil
	}
	same, err := p.Ledger.SameStart(s.FirstTurn)
	if err != nil {
		return "", err
	}
	for _, other := range same {
		if other.ID == s.ID || other.Created > s.Created || other.Created == s.Created && other.ID > s.ID {
			continue
		}
		theirs, err := p.standing(other.ID)
		if err != nil {
			return "", err
		}
		ours, err := p.standing(s.ID)
		if err != nil || theirs <= ours {
			return other.ID, err
		}
	}
	return "", nil
}

// standing is how well a session is known. A whole conversation under an id of its
// own is as good as a log, in whatever form of file it lies.
func (p *pass) standing(id string) (sources.Rank, error) {
	rank, whole, err := p.Ledger.BestRank(id)
	if whole && sources.IsUUID(id) {
		rank = sources.RankLog
	}
	return rank, err
}
