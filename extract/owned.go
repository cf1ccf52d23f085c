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
)

// Files of ours that are no notes (bases, canvases, pictures) bear no id that is
// looked for: one that does not lie where it lay is known again by what is in it.
// Where it is found its user moved it, and it is followed there as a note is.

// owned is a file of ours that is no note.
type owned struct {
	id   string                 // in the table of files
	path string                 // where it lay
	is   func(text []byte) bool // knows it again; of a picture nil: its bytes have the sum that its name tells
}

// whereabouts are what a pass knows of where these files lie.
type whereabouts struct {
	settled map[string]bool   // where one of ours lies
	sums    map[string]string // of pictures that were looked at, by path
	others  []string          // all files of the managed folder that are no notes; nil: not looked for
	missing map[string]int    // how many of ours are gone, by kind; "": of how many
	folders sync.Map          // project → the folder its files are in
}

// movedPicture is the id, among the files, of a picture that lies elsewhere than
// we would put it.
func movedPicture(at string) string { return names.TypePicture + ":" + at }

// pictureAt is where a picture lies, or is to lie, that we put at a place in the
// folder of a project by itself.
func (p *pass) pictureAt(project, at string) (string, error) {
	f, moved, err := p.Ledger.File(movedPicture(at))
	if err != nil || moved {
		return f.Path, err
	}
	if known, err := p.Ledger.HasPicture(at); err != nil || known {
		return at, err
	}
	return p.inProject(project, at), nil
}

// putPicture remembers that a picture stands in the vault.
func putPicture(l *ledger.Ledger, pic ledger.Picture, lies string) error {
	if lies != pic.Path {
		if err := l.PutFile(ledger.File{ID: movedPicture(pic.Path), Path: lies}); err != nil {
			return err
		}
	}
	return l.PutPicture(pic)
}

// ownedFiles are all files of ours that the ledger knows, but for those that
// another one was just put in the place of.
func ownedFiles(l *ledger.Ledger) ([]owned, error) {
	files, err := l.Files()
	if err != nil {
		return nil, err
	}
	pictures, err := l.Pictures()
	if err != nil {
		return nil, err
	}
	var all []owned
	moved := map[string]bool{}
	for _, f := range files {
		if at, ok := strings.CutPrefix(f.ID, movedPicture("")); ok {
			moved[at] = true
		}
		if f.Reason != fileRenewed {
			all = append(all, owned{f.ID, f.Path, isFile(f)})
		}
	}
	for _, pic := range pictures {
		if !moved[pic.Path] {
			all = append(all, owned{id: movedPicture(pic.Path), path: pic.Path})
			moved[pic.Path] = true
		}
	}
	return all, nil
}

// isFile knows a file again: a canvas by the card of its project, for Obsidian
// writes the links of it anew, a base by our first line, a picture by its bytes.
func isFile(f ledger.File) func([]byte) bool {
	if strings.HasPrefix(f.ID, movedPicture("")) {
		return nil
	}
	if _, key, ok := strings.Cut(f.ID, names.CanvasID("")); ok {
		return func(text []byte) bool { return pages.ShowsCard(text, names.ProjectID(key)) }
	}
	return func(text []byte) bool {
		sum := vault.Seal(text)
		return sum != "" && (sum == f.Ours || sum == texts.Digest(f.Base, 16)) || f.Base != "" && string(text) == f.Base
	}
}

// followFiles finds the files of ours that lie elsewhere now, and counts those
// that are gone.
func (p *pass) followFiles(ctx context.Context) error {
	all, err := ownedFiles(p.Ledger)
	if err != nil {
		return err
	}
	var gone []owned
	p.settled, p.sums = map[string]bool{}, map[string]string{}
	for _, o := range all {
		there, err := p.Vault.Attached(o.path)
		if err != nil {
			return err
		}
		if there {
			p.settled[o.path] = true
		} else {
			gone = append(gone, o)
		}
	}
	if _, gone, err = observe.Part(p.Aside, gone, func(o owned) string { return p.fromRoot(o.path) }); err != nil {
		return err
	}
	p.missing = map[string]int{"": len(all)}
	for _, o := range gone {
		at, err := p.find(ctx, o, nil)
		if err != nil {
			return err
		}
		if at == "" {
			kind, _, _ := strings.Cut(o.id, ":")
			p.missing[kind]++
		} else if err := p.follow(o, at); err != nil {
			return err
		}
	}
	return nil
}

// missOwned takes what is gone of files for deleted, unless it is too much.
func (p *pass) missOwned() error {
	if len(p.missing) > 1 {
		notes, err := p.Ledger.NoteFiles()
		if err = errors.Join(err, p.allowed(0, len(notes))); err != nil {
			return err
		}
	}
	if p.missing[names.TypePicture] > 0 {
		if err := p.missPictures(); err != nil {
			return err
		}
	}
	return p.missFiles()
}

// find looks for a file elsewhere in the managed folder where no other of ours
// lies, empty where there is none. Of several that of its own name counts, then
// the one with the shortest path, for a copy's name is longer.
func (p *pass) find(ctx context.Context, o owned, also func(at string) bool) (string, error) {
	if p.others == nil {
		var err error
		if p.others, err = p.Vault.Files(ctx); err != nil {
			return "", err
		}
		p.others = append(p.others, "")[:len(p.others)] // it was looked for
	}
	var found []string
	for _, at := range p.others {
		if !strings.EqualFold(path.Ext(at), path.Ext(o.path)) || p.settled[at] {
			continue
		}
		if p.isAt(o, at) && (also == nil || also(at)) {
			found = append(found, at)
		}
	}
	if len(found) == 0 {
		return "", nil
	}
	return slices.MinFunc(found, func(a, b string) int {
		return cmp.Or(boolCount(path.Base(b) == path.Base(o.path))-boolCount(path.Base(a) == path.Base(o.path)), len(a)-len(b), strings.Compare(a, b))
	}), nil
}

// isAt tells whether a file of ours lies at a place. One that cannot be read, or
// went meanwhile, is nobody's.
func (p *pass) isAt(o owned, at string) bool {
	if sum, seen := p.sums[at]; seen && o.is == nil {
		return strings.HasSuffix(o.id, "/"+sum+path.Ext(o.path))
	}
	text, err := p.Vault.File(at)
	if err != nil || o.is != nil {
		return err == nil && o.is(text)
	}
	p.sums[at] = names.PictureSum(text)
	return p.isAt(o, at)
}

// follow takes in that a file lies elsewhere: what shows it is due.
func (p *pass) follow(o owned, at string) error {
	row, known, err := p.Ledger.File(o.id)
	if err != nil {
		return err
	}
	row.ID, row.Path = o.id, at
	p.settled[at] = true
	put := p.Ledger.PutFile
	picture, isPicture := strings.CutPrefix(o.id, movedPicture(""))
	if isPicture && picture == at { // it is where we put it, again
		put = func(f ledger.File) error { return p.Ledger.DropFile(f.ID) }
	}
	if err := errors.Join(put(row), p.alsoWritten(o.path, at)); err != nil {
		return err
	}
	if known || isPicture {
		p.report.Notes.Moved++
		p.report.Changed = append(p.report.Changed, Change{Note: p.fromRoot(at), Outcome: string(vault.Moved)})
	}
	if !isPicture {
		return markPages(p.Ledger, o.id, p.due.mark)
	}
	pictures, err := p.Ledger.Pictures()
	for _, pic := range pictures {
		if pic.Path == picture {
			err = errors.Join(err, p.due.mark(ledger.DueSession, pic.Session))
		}
	}
	return err
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
