// Package distilled reads agents' answers about sessions. They are files in a folder of the vault, so that
// they travel with the notes and nobody is asked twice.
package distilled

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/files"
)

// Name is the name of the source.
const Name = "distil"

const (
	maxFile = 1 << 20 // bytes
	kept    = 8       // limit of answers about a session
)

// Source reads the files of one folder.
type Source struct{ dir string }

// New returns a reader of a folder, which need not exist.
func New(dir string) *Source { return &Source{dir} }

// Name implements [sources.Source].
func (s *Source) Name() string { return Name }

// List implements [sources.Source]: an item holds the files about one session.
func (s *Source) List(ctx context.Context) (sources.Listing, error) {
	var l sources.Listing
	entries, err := os.ReadDir(s.dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		l.Problems = append(l.Problems, sources.Problem{Source: Name, Path: s.dir, Err: err, Fatal: true})
	}
	for _, e := range entries { // in order of their names
		key, _, ok := strings.Cut(e.Name(), "-")
		info, err := e.Info()
		if !ok || err != nil || !e.Type().IsRegular() || !strings.HasSuffix(e.Name(), ".json") {
			continue
		}
		if n := len(l.Items); n == 0 || l.Items[n-1].Key != key {
			l.Items = append(l.Items, sources.Item{Source: Name, Key: key, Kind: sources.KindWords, Root: s.dir, Path: s.dir})
		}
		it := &l.Items[len(l.Items)-1]
		it.Parts = append(it.Parts, sources.Part{Name: e.Name(), Stamp: files.StampOf(info)})
	}
	return l, ctx.Err()
}

// Read implements [sources.Source].
func (s *Source) Read(ctx context.Context, it sources.Item) (sources.Reading, error) {
	var r sources.Reading
	about := map[string][]sources.Distillate{}
	for _, part := range it.Parts { // answers to one question, in order of their digests
		text, err := files.ReadText(filepath.Join(s.dir, part.Name), maxFile)
		var f sources.DistilledFile
		if err == nil {
			f, err = sources.DecodeDistilled([]byte(text.Body))
		}
		if err == nil && !strings.HasPrefix(part.Name, sources.DistilledPrefix(f.Session)) {
			err = errors.New("its name is that of another session")
		}
		if err != nil {
			r.Problems = append(r.Problems, sources.Problem{Source: Name, Item: it.Key, Path: filepath.Join(s.dir, part.Name), Err: err, Hint: "the others are read"})
			continue
		}
		r.BytesRead += text.Size
		about[f.Session] = append(about[f.Session], f.Distillate)
	}
	for id, all := range about {
		r.Sessions = append(r.Sessions, sources.SessionLayers{ID: id, Layers: []sources.Layer{{
			Name: Name + "/words", Rank: sources.RankIndex, Session: &sources.Session{ID: id, Distilled: chosen(all)},
		}}})
	}
	return r, ctx.Err()
}

// chosen returns the newest answers, oldest first. Of one agent's answers about one state of a session, the
// earliest with content counts.
func chosen(all []sources.Distillate) (out []sources.Distillate) {
	slices.SortStableFunc(all, func(a, b sources.Distillate) int { return cmp.Or(a.At.Compare(b.At), strings.Compare(a.By, b.By)) })
	for _, d := range all {
		i := slices.IndexFunc(out, func(o sources.Distillate) bool { return o.Of == d.Of && o.By == d.By })
		if i >= 0 && len(out[i].Lines) > 0 {
			continue
		}
		if i >= 0 {
			out = slices.Delete(out, i, i+1)
		}
		out = append(out, d)
	}
	return out[max(0, len(out)-kept):]
}
