package geminicli_test

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/geminicli"
	"github.com/sessionloom/sessionloom/sources/sourcetest"
	"github.com/sessionloom/sessionloom/testdata/expect"
)

// The details tell what has no note of its own, and the listing when the first chat goes.
func TestDetails(t *testing.T) {
	dir := sourcetest.Sample(t)
	write(t, filepath.Join(dir, "antigravity-cli", "brain", firstID, "task.md"), []byte("- [ ] one\n")) // its conversation is in a database
	write(t, filepath.Join(dir, "tmp", "widget", "logs.json"), []byte(`[{"sessionId":"`+secondID+`","type":"user","message":"gone","timestamp":"2026-11-22T07:24:33.085Z"}]`))
	s := open(dir)
	details := expect.Value(s.Details(context.Background()))(t)
	want := []string{"1 chat of a sub-agent", "1 conversation of Antigravity without a transcript", "1 session with nothing but typed lines left"}
	if got := details[dir]; !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
	l, err := s.List(context.Background())
	must(t, err)
	if r := l.Roots[0]; r.KeptDays != 30 || len(r.Notes) > 0 {
		t.Errorf("%+v", r)
	}
}

// home is what was read of one.
type home struct {
	logs     map[string]*sources.Session // by the first 8 characters of their ids
	agents   map[string]*sources.Session // what sub-agents did, by the same
	others   map[string]*sources.Session // by their ids and layers
	records  int
	unknown  map[string]int
	rowsOnly []string
	problems []string
}

func readHome(t *testing.T, c geminicli.Config) home {
	t.Helper()
	h := home{logs: map[string]*sources.Session{}, agents: map[string]*sources.Session{}, others: map[string]*sources.Session{}, unknown: map[string]int{}}
	s := geminicli.New(c)
	l := expect.Value(s.List(context.Background()))(t)
	for _, it := range l.Items {
		r, err := s.Read(context.Background(), it)
		if err != nil {
			h.problems = append(h.problems, err.Error())
		}
		for _, p := range r.Problems {
			h.problems = append(h.problems, p.Err.Error())
		}
		for what, n := range r.Unknown {
			h.unknown[what] += n
		}
		if it.Kind == sources.KindSession || strings.Contains(it.Key, "/agent/") {
			h.records += r.Records
		}
		h.rowsOnly = append(h.rowsOnly, r.RowsOnly...)
		if it.Session != "" {
			r.Sessions = []sources.SessionLayers{{ID: it.Session, Layers: r.Layers}}
		}
		for _, of := range r.Sessions {
			for _, la := range of.Layers {
				h.others[of.ID+" "+la.Name] = la.Session
				switch la.Name {
				case "gemini-cli/chat":
					h.logs[la.Session.ID[:8]] = la.Session
				case "gemini-cli/subagents":
					h.agents[of.ID[:8]] = la.Session
				}
			}
		}
	}
	must(t, s.Close())
	return h
}

// All that is read of a home that genuine programs wrote, and that it stays as it is.
func TestSample(t *testing.T) {
	dir := sourcetest.Sample(t)
	defer sourcetest.Untouched(t, dir)()
	sourcetest.Golden(t, geminicli.New(geminicli.Config{Homes: []string{dir}}), dir, "testdata/read.golden")
}
