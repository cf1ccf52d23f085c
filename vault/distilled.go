package vault

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"regexp"

	"github.com/sessionloom/sessionloom/vault/store"
)

// distilledPath holds agents' answers about sessions, a file for each. Its name is a digest of its first
// text, so that machines never conflict over it.
const distilledPath = metaPath + "/distilled"

var distilledName = regexp.MustCompile(`^[0-9a-f-]+\.json$`)

// DistilledFolder returns the folder of these files on disk.
func (v *Vault) DistilledFolder() string {
	return filepath.Join(v.disk.Path(), filepath.FromSlash(distilledPath))
}

// AddDistilled stores an answer durably, unless it is stored.
func (v *Vault) AddDistilled(text []byte) error {
	sum := sha256.Sum256(text)
	at := path.Join(distilledPath, hex.EncodeToString(sum[:16])+".json")
	if _, err := v.files.Create(at, text); err != nil && !errors.Is(err, ErrTaken) {
		return fmt.Errorf("store an agent's answer: %w", err)
	}
	return v.Flush()
}

// ReviseDistilled stores what revise returns of each answer, and removes those of which it returns nil.
func (v *Vault) ReviseDistilled(revise func(text []byte) ([]byte, error)) error {
	names, err := v.metaNames(distilledPath)
	for _, name := range names {
		err = errors.Join(err, v.reviseFile(path.Join(distilledPath, name), revise))
	}
	return err
}

func (v *Vault) reviseFile(at string, revise func(text []byte) ([]byte, error)) (err error) {
	var was store.File
	var text []byte
	if was, err = v.files.Read(at); err == nil {
		text, err = revise(was.Text)
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
	case text == nil && len(was.Text) > 0:
		err = v.files.Remove(at, was)
	case !bytes.Equal(text, was.Text):
		_, err = v.files.Replace(at, was, text)
	}
	if err != nil {
		return fmt.Errorf("revise an agent's answer: %w", err)
	}
	return nil
}
