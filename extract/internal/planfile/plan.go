// Package planfile records what one sync would write.
//
// A plan is carried out by a sync that reads no source: before it writes anything, what it would write is
// compared with the plan. TestPlansDoWhatASyncDoes compares plans with a sync of the same history.
package planfile

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"

	"github.com/sessionloom/sessionloom/extract/internal/report"
	"github.com/sessionloom/sessionloom/extract/internal/scope"
	"github.com/sessionloom/sessionloom/vault"
)

// Plan is everything that one sync would write (schema 1): made by a dry run, reviewed by a person. It has no
// time and no data of the machine: the same history and vault give the same plan.
type Plan struct {
	Schema  int         `json:"schema"`
	Program string      `json:"program"` // program that made it, with its version
	Vault   string      `json:"vault"`   // id of its vault
	Layout  int         `json:"layout"`  // version of names and places of the notes
	Folder  string      `json:"folder"`  // the managed folder; paths are relative to it
	Scope   scope.Scope `json:"scope"`   // what the sync may touch
	Force   bool        `json:"force"`   // it may exceed the deletion limit

	vault.Changes // the targets in the order in which they are written
	// Kept lists notes that are not written because the user's version stays.
	Kept []report.KeptNote `json:"kept"`
}

// NotPlanError says that a file is not a plan that can be carried out here.
type NotPlanError struct{ What string }

func (e *NotPlanError) Error() string { return e.What }

// Schema is the version of plans that this version makes and reads.
const Schema = 1

// Write writes a plan as JSON.
func (pl Plan) Write(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(pl); err != nil {
		return fmt.Errorf("write the plan: %w", err)
	}
	return nil
}

// Read reads a plan. For other files, or another schema, it returns a [NotPlanError].
func Read(r io.Reader) (Plan, error) {
	text, err := io.ReadAll(r)
	if err != nil {
		return Plan{}, fmt.Errorf("read the plan: %w", err)
	}
	var pl Plan
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&pl); err != nil {
		var head struct{ Schema int }
		if json.Unmarshal(text, &head) != nil || head.Schema <= Schema {
			return Plan{}, fmt.Errorf("read the plan: %w", err)
		}
		pl.Schema = head.Schema
	} else if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return Plan{}, errors.New("read the plan: something follows it")
	}
	if pl.Schema != Schema {
		return Plan{}, &NotPlanError{What: fmt.Sprintf("the plan has schema %d, not %d", pl.Schema, Schema)}
	}
	return pl, nil
}

// CheckVault returns a [NotPlanError] if the plan is for another vault or folder.
func (pl Plan) CheckVault(m vault.Marker, folder string) error {
	switch {
	case pl.Vault != m.ID:
		return &NotPlanError{What: fmt.Sprintf("the plan is for the vault %q, this is %q", pl.Vault, m.ID)}
	case pl.Layout != m.Layout:
		return &NotPlanError{What: fmt.Sprintf("the plan is for layout %d, this vault has %d", pl.Layout, m.Layout)}
	case pl.Folder != folder:
		return &NotPlanError{What: fmt.Sprintf("the plan is for the folder %q, this is %q", pl.Folder, folder)}
	}
	return nil
}

// Stands reports whether a vault is as the plan wants it.
func (pl Plan) Stands(in *vault.Vault) bool {
	return !slices.ContainsFunc(pl.Targets, func(t vault.Target) bool { return !in.Stands(t) })
}

// Compare returns a [NotPlanError] if a plan is not what a sync would do now, with the settings of the plan.
func (pl Plan) Compare(now vault.Changes) error {
	n := 0
	for n < min(len(pl.Targets), len(now.Targets)) && reflect.DeepEqual(pl.Targets[n], now.Targets[n]) {
		n++
	}
	if others := slices.Concat(pl.Targets[n:], now.Targets[n:]); len(others) > 0 {
		return &NotPlanError{What: fmt.Sprintf("the plan was changed, or the vault was since then: a sync would do something else now with %q", others[0].Path)}
	}
	return nil
}
