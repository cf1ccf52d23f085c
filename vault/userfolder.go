package vault

import (
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
)

// ReadFolder reads the files of a folder of the vault that the user keeps for
// us, those whose names end in suffix: text by name. folder is a path from the
// vault's root with slashes, and may be hidden. A link on the way, a file that is
// no regular one or is longer than most bytes is an error, a missing folder
// [fs.ErrNotExist].
func (v *Vault) ReadFolder(folder, suffix string, most int64) (map[string]string, error) {
	if !fs.ValidPath(folder) || !filepath.IsLocal(folder) {
		return nil, fmt.Errorf("folder %q does not lie in the vault", folder)
	}
	all := newFolders(v.outer)
	defer func() { _ = all.close() }() // nothing was written
	f, err := all.open(folder, false)
	if err != nil {
		return nil, fmt.Errorf("open folder %q of the vault: %w", folder, err)
	}
	defer all.done(f)
	list, err := f.dir.ReadDir(-1)
	if err != nil {
		return nil, fmt.Errorf("list folder %q of the vault: %w", folder, err)
	}
	slices.SortFunc(list, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	texts := map[string]string{}
	for _, e := range list {
		if hidden(e.Name()) || !strings.HasSuffix(strings.ToLower(e.Name()), suffix) {
			continue
		}
		text, err := f.readBounded(e.Name(), most)
		if err != nil {
			return nil, fmt.Errorf("read %q in folder %q of the vault: %w", e.Name(), folder, err)
		}
		texts[e.Name()] = text
	}
	return texts, nil
}

func (f *folder) readBounded(name string, most int64) (string, error) {
	info, err := f.root.Lstat(name)
	if err != nil {
		return "", err
	}
	if info.Size() > most {
		return "", fmt.Errorf("it is longer than %d KiB", most>>10)
	}
	file, err := f.readFile(name)
	return string(file.text), err
}
