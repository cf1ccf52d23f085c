// Package planfile records what one sync would write, and carries that out.
//
// The run that makes a plan stores what it read in the ledger and discards what it would write.
// TestPlansDoWhatASyncDoes compares plans with a sync of the same history.
package planfile

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/sessionloom/sessionloom/extract/internal/report"
	"github.com/sessionloom/sessionloom/vault"
)

// Plan is everything that one sync would write (schema 1): made by a dry run, reviewed by a person, carried
// out by [Apply]. It has no time and no data of the machine: the same history and vault give the same plan.
type Plan struct {
	Schema  int    `json:"schema"`
	Program string `json:"program"` // program that made it, with its version
	Vault   string `json:"vault"`   // id of its vault
	Layout  int    `json:"layout"`  // version of names and places of the notes
	Folder  string `json:"folder"`  // the managed folder; paths are relative to it

	vault.Changes // the targets in the order in which they are written
	// Kept lists notes that are not written because the user's version stays.
	Kept []report.KeptNote `json:"kept"`
	// Seal proves that the plan was made here and is unchanged.
	Seal string `json:"seal"`
}

// NotPlanError says that a file is not a plan that can be applied here.
type NotPlanError struct{ What string }

func (e *NotPlanError) Error() string { return e.What }

// Schema is the version of plans that this version makes and reads.
const Schema = 1

// Sign seals a plan with a key that only the state folder has: no other plan is carried out.
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
