package owned

import (
	"context"
	"path"
	"strings"

	"github.com/sessionloom/sessionloom/extract/internal/identity"
	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/vault"
)

// Pictures that were added to a prompt, where a source was asked to keep them,
// are beside the notes of their project under a name that tells their content.
// They are written once. One that its user deleted gets a tombstone as a note
// does, and is shown no more.

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

func (f *Files) keepPicture(at, lies, session string) {
	id := names.PictureFileID(at)
	f.Notes.Ledger.PutOwned(ledger.OwnedFile{ID: id, Path: lies})
	f.Notes.Ledger.PutUse(ledger.OwnedUse{File: id, Session: session})
}

// LookAtPictures takes in the pictures of a session that the ledger does not
// know: one that a note shows and that is nowhere was deleted.
func (f *Files) LookAtPictures(ctx context.Context, s *sources.Session, pr identity.Project) error {
	return f.eachPicture(s, pr, func(at string, _ []byte) error {
		lies, known := f.place(names.PictureFileID(at), pr.Key, at)
		there, err := f.Vault.Attached(lies)
		switch {
		case err != nil:
			return err
		case there:
			f.keepPicture(at, lies, s.ID)
			return nil
		case known || f.Notes.Skips(names.PictureID(at)):
			return nil // it went while this run is at work: the next one sees it
		}
		return f.searchPicture(ctx, ledger.OwnedFile{ID: names.PictureFileID(at), Path: at}, s.ID)
	})
}

// searchPicture finds out what became of a picture that the ledger does not know and that
// is not where we would put it: where a note of the session shows it, its user moved or
// deleted it.
func (f *Files) searchPicture(ctx context.Context, file ledger.OwnedFile, session string) error {
	named, err := f.shows(session, "/"+path.Base(file.Path)+"]]")
	if err != nil || !named {
		return err
	}
	shown, err := f.shows(session, "![["+f.Notes.FromRoot(file.Path))
	if err != nil {
		return err
	}
	lies, err := f.find(ctx, file)
	if err != nil {
		return err
	}
	switch {
	case lies == "" && shown:
		return f.addTombstone(file)
	case lies == "":
		return nil
	}
	f.Notes.Ledger.PutUse(ledger.OwnedUse{File: file.ID, Session: session})
	f.follow(file, lies)
	return nil
}

// PutPictures writes the pictures of a note before the note, those that it will
// show: one whose text stays as its user wrote it shows no new ones.
func (f *Files) PutPictures(ctx context.Context, s *sources.Session, project string, v vault.Draft) error {
	var taken *string // our text as the note will have taken it in
	return f.eachPicture(s, identity.ProjectFromKey(project), func(at string, content []byte) error {
		lies, known := f.place(names.PictureFileID(at), project, at)
		if known {
			f.Notes.Ledger.PutUse(ledger.OwnedUse{File: names.PictureFileID(at), Session: s.ID})
			return nil
		}
		if v.At != "" && taken == nil {
			res, err := f.Vault.Preview(v)
			if err != nil {
				return err
			}
			if taken = res.BaseBody; taken == nil {
				taken = new(string)
			}
		}
		if taken != nil && !strings.Contains(*taken, "![["+f.Notes.FromRoot(lies)) {
			return nil
		}
		created, err := f.Vault.Attach(ctx, lies, content)
		if err != nil {
			return err
		}
		if created {
			f.Recorder.File(names.PictureID(at), vault.Result{Outcome: vault.Created, Path: lies}, nil)
		}
		f.keepPicture(at, lies, s.ID)
		return nil
	})
}

// DropPictures removes the pictures that only one session shows, which is forgotten.
func (f *Files) DropPictures(ctx context.Context, session string) error {
	uses := f.Notes.Ledger.OwnedUses()
	others := map[string]bool{}
	for _, u := range uses {
		others[u.File] = others[u.File] || u.Session != session
	}
	for _, u := range uses {
		if u.Session != session {
			continue
		}
		f.Notes.Ledger.DropUse(u)
		file, known := f.Notes.Ledger.Owned(u.File)
		if !known || others[u.File] {
			continue
		}
		ours := func(content []byte) bool {
			return names.PictureSum(content) == strings.TrimSuffix(path.Base(u.File), path.Ext(u.File))
		}
		if _, err := f.Vault.Detach(ctx, file.Path, ours); err != nil {
			return err
		}
		f.Notes.Ledger.DropOwned(u.File)
	}
	return nil
}
