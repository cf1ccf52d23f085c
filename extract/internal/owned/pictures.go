package owned

import (
	"context"
	"path"
	"strings"

	"github.com/sessionloom/sessionloom/extract/internal/identity"
	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/extract/internal/observe"
	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/vault"
)

// Pictures that were added to a prompt, where a source was asked to keep them,
// lie beside the notes of their project under a name that tells their content.
// They are written once. One that its user deleted gets a tombstone as a note
// does, and is shown no more.

// eachPicture visits the pictures that a session's notes show.
func (f *Files) eachPicture(s *sources.Session, pr identity.Project, visit func(at string, content []byte) error) error {
	if !f.ShowPictures {
		return nil
	}
	for _, t := range s.Turns {
		for _, a := range t.Attachments {
			at := names.PicturePath(pr, a)
			if at == "" || f.Vault.HasTombstone(names.PictureID(at)) {
				continue
			}
			if err := visit(at, a.Content); err != nil {
				return err
			}
		}
	}
	return nil
}

// PictureAt is where a picture lies, or is to lie, that we put at a place in the
// folder of a project by itself.
func (f *Files) PictureAt(project, at string) (string, error) {
	file, known, err := f.Notes.Ledger.Owned(names.PictureFileID(at))
	if err != nil || known {
		return file.Path, err
	}
	return f.InProject(project, at), nil
}

// PutPicture remembers that a picture stands in the vault, and who shows it.
func (f *Files) PutPicture(at, lies, session string) error {
	id := names.PictureFileID(at)
	if err := f.Notes.Ledger.PutOwned(ledger.OwnedFile{ID: id, Path: lies}); err != nil {
		return err
	}
	return f.Notes.Ledger.PutUse(ledger.OwnedUse{File: id, Session: session})
}

// addPictureTombstone has a picture be shown no more, wherever it is known to be.
func (f *Files) addPictureTombstone(file string) error {
	id := names.PictureID(file)
	if err := f.usersDue(func(file string) bool { return names.PictureID(file) == id }); err != nil {
		return err
	}
	return f.Vault.AddTombstone(id)
}

// usersDue makes the sessions due that show files.
func (f *Files) usersDue(shown func(file string) bool) error {
	uses, err := f.Notes.Ledger.OwnedUses()
	if err != nil {
		return err
	}
	for _, u := range uses {
		if !shown(u.File) {
			continue
		}
		if err := f.Notes.Queue.Mark(ledger.DueSession, u.Session); err != nil {
			return err
		}
	}
	return nil
}

// LookAtPictures takes in the pictures of a session that the ledger does not
// know: one that a note shows and that is nowhere was deleted.
func (f *Files) LookAtPictures(ctx context.Context, s *sources.Session, pr identity.Project) error {
	return f.eachPicture(s, pr, func(at string, _ []byte) error {
		_, known, err := f.Notes.Ledger.Owned(names.PictureFileID(at))
		if err != nil {
			return err
		}
		lies, err := f.PictureAt(pr.Key, at)
		if err != nil {
			return err
		}
		there, err := f.Vault.Attached(lies)
		switch {
		case err != nil:
			return err
		case there:
			return f.PutPicture(at, lies, s.ID)
		case known || f.Notes.Skips(names.PictureID(at)):
			return nil // it went while this run is at work: the next one sees it
		}
		if row, known, err := f.Notes.Ledger.Note(names.SessionID(s.ID)); err != nil || !known || !row.State.Stands() {
			return err
		}
		one := ledger.OwnedFile{ID: names.PictureFileID(at), Path: at}
		fate, lies, err := observe.FateOfUnknownPicture(ctx, f.look, one, s.ID)
		switch fate {
		case observe.Moved:
			if err := f.Notes.Ledger.PutUse(ledger.OwnedUse{File: one.ID, Session: s.ID}); err != nil {
				return err
			}
			return f.Follow(one, lies)
		case observe.Deleted:
			return f.addPictureTombstone(one.ID)
		}
		return err
	})
}

// PutPictures writes the pictures of a note before the note, those that it will
// show: one whose text stays as its user wrote it shows no new ones.
func (f *Files) PutPictures(ctx context.Context, s *sources.Session, project string, v vault.Draft) error {
	var taken *string // our text as the note will have taken it in
	return f.eachPicture(s, identity.ProjectFromKey(project), func(at string, content []byte) error {
		id := names.PictureFileID(at)
		if _, known, err := f.Notes.Ledger.Owned(id); err != nil {
			return err
		} else if known {
			return f.Notes.Ledger.PutUse(ledger.OwnedUse{File: id, Session: s.ID})
		}
		if v.At != "" && taken == nil {
			text, err := takenText(f.Vault, v)
			if err != nil {
				return err
			}
			taken = &text
		}
		lies, err := f.PictureAt(project, at)
		if err != nil || taken != nil && !strings.Contains(*taken, "![["+f.Notes.FromRoot(lies)) {
			return err
		}
		created, err := f.Vault.Attach(ctx, lies, content)
		if err != nil {
			return err
		}
		if created {
			f.Recorder.File(names.PictureID(at), vault.Result{Outcome: vault.Created, Path: lies}, nil)
		}
		return f.PutPicture(at, lies, s.ID)
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

// DropPictures removes the pictures that only one session shows, which is forgotten.
func (f *Files) DropPictures(ctx context.Context, session string) error {
	uses, err := f.Notes.Ledger.OwnedUses()
	if err != nil {
		return err
	}
	others := map[string]bool{}
	for _, u := range uses {
		others[u.File] = others[u.File] || u.Session != session
	}
	for _, u := range uses {
		if u.Session != session {
			continue
		}
		if err := f.Notes.Ledger.DropUse(u); err != nil {
			return err
		}
		file, known, err := f.Notes.Ledger.Owned(u.File)
		if err != nil {
			return err
		}
		if !known || others[u.File] {
			continue
		}
		ours := func(content []byte) bool {
			return names.PictureSum(content) == strings.TrimSuffix(path.Base(u.File), path.Ext(u.File))
		}
		if _, err := f.Vault.Detach(ctx, file.Path, ours); err != nil {
			return err
		}
		if err := f.Notes.Ledger.DropOwned(u.File); err != nil {
			return err
		}
	}
	return nil
}
