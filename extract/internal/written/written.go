// Package written makes last what a run writes in a vault, and remembers it until it is
// committed to the repository the vault is in.
package written

import (
	"cmp"
	"errors"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/extract/internal/facts"
	"github.com/sessionloom/sessionloom/extract/internal/identity"
	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/vault"
)

// Files are those that runs wrote in a vault. Where the vault is in a git repository
// they are remembered until they are committed, so that a commit holds exactly that, and
// makes up for runs without one, for a hook that refused, for a run that was killed.
type Files struct {
	ledger *ledger.Ledger
	vault  *vault.Vault // nil: no note is written
	git    Git          // nil: the vault lies in no repository
	folder string       // the managed folder, from the vault's root
}

// New remembers what is written in a vault. in is nil if no note is written, git
// where nothing is committed.
func New(l *ledger.Ledger, in *vault.Vault, git Git, folder string) *Files {
	return &Files{ledger: l, vault: in, git: git, folder: folder}
}

// Head names the commit that is checked out where the vault lies, empty without git.
func (f *Files) Head() string {
	if f.git == nil {
		return ""
	}
	return f.git.Head()
}

// Explain reports what git knows of files that are missing; without git nothing is known.
func (f *Files) Explain(paths []string) (map[string]Absence, error) {
	if f.git == nil || len(paths) == 0 {
		return nil, nil
	}
	return f.git.Explain(paths)
}

// Removed reports which of the files that are missing a run removed; without git none.
func (f *Files) Removed(paths []string) (map[string]bool, error) {
	if f.git == nil || len(paths) == 0 {
		return nil, nil
	}
	return f.git.Removed(paths)
}

// Begin begins a run: what an earlier one was about to write when it was interrupted
// may be in the vault.
func (f *Files) Begin() {
	if f.git != nil && f.vault != nil {
		f.ledger.TrustIntents()
	}
}

// Intend remembers that a file is about to be written, before it is. session is the one
// whose text it shows, empty if it shows none.
func (f *Files) Intend(session string, paths ...string) {
	if f.git == nil {
		return
	}
	for _, path := range paths {
		f.ledger.Intend(ledger.UncommittedFile{Path: path, Session: session})
	}
}

// Flush makes writes to the vault durable. If that fails, it is unknown which notes are on disk,
// and the state must not claim any.
func (f *Files) Flush() error {
	if err := f.vault.Flush(); err != nil {
		return errors.Join(err, f.ledger.Rollback(err))
	}
	return nil
}

// Remember stores what was written since it was asked last, and forgets
// what was intended only.
func (f *Files) Remember() {
	if f.vault == nil {
		return
	}
	f.Add(f.vault.TakeWritten()...)
	if f.git != nil {
		f.ledger.ForgetIntents()
	}
}

// Add remembers what its user did and the commit must hold too, for what
// we write rests on it: a deletion with its tombstone, a move with its links.
func (f *Files) Add(paths ...string) {
	if f.git == nil {
		return
	}
	for _, path := range paths {
		f.ledger.PutUncommitted(path)
	}
}

// ForgetGone forgets the names of files that are gone and were in no commit: their
// removal is nothing to commit, and something must leave no trace. stands tells of notes
// whether they are there.
func (f *Files) ForgetGone(stands func(at string) bool) error {
	gone := map[string]string{} // by where it lay from the vault's root
	for _, w := range f.ledger.UncommittedFiles() {
		there := true // its user named it, or its name says nothing
		switch {
		case strings.HasPrefix(w.Path, vault.FromRoot("")):
		case path.Ext(w.Path) == ".md":
			there = stands(w.Path)
		case path.Ext(w.Path) == ".canvas":
			var err error
			if there, err = f.vault.Attached(w.Path); err != nil {
				return err
			}
		}
		if !there {
			gone[path.Join(f.folder, w.Path)] = w.Path
		}
	}
	var recorded map[string]bool
	if f.git != nil && len(gone) > 0 {
		var err error
		if recorded, err = f.git.Recorded(slices.Sorted(maps.Keys(gone))); err != nil {
			return err
		}
	}
	for at, name := range gone {
		if !recorded[at] {
			f.ledger.DropUncommitted(name)
		}
	}
	return nil
}

// PathOf is where a note is, for [Files.Also].
func PathOf(row ledger.NoteRow) string {
	if row.State == ledger.MovedOut {
		return vault.FromRoot(row.Path)
	}
	return row.Path
}

// Git is the repository in which the vault lies. Paths are from the vault's root;
// nothing is known of those outside of the repository.
type Git interface {
	// Busy says what git is in the middle of, such as "a rebase"; empty: nothing.
	Busy() string
	// Head names the commit that is checked out, and how that came to be.
	Head() string
	// Explain gives the reason why files may be missing.
	Explain(paths []string) (map[string]Absence, error)
	// Removed reports which files a run on some machine removed, not a person.
	Removed(paths []string) (map[string]bool, error)
	// Recorded reports which files commits have or had.
	Recorded(paths []string) (map[string]bool, error)
}

// Absence is what git knows of a file that is missing.
type Absence int

const (
	// NotInCommit is a file that the commit which is checked out does not have.
	NotInCommit Absence = iota
	// InCommit is a file that the commit has: git did not take it away.
	InCommit
	// Hidden is a file that git took out of the vault for the time being: by a
	// sparse checkout, or into a stash.
	Hidden
)

// Pending are the files to be committed and the sessions whose text they show.
type Pending struct {
	Paths    []string         // from the managed folder, or marked by vault.FromRoot
	Sessions []PendingSession // oldest first
	Links    []string         // those of Paths of which links alone were written
}

// PendingSession is a session as its note shows it. Its texts are those of a
// transcript.
type PendingSession struct {
	ID, Title, Project string
	created            string
}

// PendingIn reports what runs wrote since the last commit.
func PendingIn(l *ledger.Ledger) Pending {
	var p Pending
	written := l.UncommittedFiles()
	seen := map[string]bool{}
	for _, w := range written {
		p.Paths = append(p.Paths, w.Path)
		if w.Session == ledger.LinksAlone {
			p.Links = append(p.Links, w.Path)
		}
		if w.Session == "" || w.Session == ledger.LinksAlone || w.Session == ledger.OfPage || seen[w.Session] {
			continue
		}
		seen[w.Session] = true
		row, known := l.Note(names.SessionID(w.Session))
		if !known {
			continue // a memory, or gone with its notes
		}
		f := facts.Decode(row.Facts, l.Harmed)
		one := PendingSession{ID: w.Session, Title: f.Title, created: row.Created}
		if f.Project != "" {
			one.Project = identity.ProjectFromKey(f.Project).Name
		}
		p.Sessions = append(p.Sessions, one)
	}
	slices.SortFunc(p.Sessions, func(a, b PendingSession) int {
		return cmp.Or(cmp.Compare(a.created, b.created), cmp.Compare(a.ID, b.ID))
	})
	return p
}
