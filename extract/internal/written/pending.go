package written

import (
	"cmp"
	"slices"

	"github.com/sessionloom/sessionloom/extract/internal/facts"
	"github.com/sessionloom/sessionloom/extract/internal/identity"
	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/extract/ledger"
)

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

// PendingIn tells what runs wrote since the last commit.
func PendingIn(l *ledger.Ledger) (Pending, error) {
	var p Pending
	written, err := l.UncommittedFiles()
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
		row, known, err := l.Note(names.SessionID(w.Session))
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
