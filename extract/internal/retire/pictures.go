package retire

import (
	"cmp"
	"context"
	"path"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/extract/internal/observe"
	"github.com/sessionloom/sessionloom/extract/ledger"
)

// dropPictures removes the pictures that only forgotten sessions showed. purged tells
// that this run took something out of the state.
func (f *Forgetter) dropPictures(ctx context.Context, purged bool) error {
	if !purged && !f.heed && len(f.rec.Removed()) == 0 {
		return nil
	}
	uses, err := f.notes.Ledger.OwnedUses()
	if err != nil {
		return err
	}
	gone, err := f.forgottenUsers(uses)
	if err != nil {
		return err
	}
	for _, u := range uses {
		if !gone[u.Session] {
			continue
		}
		shown := slices.ContainsFunc(uses, func(o ledger.OwnedUse) bool { return o.File == u.File && !gone[o.Session] })
		if !shown {
			if shown, err = f.showsAny(strings.TrimPrefix(u.File, names.PictureFileID(""))); err != nil {
				return err
			}
		}
		if err := f.notes.Ledger.DropUse(u); err != nil {
			return err
		}
		if !shown {
			if err := f.dropPicture(ctx, u.File); err != nil {
				return err
			}
		}
	}
	f.vault.Tidy()
	return f.written.Flush()
}

// forgottenUsers tells which of the sessions that show files are forgotten.
func (f *Forgetter) forgottenUsers(uses []ledger.OwnedUse) (map[string]bool, error) {
	forgotten := map[string]bool{}
	for _, u := range uses {
		if _, seen := forgotten[u.Session]; seen {
			continue
		}
		c, _, err := f.notes.Ledger.Session(u.Session)
		if err != nil {
			return nil, err
		}
		forgotten[u.Session] = c.Kind == ledger.KindForgotten
	}
	return forgotten, nil
}

// dropPicture removes a picture that nothing shows.
func (f *Forgetter) dropPicture(ctx context.Context, id string) error {
	file, known, err := f.notes.Ledger.Owned(id)
	if err != nil || !known {
		return err
	}
	if _, err := f.vault.Detach(ctx, file.Path, isPicture(id)); err != nil {
		return err
	}
	return f.notes.Ledger.DropOwned(id)
}

// isPicture tells by its content whether a file is the picture we wrote there.
func isPicture(at string) func([]byte) bool {
	return func(content []byte) bool {
		return names.PictureSum(content) == strings.TrimSuffix(path.Base(at), path.Ext(at))
	}
}

// showsAny tells whether any session's note embeds a file of its project.
func (f *Forgetter) showsAny(at string) (bool, error) {
	for _, typ := range []string{names.TypeSession, names.TypePart} {
		rows, err := f.notes.Ledger.NotesOfType(typ)
		if err != nil {
			return false, err
		}
		for _, r := range rows {
			if path.Dir(path.Dir(at)) != path.Dir(path.Dir(cmp.Or(r.Home, r.Path))) {
				continue
			}
			lies, err := f.owned.PictureAt("", at)
			if err != nil {
				return false, err
			}
			if shown, err := observe.Shows(f.vault, f.notes.Ledger, r.Session, "![["+f.notes.FromRoot(lies)); err != nil || shown {
				return shown, err
			}
		}
	}
	return false, nil
}
