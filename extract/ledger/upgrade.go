package ledger

import "fmt"

// upgrades are the statements that make a ledger of an older version one of the
// next, by that older version. What was read stays: an artifact that expired
// lies nowhere else. A ledger of any other version is rebuilt.
var upgrades = map[string][]string{
	"5": { // the history of commands is given up, and so are lines in daily notes
		"DROP TABLE IF EXISTS commands",
		"DELETE FROM meta WHERE key IN ('daily', 'trouble', 'clear', 'off')",
		"DELETE FROM graves WHERE id LIKE 'daily:%'",
		"UPDATE meta SET value='6' WHERE key='schema'",
	},
	"6": { // readers have no memory of their own; a layer says whether it is provisional
		"DELETE FROM layers WHERE session=''",
		"ALTER TABLE layers DROP COLUMN cursor",
		"ALTER TABLE layers ADD COLUMN provisional INTEGER NOT NULL DEFAULT 0",
		"UPDATE meta SET value='7' WHERE key='schema'",
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
	return l.Scrub()
}
