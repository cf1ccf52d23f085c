package observe

import (
	"context"
	"errors"
	"io/fs"
	"path"
	"strings"

	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/vault"
)

// FateOfUnknown decides what became of a base or canvas that the state does not
// know and that is not where we would put it: Moved, then at tells where it lies,
// Deleted where the state was lost and the note at page shows it, else Forgotten.
func FateOfUnknown(ctx context.Context, in Input, f ledger.OwnedFile, page string) (fate Fate, at string, err error) {
	var e evidence
	if e.at, err = in.Files.Find(ctx, f, nil); err != nil {
		return Unknown, "", err
	}
	text, unread := in.Vault.Text(page) // a page that cannot be read tells nothing
	e.forgotten = !in.Ledger.Fresh() || unread != nil || !strings.Contains(string(text), "[["+path.Join(in.Folder, f.Path))
	return e.fate(), e.at, nil
}

// FateOfUnknownPicture decides what became of a picture of a session that the state
// does not know and that is not where we would put it: Moved, then at tells where
// it lies, Deleted where a note of the session shows it, else Forgotten.
func FateOfUnknownPicture(ctx context.Context, in Input, f ledger.OwnedFile, session string) (fate Fate, at string, err error) {
	shows := func(embed string) (bool, error) { return Shows(in.Vault, in.Ledger, session, embed) }
	shown, err := shows("![[" + path.Join(in.Folder, f.Path))
	if err != nil {
		return Unknown, "", err
	}
	named, err := shows("/" + path.Base(f.Path) + "]]")
	if err != nil {
		return Unknown, "", err
	}
	e := evidence{forgotten: !shown}
	e.at, err = in.Files.Find(ctx, f, func(lies string) bool {
		placed, _ := path.Match("projects/*/attachments/*", lies) // by us, for another project
		there, err := shows("![[" + path.Join(in.Folder, lies))
		return shown || named && !placed || err == nil && there
	})
	if err != nil {
		return Unknown, "", err
	}
	return e.fate(), e.at, nil
}

// Shows tells whether a note of a session holds what embeds a file.
func Shows(v *vault.Vault, l *ledger.Ledger, session, embed string) (bool, error) {
	rows, err := l.NotesOfSession(session)
	if err != nil {
		return false, err
	}
	for _, r := range rows {
		if r.Type != names.TypeSession && r.Type != names.TypePart || !r.State.Stands() {
			continue
		}
		text, err := v.Text(r.Path)
		if errors.Is(err, fs.ErrNotExist) { // it went while this run is at work
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
