package ledger

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// upgrades are the statements that make a ledger of an older version one of the
// next, by that older version. Layers and merge bases stay: an artifact that
// expired lies nowhere else. A ledger of any other version is rebuilt.
var upgrades = map[string][]string{
	"7": {
		"DROP TABLE IF EXISTS moved_out",
		"DROP TABLE IF EXISTS left_folders",
		"UPDATE kv SET value='8' WHERE key='schema'",
	},
}

// upgrade brings the tables from the version they have to ours, all at once, and
// leaves no trace of what goes.
func (l *Ledger) upgrade(have string) error {
	for have != schemaVersion {
		steps, known := upgrades[have]
		if !known {
			return fmt.Errorf("%w: %q", errVersion, have)
		}
		if err := l.Begin(); err != nil {
			return err
		}
		for _, s := range steps {
			if err := l.exec(s); err != nil {
				return fmt.Errorf("bring the ledger from version %q to a newer one: %w", have, err)
			}
		}
		var err error
		if have, err = l.schemaFound(); err != nil {
			return err
		}
	}
	if err := l.Commit(); err != nil {
		return err
	}
	if err := l.dropOldFiles(); err != nil {
		return err
	}
	return l.Scrub()
}

// dropOldFiles removes what a check of older versions remembered beside the ledger: paths
// and texts of notes that may be forgotten since.
func (l *Ledger) dropOldFiles() error {
	if l.discard || l.file == "" {
		return nil
	}
	for _, name := range []string{"checked", "checked.ledger"} {
		if err := os.Remove(filepath.Join(filepath.Dir(l.file), name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("remove what an older check remembered: %w", err)
		}
	}
	return nil
}
