package sqlite

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/sessionloom/sessionloom/sources"
)

// StoreRow is one session of a store.
type StoreRow struct {
	ID      string // as the store writes it
	Session *sources.Session
	Spoken  bool // it has turns or checkpoints
}

// rereads bounds how often a store that is being written is read anew.
const rereads = 4

// hostVSCode is what VS Code writes as the kind of host: no forge.
const hostVSCode = "vscode"

// StoreRows reads every session of the store at path whole, in order of id. Texts of
// VS Code's stores are cut (formats/vscode-copilot-chat.md, section 5.4). With
// ErrReplaced it gives what it could read.
func StoreRows(ctx context.Context, path, tempDir string) ([]StoreRow, error) {
	for try := 1; ; try++ {
		rows, moved, err := allOnce(ctx, path, tempDir)
		if err == nil {
			return rows, nil
		}
		if errors.Is(err, ErrReplaced) {
			return rows, err
		}
		if !moved || try == rereads || ctx.Err() != nil {
			return nil, fmt.Errorf("read store %q: %w", path, err)
		}
	}
}

func allOnce(ctx context.Context, path, tempDir string) (rows []StoreRow, moved bool, err error) {
	d, err := OpenStore(ctx, path, tempDir)
	if err != nil {
		return nil, false, err
	}
	rows, err = d.all(ctx)
	if changed := d.Unchanged(); changed != nil {
		moved, err = true, changed
	}
	return rows, moved, errors.Join(err, d.Close())
}

func (d *Store) all(ctx context.Context) ([]StoreRow, error) {
	facts, err := d.Survey(ctx)
	if err != nil {
		return nil, err
	}
	replaced := d.Replaced(ctx)
	if replaced != nil && !errors.Is(replaced, ErrReplaced) {
		return nil, replaced
	}
	var rows []StoreRow
	for _, id := range slices.Sorted(maps.Keys(facts)) {
		s, err := d.Session(ctx, id, Take{Turns: true, Checkpoints: true, Touches: true, Numbered: true})
		if err != nil {
			return nil, err
		}
		if s == nil || id == "" {
			continue
		}
		if s.ID = id; s.Place.HostType == hostVSCode {
			s.Place.HostType = ""
		}
		rows = append(rows, StoreRow{ID: id, Session: s, Spoken: facts[id].Spoken})
	}
	return rows, replaced
}
