package extract

import (
	"context"
	"errors"
	"strings"

	"github.com/sessionloom/sessionloom/extract/internal/identity"
	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/extract/internal/observe"
	"github.com/sessionloom/sessionloom/extract/internal/pages"
	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/vault"
)

// Pictures that were added to a prompt, where a source was asked to keep them,
// lie beside the notes of their project under a name that tells their content.
// They are written once. One that its user deleted gets a tombstone as a note
// does, and is shown no more.

// eachPicture visits the pictures that a session's notes show.
func (p *pass) eachPicture(s *sources.Session, pr identity.Project, visit func(path string, content []byte) error) error {
	if p.Settings.Transcript == "none" {
		return nil
	}
	for _, t := range s.Turns {
		for _, a := range t.Attachments {
			at := names.PicturePath(pr, a)
			if at == "" || p.Vault.Buried(names.PictureID(at)) {
				continue
			}
			if err := visit(at, a.Content); err != nil {
				return err
			}
		}
	}
	return nil
}

// pictureAt is where a picture lies, or is to lie, that we put at a place in the
// folder of a project by itself.
func (p *pass) pictureAt(project, at string) (string, error) {
	f, known, err := p.Ledger.Owned(names.PictureFileID(at))
	if err != nil || known {
		return f.Path, err
	}
	return p.inProject(project, at), nil
}

// putPicture remembers that a picture stands in the vault, and who shows it.
func (p *pass) putPicture(at, lies, session string) error {
	id := names.PictureFileID(at)
	return errors.Join(p.Ledger.PutOwned(ledger.OwnedFile{ID: id, Path: lies}), p.Ledger.PutUse(ledger.OwnedUse{File: id, Session: session}))
}

// buryPicture has a picture be shown no more, wherever it is known to be.
func (p *pass) buryPicture(file string) error {
	id := names.PictureID(file)
	return errors.Join(p.usersDue(func(file string) bool { return names.PictureID(file) == id }), p.Vault.Bury(id))
}

// usersDue makes the sessions due that show files.
func (p *pass) usersDue(shown func(file string) bool) error {
	uses, err := p.Ledger.OwnedUses()
	if err != nil {
		return err
	}
	for _, u := range uses {
		if !shown(u.File) {
			continue
		}
		if err := p.queue.Mark(ledger.DueSession, u.Session); err != nil {
			return err
		}
	}
	return nil
}

// lookAtPictures takes in the pictures of a session that the ledger does not
// know: one that a note shows and that is nowhere was deleted.
func (p *pass) lookAtPictures(ctx context.Context, s *sources.Session, pr identity.Project) error {
	return p.eachPicture(s, pr, func(at string, _ []byte) error {
		_, known, err := p.Ledger.Owned(names.PictureFileID(at))
		if err != nil {
			return err
		}
		lies, err := p.pictureAt(pr.Key, at)
		if err != nil {
			return err
		}
		there, err := p.Vault.Attached(lies)
		switch {
		case err != nil:
			return err
		case there:
			return p.putPicture(at, lies, s.ID)
		case known || p.notes.Skips(names.PictureID(at)):
			return nil // it went while this pass is at work: the next one sees it
		}
		if row, known, err := p.Ledger.Note(names.SessionID(s.ID)); err != nil || !known || !row.State.Stands() {
			return err
		}
		one := ledger.OwnedFile{ID: names.PictureFileID(at), Path: at}
		fate, lies, err := observe.FateOfUnknownPicture(ctx, p.lookInput(), one, s.ID)
		switch fate {
		case observe.Moved:
			return errors.Join(p.Ledger.PutUse(ledger.OwnedUse{File: one.ID, Session: s.ID}), p.follow(one, lies))
		case observe.Deleted:
			return p.buryPicture(one.ID)
		}
		return err
	})
}

// putPictures writes the pictures of a note before the note, those that it will
// show: one whose text stays as its user wrote it shows no new ones.
func (p *pass) putPictures(ctx context.Context, d *draft, m *pages.OpenSession, v vault.Draft) error {
	if d.body == nil || d.facts.Type != names.TypeSession && d.facts.Type != names.TypePart {
		return nil
	}
	var taken *string // our text as the note will have taken it in
	return p.eachPicture(&m.Session, identity.ProjectFromKey(d.facts.Project), func(at string, content []byte) error {
		if _, known, err := p.Ledger.Owned(names.PictureFileID(at)); err != nil || known {
			return err
		}
		if d.at() != "" && taken == nil {
			text, err := takenText(p.Vault, v)
			if err != nil {
				return err
			}
			taken = &text
		}
		lies, err := p.pictureAt(d.facts.Project, at)
		if err != nil || taken != nil && !strings.Contains(*taken, "![["+p.notes.FromRoot(lies)) {
			return err
		}
		created, err := p.Vault.Attach(ctx, lies, content)
		if err != nil {
			return err
		}
		if created {
			p.rec.File(names.PictureID(at), vault.FileResult{Outcome: vault.Created, Path: lies}, nil)
		}
		return p.putPicture(at, lies, m.Session.ID)
	})
}

// takenText is what of our text a note that stands in the vault will hold beside
// its user's edits.
func takenText(in *vault.Vault, v vault.Draft) (string, error) {
	res, err := in.Preview(v)
	if err != nil || res.BaseBody == nil {
		return "", err
	}
	return *res.BaseBody, nil
}
