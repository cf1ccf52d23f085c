// Package distilled reads agents' answers about sessions. They are files in a folder of the vault, so that
// they travel with the notes and nobody is asked twice.
package distilled

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/files"
)

// Name is the name of the source.
const Name = "distil"

const maxFile = 1 << 20 // bytes

// Source reads the files of one folder.
type Source struct{ dir string }

// New returns a reader of a folder, which need not exist.
func New(dir string) *Source { return &Source{dir} }

// Name implements [sources.Source].
func (s *Source) Name() string { return Name }

// List implements [sources.Source]: an item is one answer.
func (s *Source) List(ctx context.Context) (sources.Listing, error) {
	var l sources.Listing
	entries, err := os.ReadDir(s.dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		l.Problems = append(l.Problems, sources.Problem{Source: Name, Path: s.dir, Err: err, Fatal: true})
	}
	for _, e := range entries {
		info, err := e.Info()
		if err == nil && info.Mode().IsRegular() && strings.HasSuffix(e.Name(), ".json") {
			l.Items = append(l.Items, sources.Item{Source: Name, Key: e.Name(), Kind: sources.KindWords, Root: s.dir, Path: filepath.Join(s.dir, e.Name()),
				Parts: []sources.Part{{Name: e.Name(), Stamp: files.StampOf(info)}}})
		}
	}
	return l, ctx.Err()
}

// Read implements [sources.Source].
func (s *Source) Read(ctx context.Context, it sources.Item) (sources.Reading, error) {
	var f sources.DistilledFile
	text, err := files.ReadText(it.Path, maxFile)
	if err == nil {
		f, err = sources.DecodeDistilled([]byte(text.Body))
	}
	if err != nil {
		return sources.Reading{Problems: []sources.Problem{{Source: Name, Item: it.Key, Path: it.Path, Err: err, Hint: "the others are read"}}}, ctx.Err()
	}
	said := sources.Session{ID: f.Session, Distilled: []sources.Distillate{f.Distillate}}
	return sources.Reading{BytesRead: text.Size, Sessions: []sources.SessionLayers{{ID: f.Session, Layers: []sources.Layer{{
		Name: Name + "/words", Rank: sources.RankIndex, Session: &said,
	}}}}}, ctx.Err()
}
