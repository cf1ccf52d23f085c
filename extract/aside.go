package extract

import "github.com/sessionloom/sessionloom/extract/ledger"

// A file that is missing may have been taken away by version control: with the
// commit that was checked out, or put aside for the time being. Neither is a
// deletion.

// dropAside takes out the notes that version control put aside. They are neither
// deleted nor written as long as they are away.
func (p *pass) dropAside(gone []ledger.NoteFile) ([]ledger.NoteFile, error) {
	aside, left, err := partBy(p.Aside, gone, p.fileFromRoot)
	for _, r := range aside {
		p.unsure, p.absent[r.ID] = true, true
	}
	return left, err
}

// fileFromRoot is where a note lay, from the vault's root.
func (p *pass) fileFromRoot(r ledger.NoteFile) string {
	if r.State == ledger.Away {
		return r.Path
	}
	return p.fromRoot(r.Path)
}

// partBy parts files by what version control says of their paths from the
// vault's root; where there is none to ask all are others.
func partBy[F any](ask func([]string) (map[string]bool, error), files []F, path func(F) string) (named, others []F, err error) {
	if ask == nil || len(files) == 0 {
		return nil, files, nil
	}
	paths := make([]string, len(files))
	for i, f := range files {
		paths[i] = path(f)
	}
	said, err := ask(paths)
	for i, f := range files {
		if said[paths[i]] {
			named = append(named, f)
		} else {
			others = append(others, f)
		}
	}
	return named, others, err
}
