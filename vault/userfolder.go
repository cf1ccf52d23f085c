package vault

import (
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"strings"

	"github.com/sessionloom/sessionloom/vault/store"
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
	names, others, err := v.outer.List(folder)
	if err != nil {
		return nil, fmt.Errorf("list folder %q of the vault: %w", folder, err)
	}
	texts := map[string]string{}
	for _, name := range append(names, others...) {
		if store.Hidden(name) || !strings.HasSuffix(strings.ToLower(name), suffix) {
			continue
		}
		text, err := v.readBounded(path.Join(folder, name), most)
		if err != nil {
			return nil, fmt.Errorf("read %q in folder %q of the vault: %w", name, folder, err)
		}
		texts[name] = text
	}
	return texts, nil
}

func (v *Vault) readBounded(p string, most int64) (string, error) {
	s, err := v.outer.Stat(p)
	if err != nil {
		return "", err
	}
	if s.Size > most {
		return "", fmt.Errorf("it is longer than %d KiB", most>>10)
	}
	file, err := v.outer.Read(p)
	return string(file.Text), err
}
