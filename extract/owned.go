package extract

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/sessionloom/sessionloom/extract/internal/identity"
	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/extract/internal/observe"
	"github.com/sessionloom/sessionloom/extract/internal/pages"
	"github.com/sessionloom/sessionloom/extract/internal/texts"
	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/vault"
	"github.com/sessionloom/sessionloom/vault/merge"
)

// Files of ours that are no notes (bases, canvases, pictures) bear no id that is
// looked for: one that does not lie where it lay is known again by what is in it.
// Where it is found its user moved it, and it is followed there as a note is.

// whereabouts are what a pass knows of where these files lie.
type whereabouts struct {
	settled map[string]bool    // where one of ours lies
	sums    map[string]string  // of pictures that were looked at, by path
	others  []string           // all files of the managed folder that are no notes; nil: not looked for
	gone    []ledger.OwnedFile // that lie nowhere
	missing map[string]int     // how many of them are missed, by kind; "": of how many
	folders sync.Map           // project → the folder its files are in
}

// followFiles finds the files of ours that lie elsewhere now, and those that are
// gone.
func (p *pass) followFiles(ctx context.Context) error {
	all, err := p.Ledger.OwnedFiles()
	if err != nil {
		return err
	}
	var away []ledger.OwnedFile
	p.settled, p.sums, p.gone, p.missing = map[string]bool{}, map[string]string{}, nil, map[string]int{"": 0}
	for _, f := range all {
		there, err := p.Vault.Attached(f.Path)
		switch {
		case err != nil:
			return err
		case there:
			p.settled[f.Path] = true
		case f.Reason == fileRenewed: // nobody misses it
			p.gone = append(p.gone, f)
			continue
		default:
			away = append(away, f)
		}
		p.missing[""]++
	}
	if _, away, err = observe.Explain(p.Git, away, p.ownedFromRoot, observe.Hidden); err != nil {
		return err
	}
	for _, f := range away {
		at, err := p.find(ctx, f, nil)
		if err != nil {
			return err
		}
		if at == "" {
			kind, _, _ := strings.Cut(f.ID, ":")
			p.missing[kind]++
			p.gone = append(p.gone, f)
		} else if err := p.follow(f, at); err != nil {
			return err
		}
	}
	return nil
}

func (p *pass) ownedFromRoot(f ledger.OwnedFile) string { return p.fromRoot(f.Path) }

// missOwned decides what became of the files that are gone: they were deleted,
// unless they are too many, or they went with a checkout or with what was forgotten.
func (p *pass) missOwned() error {
	if len(p.gone) == 0 {
		return nil
	}
	if len(p.missing) > 1 {
		notes, err := p.Ledger.NoteFiles()
		if err = errors.Join(err, p.allowed(0, len(notes))); err != nil {
			return err
		}
	}
	elsewhere, err := p.headMoved()
	if err != nil {
		return err
	}
	for _, f := range p.gone {
		deleted, err := p.wasDeleted(f, elsewhere && !p.Mode.Force)
		if err != nil {
			return err
		}
		if deleted {
			err = p.buryOwned(f)
		} else {
			err = p.forgetOwned(f)
		}
		if err != nil {
			return err
		}
	}
	return p.flush()
}

// wasDeleted tells whether the user deleted a file that is gone. elsewhere says
// that another commit is checked out, which may not have it.
func (p *pass) wasDeleted(f ledger.OwnedFile, elsewhere bool) (bool, error) {
	if isPictureFile(f.ID) {
		return p.pictureDeleted(f, elsewhere)
	}
	_, _, canvas := strings.Cut(f.ID, names.CanvasID(""))
	return f.Reason != fileRenewed && !elsewhere && !(canvas && p.forget.heed), nil
}

// forgetOwned forgets a file that is gone and was not deleted: it may come again.
func (p *pass) forgetOwned(f ledger.OwnedFile) error {
	if err := p.Ledger.DropOwned(f.ID); err != nil || isPictureFile(f.ID) {
		return err
	}
	return markPages(p.Ledger, f.ID, p.due.mark)
}

// buryOwned makes a tombstone of a file that the user deleted. What shows it is due.
func (p *pass) buryOwned(f ledger.OwnedFile) error {
	if isPictureFile(f.ID) {
		return errors.Join(p.buryPicture(f.ID), p.Ledger.DropOwned(f.ID))
	}
	if !p.Vault.Buried(f.ID) { // else another machine saw it go first
		if err := p.Ledger.PutGrave(ledger.Grave{ID: f.ID, Path: f.Path}); err != nil {
			return err
		}
		p.report.Notes.Tombstoned++
	}
	return errors.Join(p.Vault.Bury(f.ID), p.forgetOwned(f))
}

// knowsAgain tells a file of ours wherever it lies: a canvas by the card of its
// project, for Obsidian writes the links of it anew, a base by our first line.
func knowsAgain(f ledger.OwnedFile, text []byte) bool {
	if _, key, ok := strings.Cut(f.ID, names.CanvasID("")); ok {
		return pages.ShowsCard(text, names.ProjectID(key))
	}
	sum := merge.HashHeader(text)
	return sum != "" && (sum == f.Ours || sum == texts.Digest(f.Base, 16)) || f.Base != "" && string(text) == f.Base
}

// find looks for a file elsewhere in the managed folder where no other of ours
// lies, empty where there is none. Of several that of its own name counts, then
// the one with the shortest path, for a copy's name is longer.
func (p *pass) find(ctx context.Context, f ledger.OwnedFile, also func(at string) bool) (string, error) {
	if p.others == nil {
		var err error
		if p.others, err = p.Vault.Files(ctx); err != nil {
			return "", err
		}
		p.others = append(p.others, "")[:len(p.others)] // it was looked for
	}
	var found []string
	for _, at := range p.others {
		if !strings.EqualFold(path.Ext(at), path.Ext(f.Path)) || p.settled[at] {
			continue
		}
		if p.isAt(f, at) && (also == nil || also(at)) {
			found = append(found, at)
		}
	}
	if len(found) == 0 {
		return "", nil
	}
	return slices.MinFunc(found, func(a, b string) int {
		return cmp.Or(boolCount(path.Base(b) == path.Base(f.Path))-boolCount(path.Base(a) == path.Base(f.Path)), len(a)-len(b), strings.Compare(a, b))
	}), nil
}

// isAt tells whether a file of ours lies at a place. One that cannot be read, or
// went meanwhile, is nobody's.
func (p *pass) isAt(f ledger.OwnedFile, at string) bool {
	sum, seen := p.sums[at]
	if !seen || !isPictureFile(f.ID) {
		text, err := p.Vault.File(at)
		if err != nil || !isPictureFile(f.ID) {
			return err == nil && knowsAgain(f, text)
		}
		sum = names.PictureSum(text)
		p.sums[at] = sum
	}
	return strings.HasSuffix(f.ID, "/"+sum+path.Ext(f.Path))
}

// follow takes in that a file lies elsewhere: what shows it is due.
func (p *pass) follow(f ledger.OwnedFile, at string) error {
	row, known, err := p.Ledger.Owned(f.ID)
	if err != nil {
		return err
	}
	row.ID, row.Path = f.ID, at
	p.settled[at] = true
	if err := errors.Join(p.Ledger.PutOwned(row), p.alsoWritten(f.Path, at)); err != nil {
		return err
	}
	if known || isPictureFile(f.ID) {
		p.report.Notes.Moved++
		p.report.Changed = append(p.report.Changed, Change{Note: p.fromRoot(at), Outcome: string(vault.Moved)})
	}
	if isPictureFile(f.ID) {
		return p.usersDue(func(id string) bool { return id == f.ID })
	}
	return markPages(p.Ledger, f.ID, p.due.mark)
}

// missingWords tells what is missing, by kind.
func (p *pass) missingWords(notes int) string {
	kinds := []struct {
		n         int
		one, many string
	}{
		{notes, "note", "notes"}, {p.missing[names.TypeBase], "base", "bases"},
		{p.missing[names.TypeCanvas], "canvas", "canvases"}, {p.missing[names.TypePicture], "image", "images"},
	}
	var out []string
	for _, k := range kinds {
		if k.n > 0 {
			out = append(out, plural(k.n, k.one, k.many))
		}
	}
	return strings.Join(out, ", ")
}

// inProject is where lies what we would put into the folder of a project: its
// user may have given that another name, and the project's page went with it.
func (p *pass) inProject(key, name string) string {
	own := names.ProjectFolder(identity.ProjectFromKey(key))
	rest, ok := strings.CutPrefix(name, own+"/")
	if key == "" || !ok {
		return name
	}
	folder, known := p.folders.Load(key)
	if !known {
		folder = p.projectIn(key, own)
		p.folders.Store(key, folder)
	}
	return fmt.Sprint(folder) + "/" + rest
}

// projectIn is the folder of a project, own where we put it: another is it where
// the page lies and nothing is left in that.
func (p *pass) projectIn(key, own string) string {
	row, known, err := p.Ledger.Note(names.ProjectID(key))
	folder := path.Dir(row.Path)
	if err != nil || !known || !row.State.Stands() || folder == "." || folder == own {
		return own
	}
	for at := range p.files {
		if strings.HasPrefix(at, own+"/") {
			return own
		}
	}
	return folder
}
