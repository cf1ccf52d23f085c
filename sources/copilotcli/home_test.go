package copilotcli_test

import (
	"context"
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/testdata/expect"
)

func list(t *testing.T, s sources.Source) sources.Listing {
	t.Helper()
	l := expect.Value(s.List(context.Background()))(t)
	return l
}

// readKind reads the one item of a kind.
func readKind(t *testing.T, s sources.Source, l sources.Listing, kind sources.ItemKind) sources.Reading {
	t.Helper()
	for _, item := range l.Items {
		if item.Kind == kind {
			r := expect.Value(s.Read(context.Background(), item))(t)
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

// readItem reads an item, and gives its layers by what stands behind the source's name.
func readItem(t *testing.T, s sources.Source, item sources.Item) (map[string]sources.Layer, sources.Reading) {
	t.Helper()
	r := expect.Value(s.Read(context.Background(), item))(t)
	layers := map[string]sources.Layer{}
	for _, l := range r.Layers {
		layers[strings.TrimPrefix(l.Name, "copilot-cli/")] = l
	}
	return layers, r
}
