// Package planfile writes down what one sync would write, and carries that out.
//
// In the run that makes a plan, what was read is kept in the ledger and what would be written
// is not. TestPlansDoWhatASyncDoes holds plans to what a sync makes of the same history.
package planfile

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

	"github.com/sessionloom/sessionloom/extract/internal/report"
	"github.com/sessionloom/sessionloom/vault"
)

// Plan is all that one sync would write (schema 1): made by a dry run, looked
// at by a person, carried out by [Apply]. It holds no time and nothing of
// the machine: the same history and vault give the same plan.
type Plan struct {
	Schema  int    `json:"schema"`
	Program string `json:"program"` // that made it, with its version
	Vault   string `json:"vault"`   // id of the vault it is for
	Layout  int    `json:"layout"`  // version of names and places of the notes
	Folder  string `json:"folder"`  // the managed folder; paths are from there

	Settings        []PlannedSetting `json:"settings"`
	AddTombstone    []string         `json:"bury"`    // ids of notes that were deleted and are not to come back
	RemoveTombstone []string         `json:"unbury"`  // ids of notes that may come back
	Targets         []PlannedFile    `json:"targets"` // in the order in which they are written
	// Kept names what is not written because the user's version stays.
	Kept []report.KeptNote `json:"kept"`
	// Rerender says that the plan is about what changed templates or settings
	// make anew, and holds nothing of what is new in the history.
	Rerender bool `json:"rerender,omitempty"`
	// Seal tells a plan that was made here and not changed since.
	Seal string `json:"seal"`
}

// PlannedSetting is a setting of the vault that changes.
type PlannedSetting struct {
	Key   string `json:"key"`
	Was   string `json:"was"`
	Value string `json:"value"`
}

// PlannedFile is one file of a plan. Text or Base64 holds all bytes that are to
// stand there, the second where they are no UTF-8.
type PlannedFile struct {
	Path    string `json:"path"`
	From    string `json:"from,omitempty"` // where the note is moved from
	ID      string `json:"id,omitempty"`   // of a note
	Outcome string `json:"outcome"`        // created, updated, merged, kept, moved, removed
	Reason  string `json:"reason,omitempty"`
	// Expect is the SHA-256 of the bytes that stand there now; empty: no file may
	// stand there.
	Expect string `json:"expect"`
	Remove bool   `json:"remove,omitempty"`
	Text   string `json:"text,omitempty"`
	Base64 string `json:"base64,omitempty"`
	// BaseBody and BaseNav are what the next merge with the user's edits starts
	// from, of a note that has some.
	BaseBody *string `json:"base_body,omitempty"`
	BaseNav  *string `json:"base_nav,omitempty"`
}

// NotPlanError says that a file holds no plan that can be applied here.
type NotPlanError struct{ What string }

func (e *NotPlanError) Error() string { return e.What }

// Schema is that of the plans this version makes and reads.
const Schema = 1

// Take fills a plan with what a dry run would have done.
func (pl *Plan) Take(done vault.Changes) {
	pl.Settings, pl.Targets = []PlannedSetting{}, make([]PlannedFile, 0, len(done.Targets))
	pl.AddTombstone, pl.RemoveTombstone = append([]string{}, done.AddTombstone...), append([]string{}, done.RemoveTombstone...)
	for _, s := range done.Settings {
		pl.Settings = append(pl.Settings, PlannedSetting(s))
	}
	for _, t := range done.Targets {
		f := PlannedFile{Path: t.Path, From: t.From, ID: t.ID, Outcome: string(t.Outcome), Reason: t.Reason, Expect: t.Was, Remove: t.Remove,
			BaseBody: t.BaseBody, BaseNav: t.BaseNav}
		if utf8.Valid(t.Text) {
			f.Text = string(t.Text)
		} else {
			f.Base64 = base64.StdEncoding.EncodeToString(t.Text)
		}
		pl.Targets = append(pl.Targets, f)
	}
}

// target is a planned file as the vault takes it.
func (f PlannedFile) target() (vault.Target, error) {
	t := vault.Target{ID: f.ID, Path: f.Path, From: f.From, Was: f.Expect, Text: []byte(f.Text), Remove: f.Remove,
		Outcome: vault.Outcome(f.Outcome), Reason: f.Reason}
	if f.Base64 == "" {
		return t, nil
	}
	var err error
	if t.Text, err = base64.StdEncoding.DecodeString(f.Base64); err != nil {
		return t, fmt.Errorf("the bytes of %q in the plan: %w", f.Path, err)
	}
	return t, nil
}

// Sign seals a plan by a key that only the state folder has: no other is carried out.
func (pl *Plan) Sign(key []byte) (err error) {
	pl.Seal, err = pl.sealBy(key)
	return err
}

func (pl Plan) sealBy(key []byte) (string, error) {
	pl.Seal = ""
	h := hmac.New(sha256.New, key)
	err := pl.Write(h)
	return hex.EncodeToString(h.Sum(nil)), err
}

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

// Read reads a plan. What is no plan, or one of another schema, is a
// [NotPlanError].
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
