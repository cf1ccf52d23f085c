package opencode_test

import (
	"context"
	"slices"
	"testing"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/opencode"
	"github.com/sessionloom/sessionloom/sources/sourcetest"
)

// readOf reads a session of a home, which is listed once.
func readOf(t testing.TB, dir, id string) sources.Reading {
	t.Helper()
	s := open(dir)
	defer s.Close()
	l, err := s.List(context.Background())
	must(t, err)
	i := slices.IndexFunc(l.Items, func(it sources.Item) bool { return it.Session == id })
	if i < 0 {
		t.Fatalf("no item of %s among %d; %v", id, len(l.Items), l.Problems)
	}
	r, err := s.Read(context.Background(), l.Items[i])
	must(t, err)
	return r
}

func sessionOf(t testing.TB, dir, id string) *sources.Session {
	t.Helper()
	r := readOf(t, dir, id)
	if len(r.Layers) != 1 {
		t.Fatalf("%s: %+v", id, r)
	}
	return r.Layers[0].Session
}

// All that is read of a home that genuine programs wrote, and that it stays as it is.
func TestSample(t *testing.T) {
	dir := sourcetest.Sample(t)
	defer sourcetest.Untouched(t, dir)()
	sourcetest.Golden(t, opencode.New(opencode.Config{Homes: []string{dir}, TempDir: t.TempDir()}), dir, "testdata/read.golden")
}
