package extract

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/extract/internal/facts"
	"github.com/sessionloom/sessionloom/extract/internal/identity"
	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/vault"
)

// What passes write in a vault that lies in a git repository is remembered until
// it is committed, so that a commit holds exactly that, and makes up for passes
// without one, for a hook that refused, for a pass that was killed.

// begin begins a pass: what an earlier one was about to write when it was
// interrupted may stand in the vault.
func (p *pass) begin() error {
	if err := p.Ledger.Begin(); err != nil || p.Git == nil || p.Mode.NotesOff {
		return err
	}
	return p.Ledger.TrustIntents()
}

// intend remembers what is planned before any of it is written.
func (p *pass) intend(drafts []*draft) error {
	if p.Git == nil {
		return nil
	}
	for _, d := range drafts {
		w := ledger.Written{Path: cmp.Or(d.at(), d.path)}
		if d.body != nil {
			w.Session = d.session
		}
		if err := p.Ledger.Intend(w); err != nil {
			return err
		}
		if d.moveTo == "" {
			continue
		}
		w.Path = d.moveTo
		if err := p.Ledger.Intend(w); err != nil {
			return err
		}
	}
	return nil
}

// rememberWritten stores what was written since it was asked last, and forgets
// what was intended only.
func (p *pass) rememberWritten() error {
	if p.Vault == nil {
		return nil
	}
	if err := p.alsoWritten(p.Vault.TakeWritten()...); err != nil || p.Git == nil {
		return err
	}
	return p.Ledger.ForgetIntents()
}

// alsoWritten remembers what its user did and the commit must hold too, for what
// we write rests on it: a deletion with its tombstone, a move with its links.
func (p *pass) alsoWritten(paths ...string) error {
	if p.Git == nil {
		return nil
	}
	for _, path := range paths {
		if err := p.Ledger.PutWritten(path); err != nil {
			return err
		}
	}
	return nil
}

// forgetWritten forgets, where something must leave no trace, the names of files
// that are gone and were in no commit: their removal is nothing to commit.
func (p *pass) forgetWritten() error {
	if !p.purged || p.Mode.NotesOff {
		return nil
	}
	written, err := p.Ledger.Written()
	if err != nil {
		return err
	}
	var gone []string
	for _, w := range written {
		if strings.HasPrefix(w.Path, vault.FromRoot("")) {
			continue // its user named it
		}
		_, there := p.seen.Files[w.Path]
		switch path.Ext(w.Path) {
		case ".md":
		case ".canvas":
			if there, err = p.Vault.Attached(w.Path); err != nil {
				return err
			}
		default:
			continue // its name says nothing
		}
		if !there {
			gone = append(gone, w.Path)
		}
	}
	return p.forgetUnrecorded(gone)
}

func (p *pass) forgetUnrecorded(written []string) error {
	paths := make([]string, len(written))
	for i, name := range written {
		paths[i] = p.notes.FromRoot(name)
	}
	var recorded map[string]bool
	if p.Git != nil && len(paths) > 0 {
		var err error
		if recorded, err = p.Git.Recorded(paths); err != nil {
			return err
		}
	}
	for i, name := range written {
		if recorded[paths[i]] {
			continue
		}
		if err := p.Ledger.DropWritten(name); err != nil {
			return err
		}
	}
	return nil
}

// fileOf is where a note lies, for [pass.alsoWritten].
func fileOf(row ledger.NoteRow) string {
	if row.State == ledger.Away {
		return vault.FromRoot(row.Path)
	}
	return row.Path
}

// Pending are the files to be committed and the sessions whose text they show.
type Pending struct {
	Paths    []string         // from the managed folder, or marked by vault.FromRoot
	Sessions []PendingSession // oldest first
}

// PendingSession is a session as its note shows it. Its texts are those of a
// transcript.
type PendingSession struct {
	ID, Title, Project string
	created            string
}

// Pending tells what passes wrote since the last commit.
func (s *Sync) Pending() (Pending, error) {
	var p Pending
	written, err := s.Ledger.Written()
	if err != nil {
		return p, err
	}
	seen := map[string]bool{}
	for _, w := range written {
		p.Paths = append(p.Paths, w.Path)
		if w.Session == "" || seen[w.Session] {
			continue
		}
		seen[w.Session] = true
		row, known, err := s.Ledger.Note(names.SessionID(w.Session))
		if err != nil {
			return p, err
		}
		if !known {
			continue // a memory, or gone with its notes
		}
		f, err := facts.Decode(row.Facts)
		if err != nil {
			return p, err
		}
		one := PendingSession{ID: w.Session, Title: f.Title, created: row.Created}
		if f.Project != "" {
			one.Project = identity.ProjectFromKey(f.Project).Name
		}
		p.Sessions = append(p.Sessions, one)
	}
	slices.SortFunc(p.Sessions, func(a, b PendingSession) int {
		return cmp.Or(cmp.Compare(a.created, b.created), cmp.Compare(a.ID, b.ID))
	})
	return p, nil
}

// Committed forgets what was pending. The commit that is checked out now is
// the vault as the last pass left it: what is missing later was not taken away
// by a checkout.
func (s *Sync) Committed() error {
	if err := s.Ledger.Begin(); err != nil {
		return err
	}
	if err := s.Ledger.ForgetWritten(); err != nil {
		return err
	}
	if s.Git != nil {
		if err := s.Ledger.SetValue(ledger.Head, []byte(s.Git.Head())); err != nil {
			return err
		}
	}
	return s.Ledger.Commit()
}
