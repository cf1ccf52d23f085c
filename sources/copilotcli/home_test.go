package copilotcli_test

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/sources"
)

// tree gives names, bytes and modification times of all below dir.
func tree(t *testing.T, dir string) string {
	t.Helper()
	var w strings.Builder
	must(t, filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		fmt.Fprintf(&w, "%s %v %d", path, info.Mode(), info.ModTime().UnixNano())
		if info.Mode().IsRegular() {
			body, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			fmt.Fprintf(&w, " %x", sha256.Sum256(body))
		}
		w.WriteByte('\n')
		return nil
	}))
	return w.String()
}

func list(t *testing.T, s sources.Source) sources.Listing {
	t.Helper()
	l, err := s.List(context.Background())
	must(t, err)
	return l
}

// readKind reads the one item of a kind.
func readKind(t *testing.T, s sources.Source, l sources.Listing, kind sources.ItemKind) sources.Reading {
	t.Helper()
	for _, item := range l.Items {
		if item.Kind == kind {
			r, err := s.Read(context.Background(), item, nil)
			must(t, err)
			return r
		}
	}
	t.Fatalf("no item of kind %q", kind)
	return sources.Reading{}
}

// itemOf finds the item of a session.
func itemOf(t *testing.T, s sources.Source, id string) sources.Item {
	t.Helper()
	for _, item := range list(t, s).Items {
		if item.Session == id {
			return item
		}
	}
	t.Fatalf("no item of session %q", id)
	return sources.Item{}
}

// prior is a kept reading.
type prior struct{ layers []sources.Layer }

func (p *prior) Cursor(layer string) []byte {
	for _, l := range p.layers {
		if l.Name == layer {
			return l.Cursor
		}
	}
	return nil
}

func (p *prior) Layer(layer string) (*sources.Session, error) {
	for _, l := range p.layers {
		if l.Name == layer && l.Session != nil {
			var s sources.Session
			b, err := json.Marshal(l.Session)
			if err == nil {
				err = json.Unmarshal(b, &s)
			}
			return &s, err
		}
	}
	return nil, nil
}

// readItem reads an item on top of what was kept and keeps the outcome.
func readItem(t *testing.T, s sources.Source, item sources.Item, kept *prior) (*prior, sources.Reading) {
	t.Helper()
	if kept == nil {
		kept = &prior{}
	}
	r, err := s.Read(context.Background(), item, kept)
	must(t, err)
	next := &prior{}
	for _, l := range r.Layers {
		if l.Same {
			l.Session, err = kept.Layer(l.Name)
			must(t, err)
		}
		next.layers = append(next.layers, l)
	}
	return next, r
}

// layer finds a layer; it is nil where there is none.
func (p *prior) layer(name string) *sources.Session {
	for _, l := range p.layers {
		if l.Name == "copilot-cli/"+name {
			return l.Session
		}
	}
	return nil
}
