// Package statedb reads what VS Code keeps of chats in small databases and
// indexes: the lists of sessions in a state.vscdb, and what the Copilot extension
// remembers of CLI sessions it started
// (formats/vscode-copilot-chat.md, sections 3.1 and 5.4).
package statedb

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"github.com/sessionloom/sessionloom/sources/internal/files"
	"github.com/sessionloom/sessionloom/sources/internal/sqlite"
	"github.com/sessionloom/sessionloom/sources/vscode/internal/chatlog"
)

// State is what one state.vscdb says. The lists in it are caches: they are
// trimmed while files stay, and name sessions whose files are gone or never were.
type State struct {
	Entries []Entry            // one for each session, sorted by ID, then by Scheme
	Legacy  []*chatlog.Session // sessions of interactive.sessions, in the order they were written
	Skipped int                // entries of the lists that name no session
	Damage  []string           // what could not be read, in plain words
}

// Keys of ItemTable.
const (
	keyIndex  = "chat.ChatSessionStore.index"
	keyModel  = "agentSessions.model.cache"
	keyState  = "agentSessions.state.cache"
	keyLegacy = "interactive.sessions"
)

// backup is what VS Code adds to the name of a database when it closes it well.
const backup = ".backup"

// maxValue bounds a value in bytes; all sessions of a workspace stood in one
// before March 2025.
const maxValue = 256 << 20

// Read reads the state.vscdb at path, or its backup where the database is damaged,
// missing or empty. One that is busy is an error that wraps files.ErrBusy, for
// its backup is older than it. tempDir is for copies, as in sqlite.Open. Values
// are read as UTF-8, the only encoding VS Code writes.
func Read(ctx context.Context, path, tempDir string) (State, error) {
	v, err := valuesOf(ctx, path, tempDir)
	switch {
	case ctx.Err() != nil:
		return State{}, ctx.Err()
	case err == nil && v.found:
		return v.state(), nil
	case errors.Is(err, files.ErrBusy):
		return State{}, fmt.Errorf("read state %q: %w", path, err)
	}
	older, berr := valuesOf(ctx, path+backup, tempDir)
	switch {
	case berr == nil && older.found:
		s := older.state()
		s.Damage = append([]string{"state.vscdb cannot be read, its backup was read instead"}, s.Damage...)
		return s, nil
	case err != nil:
		return State{}, fmt.Errorf("read state %q: %w", path, err)
	}
	return v.state(), ctx.Err()
}

// values are the values of one database.
type values struct {
	found  bool // it has the table
	byKey  map[string][]byte
	damage []string
}

// attempts bounds how often a database that is being written is read anew.
const attempts = 4

func valuesOf(ctx context.Context, path, tempDir string) (values, error) {
	for try := 1; ; try++ {
		db, err := sqlite.Open(ctx, path, tempDir)
		if err != nil {
			return values{}, err
		}
		v, err := read(ctx, db)
		moved := db.Unchanged()
		cerr := db.Close()
		switch {
		case moved != nil && (try == attempts || ctx.Err() != nil):
			return values{}, moved
		case moved != nil:
			continue
		}
		return v, errors.Join(err, cerr)
	}
}

func read(ctx context.Context, db *sqlite.DB) (values, error) {
	const table = "ItemTable"
	v := values{byKey: map[string][]byte{}}
	columns, err := db.Columns(ctx, table)
	if err != nil || !columns["key"] || !columns["value"] {
		return v, err
	}
	v.found = true
	for _, key := range []string{keyIndex, keyModel, keyState, keyLegacy} {
		value, length, err := one(ctx, db, key)
		if err != nil {
			return v, fmt.Errorf("value of %q: %w", key, err)
		}
		if length > maxValue {
			v.damage = append(v.damage, fmt.Sprintf("%s is larger than %d bytes", key, maxValue))
		}
		v.byKey[key] = bytes.TrimPrefix(value, []byte("\ufeff"))
	}
	return v, nil
}

// one gives a value and its length in bytes; a larger one is not read.
func one(ctx context.Context, db *sqlite.DB, key string) (value []byte, length int64, err error) {
	rows, err := db.Query(ctx, `SELECT coalesce(octet_length(value), 0),
		CASE WHEN octet_length(value) <= ? THEN value END FROM ItemTable WHERE key = ?`, maxValue, key)
	if err != nil {
		return nil, 0, err
	}
	defer rows.Close()
	for rows.Next() { // of several, which the table does not allow, the last
		if err := rows.Scan(&length, &value); err != nil {
			return nil, 0, err
		}
	}
	return value, length, rows.Err()
}

// state decodes the values. One that is broken is told and leaves the others.
func (v values) state() State {
	var l lists
	s := State{Damage: v.damage}
	for _, list := range []struct {
		key  string
		read func([]byte) error
	}{
		{keyIndex, l.readIndex}, {keyModel, l.readModel}, {keyState, l.readState},
		{keyLegacy, func(b []byte) (err error) { s.Legacy, err = legacy(b); return err }},
	} {
		value := v.byKey[list.key]
		if len(bytes.TrimSpace(value)) == 0 {
			continue
		}
		if err := list.read(value); err != nil {
			s.Damage = append(s.Damage, fmt.Sprintf("%s is not readable to its end", list.key))
		}
	}
	s.Entries, s.Skipped = l.entries(), l.skipped
	return s
}
