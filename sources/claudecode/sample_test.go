package claudecode_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/claudecode"
	"github.com/sessionloom/sessionloom/sources/sourcetest"
)

// homeRead is what a home gives.
type homeRead struct {
	logs    map[string]*sources.Session
	agents  map[string][]sources.Delegation
	others  map[string]*sources.Session // sessions that items name only inside, but for those of sub-agents
	only    []string
	unknown map[string]int
}

func readHome(t *testing.T, c claudecode.Config) homeRead {
	t.Helper()
	out := homeRead{map[string]*sources.Session{}, map[string][]sources.Delegation{}, map[string]*sources.Session{}, nil, map[string]int{}}
	for item, r := range sourcetest.Readings(t, claudecode.New(c)) {
		maps.Copy(out.unknown, r.Unknown)
		out.only = append(out.only, r.RowsOnly...)
		for _, la := range r.Layers {
			if la.Name == "claude-code/transcript" {
				out.logs[item.Session] = la.Session
			}
		}
		for _, x := range r.Sessions {
			if one := x.Layers[0]; one.Name == "claude-code/subagents" {
				out.agents[x.ID] = append(out.agents[x.ID], one.Session.Delegated...)
			} else {
				out.others[x.ID] = one.Session
			}
		}
	}
	return out
}

func open(s *sources.Session) string {
	var all []string
	for _, todo := range s.Todos {
		if todo.Status != sources.TodoDone {
			all = append(all, todo.Title)
		}
	}
	return strings.Join(all, ", ")
}

func actions(s *sources.Session) string {
	var all []string
	for _, a := range s.Actions {
		all = append(all, fmt.Sprint(a.Text, " ", a.Turn))
	}
	return strings.Join(all, ", ")
}

// All that is read of a home that genuine programs wrote, and that it stays as it is.
func TestSample(t *testing.T) {
	dir := sourcetest.Sample(t)
	defer sourcetest.Untouched(t, dir)()
	sourcetest.Golden(t, claudecode.New(claudecode.Config{Homes: []string{dir}}), dir, "testdata/read.golden")
}
