package owned

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/extract/internal/identity"
	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/extract/internal/texts"
	"github.com/sessionloom/sessionloom/extract/internal/written"
	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/vault"
	"github.com/sessionloom/sessionloom/vault/merge"
)

// Removing is the reason of a file from before we remove it, or put a damaged one aside to write
// it again: nobody misses it.
const Removing = "it is about to be removed"

// Gone are files of ours that are nowhere in the managed folder.
type Gone struct {
	files  []ledger.OwnedFile
	Missed int // of them, but for those we put aside ourselves
	Known  int // files of ours, those that stand too
}

// Look follows the files of ours that their user moved inside the managed folder, and
// returns those that are gone. What git hid is none of them. seen is the managed folder
// as it stands.
func (f *Files) Look(ctx context.Context, seen map[string]vault.Stamp) (gone Gone, err error) {
	f.held, f.standing, f.sums = map[string]bool{}, map[string]bool{}, map[string]string{}
	for at := range seen {
		for folder := path.Dir(at); folder != "." && !f.held[folder]; folder = path.Dir(folder) {
			f.held[folder] = true
		}
	}
	var lost []ledger.OwnedFile
	var ask []string
	for _, file := range f.Notes.Ledger.OwnedFiles() {
		there, err := f.Vault.Attached(file.Path)
		switch {
		case err != nil:
			return gone, err
		case there:
			f.standing[file.Path] = true
		case file.Reason == Removing:
			gone.files = append(gone.files, file)
			continue
		default:
			lost, ask = append(lost, file), append(ask, f.Notes.FromRoot(file.Path))
		}
		gone.Known++
	}
	absences, err := f.Written.Explain(ask)
	if err != nil {
		return gone, err
	}
	for i, file := range lost {
		if absences[ask[i]] == written.Hidden {
			continue
		}
		at, err := f.find(ctx, file)
		if err == nil && at != "" {
			f.follow(file, at)
		}
		if err != nil {
			return gone, err
		}
		if at == "" {
			gone.files, gone.Missed = append(gone.files, file), gone.Missed+1
		}
	}
	return gone, nil
}

// Miss takes in what became of the files that are gone: they were deleted, unless they
// went with a checkout or nobody misses them. forgetting tells that something was
// forgotten since the last run.
func (f *Files) Miss(gone Gone, checkout, forgetting bool) error {
	for _, file := range gone.files {
		isPicture := names.IsPictureFile(file.ID)
		missed, err := file.Reason != Removing && (!isCanvas(file.ID) || !forgetting), error(nil)
		if isPicture {
			missed, err = f.isShown(file)
		}
		switch {
		case err != nil:
			return err
		case missed && !checkout:
			if err := f.addTombstone(file); err != nil {
				return err
			}
			continue
		case missed && isPicture:
			f.Notes.Skip(names.PictureID(file.ID))
		}
		f.forget(file)
	}
	return nil
}

func (f *Files) isShown(file ledger.OwnedFile) (bool, error) {
	for _, u := range f.Notes.Ledger.OwnedUses() {
		if u.File != file.ID {
			continue
		}
		if shown, err := f.shows(u.Session, "![["+f.Notes.FromRoot(file.Path)); err != nil || shown {
			return shown, err
		}
	}
	return false, nil
}

func (f *Files) shows(session, embed string) (bool, error) {
	for _, r := range f.Notes.Ledger.NotesOfSession(session) {
		if r.Type != names.TypeSession && r.Type != names.TypePart || !r.State.IsInFolder() {
			continue
		}
		text, err := f.Vault.Text(r.Path)
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

// forget drops a missing file that nobody deleted: it may come back.
func (f *Files) forget(file ledger.OwnedFile) {
	f.Notes.Ledger.DropOwned(file.ID)
	if !names.IsPictureFile(file.ID) {
		f.markShown(file.ID)
	}
}

// addTombstone makes a tombstone of a file that the user deleted. What shows it is due,
// and a picture is shown nowhere any more.
func (f *Files) addTombstone(file ledger.OwnedFile) error {
	f.markShown(file.ID)
	f.forget(file)
	if names.IsPictureFile(file.ID) {
		return f.Vault.AddTombstone(names.PictureID(file.ID))
	}
	return f.AddTombstone(file.ID, file.Path)
}

// follow takes in that a file is elsewhere: what shows it is due. Of one that the ledger
// does not know nobody can tell that it was moved.
func (f *Files) follow(file ledger.OwnedFile, at string) {
	was := file.Path
	file.Path, f.standing[at] = at, true
	if _, known := f.Notes.Ledger.Owned(file.ID); known {
		f.Recorder.Moved("", "", at)
	}
	f.Notes.Ledger.PutOwned(file)
	f.Written.Add(was, at)
	f.markShown(file.ID)
}

// Discover takes in the bases and canvases that a lost ledger does not know though they stand
// somewhere. One that a page shows and that is nowhere was deleted.
func (f *Files) Discover(ctx context.Context) error {
	if !f.Notes.Ledger.Fresh() {
		return nil
	}
	for _, b := range Views() {
		text, err := b.Text(f.Templates, f.Notes.FromRoot(""))
		if err == nil {
			err = f.discover(ctx, ledger.OwnedFile{ID: b.ID, Path: b.Path, Ours: texts.Digest(text, 16)}, names.HomeID)
		}
		if err != nil {
			return err
		}
	}
	for _, r := range f.Notes.Ledger.NotesOfType(names.TypeProject) {
		at := f.InProject(r.Project, names.CanvasPath(identity.ProjectFromKey(r.Project)))
		if err := f.discover(ctx, ledger.OwnedFile{ID: names.CanvasID(r.Project), Path: at}, r.ID); err != nil {
			return err
		}
	}
	return nil
}

func (f *Files) discover(ctx context.Context, file ledger.OwnedFile, page string) error {
	row, known := f.Notes.Ledger.Note(page)
	if !known || !row.State.IsInFolder() || f.Vault.HasTombstone(file.ID) {
		return nil
	}
	if there, err := f.Vault.Attached(file.Path); err != nil || there {
		return err
	}
	at, err := f.find(ctx, file)
	if err != nil {
		return err
	}
	if at != "" {
		f.follow(file, at)
		return nil
	}
	text, err := f.Vault.Text(row.Path)
	if err != nil || !strings.Contains(string(text), "[["+f.Notes.FromRoot(file.Path)) {
		return nil // a page that cannot be read tells nothing
	}
	return f.addTombstone(file)
}

// find looks for a file elsewhere in the managed folder where no other of ours lies, nor a
// picture that we put there for another project; empty if there is none. Of several that of
// its own name counts, then the one with the shortest path, for a copy's name is longer.
func (f *Files) find(ctx context.Context, file ledger.OwnedFile) (string, error) {
	if f.others == nil {
		var err error
		if f.others, err = f.Vault.Files(ctx); err != nil {
			return "", err
		}
		f.others = append(f.others, "")[:len(f.others)] // it was looked for
		f.pictures = map[string]bool{}
		for _, key := range f.Notes.Ledger.Projects() {
			f.pictures[names.PictureFolder(identity.ProjectFromKey(key))] = true
		}
	}
	var found []string
	for _, at := range f.others {
		if !strings.EqualFold(path.Ext(at), path.Ext(file.Path)) || f.standing[at] || f.pictures[path.Dir(at)] && names.PictureFileID(at) != file.ID {
			continue
		}
		if f.isAt(file, at) {
			found = append(found, at)
		}
	}
	if len(found) == 0 {
		return "", nil
	}
	named := func(at string) bool { return path.Base(at) == path.Base(file.Path) }
	return slices.MinFunc(found, func(a, b string) int {
		return cmp.Or(First(named(a), named(b)), len(a)-len(b), strings.Compare(a, b))
	}), nil
}

// First orders true before false.
func First(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return -1
	}
	return 1
}

// isAt reports whether one of our files is at a path, false if it cannot be read or is gone.
func (f *Files) isAt(file ledger.OwnedFile, at string) bool {
	sum, hashed := f.sums[at]
	if !hashed || !names.IsPictureFile(file.ID) {
		text, err := f.Vault.File(at)
		if err != nil || !names.IsPictureFile(file.ID) {
			return err == nil && isSame(file, text)
		}
		sum = names.PictureSum(text)
		f.sums[at] = sum
	}
	return strings.HasSuffix(file.ID, "/"+sum+path.Ext(file.Path))
}

// isSame recognizes a canvas by the node of its project, for Obsidian writes the links of it
// again, and a base by our first line.
func isSame(file ledger.OwnedFile, text []byte) bool {
	if _, key, ok := strings.Cut(file.ID, names.CanvasID("")); ok {
		return bytes.Contains(text, []byte(names.CanvasNodeID(names.ProjectID(key))))
	}
	sum := merge.HashHeader(file.Path, text)
	return sum != "" && sum == file.Ours
}
