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

// Distilled reads the files whose names begin with a prefix.
func (v *Vault) Distilled(prefix string) (map[string][]byte, error) {
	names, err := v.metaNames(distilledPath)
	if err != nil {
		return nil, fmt.Errorf("list what agents said of sessions: %w", err)
	}
	texts := map[string][]byte{}
	for _, name := range names {
		if !strings.HasPrefix(name, prefix) {
			continue
		}
		file, err := v.files.Read(path.Join(distilledPath, name))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("read what an agent said of a session: %w", err)
		}
		if err == nil {
			texts[name] = file.Text
		}
	}
	return texts, nil
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

// DropDistilled removes the files whose names begin with a prefix, which is not empty.
func (v *Vault) DropDistilled(prefix string) error {
	names, err := v.metaNames(distilledPath)
	for _, name := range names {
		if prefix == "" || !strings.HasPrefix(name, prefix) {
			continue
		}
		var was store.File
		if was, err = v.files.Read(path.Join(distilledPath, name)); err == nil {
			err = v.files.Remove(path.Join(distilledPath, name), was)
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			break
		}
		err = nil
	}
	if err != nil {
		return fmt.Errorf("remove what an agent said of a session: %w", err)
	}
	return nil
}
