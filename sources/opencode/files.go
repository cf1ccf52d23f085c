package opencode

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/sources/internal/decode"
	"github.com/sessionloom/sessionloom/sources/internal/files"
	"github.com/sessionloom/sessionloom/sources/internal/tools"
)

// jsonStore is the store of versions before 1.2: a file for each session, message and part.
type jsonStore struct{ folder string }

// maxFile is the size in bytes of the largest file that is read, as of the largest value of a
// database.
const maxFile = 16 << 20

// text reads a file; one that is not there, too large or no text is empty.
func (j jsonStore) text(elements ...string) (string, error) {
	t, err := files.ReadText(filepath.Join(append([]string{j.folder}, elements...)...), maxFile)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	return t.Body, err
}

// info reads the file of a session, in whichever project it is. One that is cut is bad.
func (j jsonStore) info(_ context.Context, id string) (*info, error) {
	if sessionID(id) == "" {
		return nil, nil
	}
	projects, err := os.ReadDir(filepath.Join(j.folder, "session"))
	if err != nil {
		return nil, err
	}
	for _, project := range projects {
		path := []string{"session", project.Name(), id + ".json"}
		if _, err := os.Lstat(filepath.Join(append([]string{j.folder}, path...)...)); err != nil {
			continue
		}
		text, err := j.text(path...)
		if err != nil {
			return nil, err
		}
		i := &info{}
		if decode.Text(text, i) != nil {
			i = &info{bad: true}
		}
		i.ID = id
		return i, nil
	}
	return nil, nil
}

// names are those of the files in a folder, by which messages and parts are in order.
func (j jsonStore) names(kind, of string) (names []string, err error) {
	if sessionID(of) == "" {
		return nil, nil
	}
	entries, err := os.ReadDir(filepath.Join(j.folder, kind, of))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), ".json") && e.Type().IsRegular() {
			names = append(names, e.Name())
		}
	}
	slices.Sort(names)
	return names, err
}

func (j jsonStore) each(ctx context.Context, kind, of string, row func(record)) error {
	names, err := j.names(kind, of)
	for _, name := range names {
		if err = ctx.Err(); err != nil {
			break
		}
		var text string
		if text, err = j.text(kind, of, name); err != nil {
			break
		}
		if text == "" {
			text = "{" // it is cut
		}
		row(record{id: strings.TrimSuffix(name, ".json"), data: text})
	}
	return err
}

func (j jsonStore) messages(ctx context.Context, i *info, each func(record)) error {
	return j.each(ctx, "message", i.ID, each)
}

func (j jsonStore) parts(ctx context.Context, message string, each func(record)) error {
	return j.each(ctx, "part", message, each)
}

// todos reads the list, which has no times.
func (j jsonStore) todos(_ context.Context, i *info) (list []todo, known bool, err error) {
	text, err := j.text("todo", i.ID+".json")
	var all []tools.Todo
	if err != nil || text == "" || decode.Text(text, &all) != nil {
		return nil, false, err
	}
	for _, one := range all {
		list = append(list, todo{Todo: one})
	}
	return list, true, nil
}

// origin is not looked for: who forked has the text too, and the start of both is one.
func (jsonStore) origin(context.Context, *info) (string, error) { return "", nil }

func (jsonStore) undone(context.Context, *info) ([]removed, error) { return nil, nil }
