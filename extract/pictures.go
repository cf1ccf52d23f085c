package extract

import (
	"context"
	"errors"
	"io/fs"
	"path"
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

// missPictures finds the pictures that are gone since the last pass. Many at
// once look like an accident, as with notes.
func (p *pass) missPictures() error {
	all, err := p.Ledger.Pictures()
	if err != nil {
		return err
	}
	var gone []ledger.Picture
	left := map[string]bool{} // by id: it stands elsewhere, its project has another name now
	at := map[string]string{} // where each lies
	for _, pic := range all {
		if at[pic.Path], err = p.pictureAt("", pic.Path); err != nil {
			return err
		}
		there, err := p.Vault.Attached(at[pic.Path])
		if err != nil {
			return err
		}
		if there {
			left[names.PictureID(pic.Path)] = true
		} else {
			gone = append(gone, pic)
		}
	}
	if _, gone, err = observe.Part(p.Aside, gone, func(pic ledger.Picture) string { return p.fromRoot(at[pic.Path]) }); err != nil {
		return err
	}
	if len(gone) == 0 {
		return nil
	}
	elsewhere, err := p.headMoved()
	if err != nil {
		return err
	}
	for _, pic := range gone {
		if card, _, err := p.Ledger.Session(pic.Session); err != nil {
			return err
		} else if forgotten(p.Vault, card) { // it went with its session, on another machine
			if err := p.Ledger.DropPictureOf(pic); err != nil {
				return err
			}
			continue
		}
		deleted := !left[names.PictureID(pic.Path)]
		if elsewhere && !p.Mode.Force { // the commit that was checked out does not have it
			p.absent[names.PictureID(pic.Path)], deleted = true, false
		} else if !deleted { // of no use where its session has moved on, else missed
			if deleted, err = p.shows(pic.Session, "![["+p.fromRoot(at[pic.Path])); err != nil {
				return err
			}
		}
		if deleted {
			if err := p.buryPicture(pic.Path, all); err != nil {
				return err
			}
		}
		if err := errors.Join(p.Ledger.DropPicture(pic.Path), p.Ledger.DropFile(movedPicture(pic.Path))); err != nil {
			return err
		}
	}
	return p.flush()
}

// buryPicture has a picture be shown no more, wherever the known ones say it is.
func (p *pass) buryPicture(at string, known []ledger.Picture) error {
	id := names.PictureID(at)
	for _, pic := range known {
		if names.PictureID(pic.Path) != id {
			continue
		}
		if err := p.due.mark(ledger.DueSession, pic.Session); err != nil {
			return err
		}
	}
	return p.Vault.Bury(id)
}

// lookAtPictures takes in the pictures of a session that the ledger does not
// know: one that a note shows and that is nowhere was deleted.
func (p *pass) lookAtPictures(ctx context.Context, s *sources.Session, pr identity.Project) error {
	return p.eachPicture(s, pr, func(at string, _ []byte) error {
		known, err := p.Ledger.HasPicture(at)
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
			return putPicture(p.Ledger, ledger.Picture{Path: at, Session: s.ID}, lies)
		case known || p.absent[names.PictureID(at)]:
			return nil // it went while this pass is at work: the next one sees it
		}
		if row, known, err := p.Ledger.Note(names.SessionID(s.ID)); err != nil || !known || !row.State.Stands() {
			return err
		}
		shown, err := p.shows(s.ID, "![["+p.fromRoot(at))
		if err != nil {
			return err
		}
		named, err := p.shows(s.ID, "/"+path.Base(at)+"]]")
		if err != nil {
			return err
		}
		one := owned{id: movedPicture(at), path: at}
		lies, err = p.find(ctx, one, func(lies string) bool {
			placed, _ := path.Match("projects/*/attachments/*", lies) // by us, for another project
			there, err := p.shows(s.ID, "![["+p.fromRoot(lies))
			return shown || named && !placed || err == nil && there
		})
		if err == nil && lies != "" {
			return errors.Join(p.Ledger.PutPicture(ledger.Picture{Path: at, Session: s.ID}), p.follow(one, lies))
		}
		if err != nil || !shown {
			return err
		}
		all, err := p.Ledger.Pictures()
		return errors.Join(err, p.buryPicture(at, all))
	})
}

// shows tells whether a note of a session holds what embeds a file.
func (p *pass) shows(session, embed string) (bool, error) {
	rows, err := p.Ledger.NotesOfSession(session)
	if err != nil {
		return false, err
	}
	for _, r := range rows {
		if r.Type != names.TypeSession && r.Type != names.TypePart || !r.State.Stands() {
			continue
		}
		text, err := p.Vault.Text(r.Path)
		if errors.Is(err, fs.ErrNotExist) { // it went while this pass is at work
			continue
		}
		if err != nil {
			return false, err
		}
		if strings.Contains(string(text), embed) {
			return true, nil
		}
	}
	return false, nil
}

// putPictures writes the pictures of a note before the note, those that it will
// show: one whose text stays as its user wrote it shows no new ones.
func (p *pass) putPictures(ctx context.Context, d *draft, m *pages.OpenSession, v vault.Draft) error {
	if d.body == nil || d.facts.Type != names.TypeSession && d.facts.Type != names.TypePart {
		return nil
	}
	var taken *string // our text as the note will have taken it in
	return p.eachPicture(&m.Session, identity.ProjectFromKey(d.facts.Project), func(at string, content []byte) error {
		if known, err := p.Ledger.HasPicture(at); err != nil || known {
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
		if err != nil || taken != nil && !strings.Contains(*taken, "![["+p.fromRoot(lies)) {
			return err
		}
		created, err := p.Vault.Attach(ctx, lies, content)
		if err != nil {
			return err
		}
		if created {
			p.countFile(names.PictureID(at), vault.FileResult{Outcome: vault.Created, Path: lies}, nil)
		}
		return putPicture(p.Ledger, ledger.Picture{Path: at, Session: m.Session.ID}, lies)
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
