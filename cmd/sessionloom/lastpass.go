package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/sessionloom/sessionloom/extract"
)

// lastName is the file in a vault's state folder that tells of the last pass.
const lastName = "last.json"

// lastPass is what status tells of the last pass that was no dry run.
type lastPass struct {
	At        time.Time             `json:"at"` // its end
	ElapsedMS int64                 `json:"elapsed_ms"`
	Exit      int                   `json:"exit"`            // exit code, but for a commit that failed after it
	Error     string                `json:"error,omitempty"` // why it failed
	Sessions  extract.SessionCounts `json:"sessions"`
	Notes     extract.NoteCounts    `json:"notes"`
	// Unknown counts what the readers did not know, as often as passes met it
	// since one read everything.
	Unknown []unknownKinds `json:"unknown,omitempty"`
}

// unknownKinds are event types and part kinds below a root that no reader knows.
type unknownKinds struct {
	Source string         `json:"source"`
	Root   string         `json:"root"`
	Kinds  map[string]int `json:"kinds"`
}

// met adds what a pass met to what was known before it.
func met(before []unknownKinds, pass []extract.SourceReport) []unknownKinds {
	all := slices.Clone(before)
	for _, s := range pass {
		if len(s.Unknown) == 0 {
			continue
		}
		i := slices.IndexFunc(all, func(u unknownKinds) bool { return u.Source == s.Name && u.Root == s.Root })
		if i < 0 {
			i, all = len(all), append(all, unknownKinds{Source: s.Name, Root: s.Root})
		}
		kinds := maps.Clone(all[i].Kinds)
		if kinds == nil {
			kinds = map[string]int{}
		}
		for kind, n := range s.Unknown {
			kinds[kind] += n
		}
		all[i].Kinds = kinds
	}
	return all
}

// readLast returns nil where there was no pass yet, or nothing readable is left
// of it.
func readLast(folder string) *lastPass {
	text, err := os.ReadFile(filepath.Join(folder, lastName))
	var last lastPass
	if err != nil || json.Unmarshal(text, &last) != nil {
		return nil
	}
	return &last
}

func writeLast(folder string, last lastPass) error {
	text, err := json.Marshal(last)
	if err == nil {
		err = wholeFile{path: filepath.Join(folder, lastName), mode: 0o600}.putText(append(text, '\n'))
	}
	if err != nil {
		return fmt.Errorf("remember the last pass: %w", err)
	}
	return nil
}
