package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/sessionloom/sessionloom/extract"
)

// lastName is the file in a vault's state folder that tells of the last pass.
const lastName = "last.json"

// lastPass is what status tells of the last pass that was no dry run.
type lastPass struct {
	At       time.Time             `json:"at"`
	Error    string                `json:"error,omitempty"` // why it failed
	Sessions extract.SessionCounts `json:"sessions"`
	Notes    extract.NoteCounts    `json:"notes"`
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
