package main

import (
	"encoding/json"
	"errors"
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
		err = putFile(folder, lastName, append(text, '\n'))
	}
	if err != nil {
		return fmt.Errorf("remember the last pass: %w", err)
	}
	return nil
}

// putFile writes a small file of the state folder, whole or not at all.
func putFile(folder, name string, text []byte) error {
	temp, err := os.CreateTemp(folder, ".new-")
	if err != nil {
		return err
	}
	_, err = temp.Write(text)
	if err = errors.Join(err, temp.Close()); err == nil {
		err = os.Rename(temp.Name(), filepath.Join(folder, name))
	}
	if err != nil {
		return errors.Join(err, os.Remove(temp.Name()))
	}
	return nil
}
