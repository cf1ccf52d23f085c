package vault

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/sessionloom/sessionloom/vault/store"
)

// distilledPath holds what agents said of sessions, a file for each answer. As the name of one tells
// its session and its text, machines never conflict over it.
const distilledPath = metaPath + "/distilled"

var distilledName = regexp.MustCompile(`^[0-9a-f]{24}-[0-9a-f]{16}\.json$`)

// DistilledFolder is where the folder of these files is on the disk.
func (v *Vault) DistilledFolder() string {
	return filepath.Join(v.disk.Path(), filepath.FromSlash(distilledPath))
}

// Distilled reads all files.
func (v *Vault) Distilled() (map[string][]byte, error) {
	texts := map[string][]byte{}
	err := v.eachDistilled("", func(at string, file store.File) error {
		texts[path.Base(at)] = file.Text
		return nil
	})
	return texts, err
}

// PutDistilled writes a file; one of its name stays. It is durable after the next [Vault.Flush].
func (v *Vault) PutDistilled(name string, text []byte) error {
	if !distilledName.MatchString(name) {
		return fmt.Errorf("name %q: no name of an answer", name)
	}
	if _, err := v.files.Create(path.Join(distilledPath, name), text); err != nil && !errors.Is(err, ErrTaken) {
		return fmt.Errorf("keep what an agent said of a session: %w", err)
	}
	return nil
}

// DropDistilled removes the files whose names begin with a prefix.
func (v *Vault) DropDistilled(prefix string) error { return v.eachDistilled(prefix, v.files.Remove) }

func (v *Vault) eachDistilled(prefix string, do func(at string, file store.File) error) error {
	names, err := v.metaNames(distilledPath)
	for _, name := range names {
		if !strings.HasPrefix(name, prefix) {
			continue
		}
		var file store.File
		if file, err = v.files.Read(path.Join(distilledPath, name)); err == nil {
			err = do(path.Join(distilledPath, name), file)
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			break
		}
		err = nil
	}
	if err != nil {
		return fmt.Errorf("look at what agents said of sessions: %w", err)
	}
	return nil
}
