package opencode

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/decode"
	"github.com/sessionloom/sessionloom/sources/internal/files"
	"github.com/sessionloom/sessionloom/sources/internal/tools"
)

// jsonStore is the store of versions before 1.2: a file for each session, message and part.
type jsonStore struct{ folder string }

// text reads a file; one that is not there, too large or no text is empty.
func (j jsonStore) text(names ...string) (string, error) {
	const maxFile = 16 << 20 // bytes, as of the largest value of a database
	t, err := files.ReadText(filepath.Join(j.folder, filepath.Join(names...)), maxFile)
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return t.Body, err
}

// info reads the file of a session, in whichever project it is. One that is cut is bad.
func (j jsonStore) info(_ context.Context, id string) (*info, error) {
	projects, err := os.ReadDir(filepath.Join(j.folder, "session"))
	for _, project := range projects {
		name := filepath.Join("session", project.Name(), sessionID(id)+".json")
		if _, err := os.Lstat(filepath.Join(j.folder, name)); err == nil {
			text, err := j.text(name)
			i := &info{}
			i.bad = decode.Text(text, i) != nil
			i.ID = id
			return i, err
		}
	}
	return nil, err
}

// records gives the files of a folder, by whose names messages and parts are in order.
func (j jsonStore) records(ctx context.Context, i *info, message string, each func(record)) error {
	kind, of := "message", i.ID
	if message != "" {
		kind, of = "part", message
	}
	entries, err := os.ReadDir(filepath.Join(j.folder, kind, of))
	if errors.Is(err, fs.ErrNotExist) || sessionID(of) == "" {
		return nil
	}
	for _, e := range entries {
		id, ok := strings.CutSuffix(e.Name(), ".json")
		if !ok || !e.Type().IsRegular() {
			continue
		}
		text, rerr := j.text(kind, of, e.Name())
		if rerr = errors.Join(rerr, ctx.Err()); rerr != nil {
			return rerr
		}
		each(record{id: id, data: cmp.Or(text, "{")}) // it is cut where it is empty
	}
	return err
}

// todos reads the list, which has no times.
func (j jsonStore) todos(_ context.Context, i *info) (list []sources.Todo, known bool, err error) {
	text, err := j.text("todo", i.ID+".json")
	var all []tools.Todo
	known = err == nil && text != "" && decode.Text(text, &all) == nil
	return tools.Todos(all, time.Time{}), known, err
}

// origin is not looked for: who forked has the text too, and the start of both is one.
func (jsonStore) origin(context.Context, *info) (string, error)    { return "", nil }
func (jsonStore) undone(context.Context, *info) ([]message, error) { return nil, nil }
