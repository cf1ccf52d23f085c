package runlog

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/atomicfile"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/exit"
	"github.com/sessionloom/sessionloom/extract"
)

const lastName = "last.json"

// Last is what status tells of the last pass that was no dry run.
type Last struct {
	At        time.Time             `json:"at"` // its end
	ElapsedMS int64                 `json:"elapsed_ms"`
	Exit      int                   `json:"exit"`            // exit code, but for a commit that failed after it
	Error     string                `json:"error,omitempty"` // why it failed
	Sessions  extract.SessionCounts `json:"sessions"`
	Notes     extract.NoteCounts    `json:"notes"`
	// Unknown counts what the readers did not know, as often as passes met it
	// since one read everything.
	Unknown []UnknownKinds `json:"unknown,omitempty"`
}

// UnknownKinds are event types and part kinds below a root that no reader knows.
type UnknownKinds struct {
	Source string         `json:"source"`
	Root   string         `json:"root"`
	Kinds  map[string]int `json:"kinds"`
}

func met(before []UnknownKinds, pass []extract.SourceReport) []UnknownKinds {
	all := slices.Clone(before)
	for _, s := range pass {
		if len(s.Unknown) == 0 {
			continue
		}
		i := slices.IndexFunc(all, func(u UnknownKinds) bool { return u.Source == s.Name && u.Root == s.Root })
		if i < 0 {
			i, all = len(all), append(all, UnknownKinds{Source: s.Name, Root: s.Root})
		}
		kinds := map[string]int{}
		maps.Copy(kinds, all[i].Kinds)
		for kind, n := range s.Unknown {
			kinds[kind] += n
		}
		all[i].Kinds = kinds
	}
	return all
}

// ReadLast returns nil where there was no pass yet, or nothing readable is left
// of it.
func ReadLast(folder string) *Last {
	text, err := os.ReadFile(filepath.Join(folder, lastName))
	var last Last
	if err != nil || json.Unmarshal(text, &last) != nil {
		return nil
	}
	return &last
}

// WriteLast remembers the last pass, with the kinds that no reader knew in it beside
// those that passes met before. With anew those are forgotten.
func WriteLast(folder string, last Last, pass []extract.SourceReport, anew bool) error {
	if was := ReadLast(folder); was != nil && !anew {
		last.Unknown = was.Unknown
	}
	last.Unknown = met(last.Unknown, pass)
	text, err := json.Marshal(last)
	if err == nil {
		err = atomicfile.File{Path: filepath.Join(folder, lastName), Mode: 0o600}.PutText(append(text, '\n'))
	}
	if err != nil {
		return fmt.Errorf("remember the last run: %w", err)
	}
	return nil
}

// Failures remembers what failed in the pass before, so that it is told once.
type Failures struct{ told map[string]bool }

// Next takes in what failed in a pass: the pass itself, or items of it. It
// returns what was not told after the pass before; over says that there was
// something, and nothing is left.
func (c *Failures) Next(pass error, items []*exit.Error) (fresh []error, over bool) {
	now := map[string]bool{}
	add := func(err error) {
		if text := err.Error(); !now[text] {
			now[text] = true
			if !c.told[text] {
				fresh = append(fresh, err)
			}
		}
	}
	if pass != nil {
		add(pass)
	}
	for _, f := range items {
		add(f)
	}
	over = len(c.told) > 0 && len(now) == 0
	c.told = now
	return fresh, over
}
