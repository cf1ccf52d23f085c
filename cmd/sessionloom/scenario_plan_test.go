package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/sessionloom/sessionloom/extract"
	"github.com/sessionloom/sessionloom/testdata/expect"
)

// planned returns the vault as it would be had plans been made and carried out in
// place of the next sync. The vault is as before afterwards.
func (s *scenario) planned(happened string, flags ...string) contents {
	s.t.Helper()
	saved := s.vault + " aside"
	for _, end := range []string{"", ".state"} {
		if _, err := os.Lstat(s.vault + end); err == nil {
			s.check(os.Rename(s.vault+end, saved+end))
			copyTree(s.t, saved+end, s.vault+end)
			keepTimes(s.t, saved+end, s.vault+end)
		}
	}
	file := filepath.Join(s.t.TempDir(), "plan.json")
	_, _, code := s.pass(s.vault, append([]string{"--plan", file}, flags...)...)
	if code == exitDone || code == exitPartial { // else the pass stops, too
		_, stderr, code := runProgram(s.t, s.config, "apply", file, "--vault", s.vault, "--state", s.vault+".state", "--folder", s.folder)
		expect.Is(s.t, code, exitDone, happened, "apply ends with", stderr)
	}
	made := walk(s.t, s.vault)
	for _, end := range []string{"", ".state"} {
		s.check(os.RemoveAll(s.vault + end))
		if _, err := os.Lstat(saved + end); err == nil {
			s.check(os.Rename(saved+end, s.vault+end))
		}
	}
	return made
}

// applies is a step whose pass is a plan that is made and then carried out. All
// that holds after a sync holds after it.
func (s *scenario) applies(happened string) extract.Report {
	s.t.Helper()
	s.later(time.Minute)
	before := walk(s.t, s.vault)
	file := filepath.Join(s.t.TempDir(), "plan.json")
	s.passes(s.vault, "--plan", file)
	expect.Is(s.t, differences(before, walk(s.t, s.vault), true), "", happened, "making a plan wrote")
	stdout, stderr, code := runProgram(s.t, s.config, "apply", file, "--json", "--vault", s.vault, "--state", s.vault+".state")
	var r extract.Report
	if err := json.Unmarshal([]byte(stdout), &r); err != nil || code != exitDone {
		s.t.Fatalf("%s: apply: %v %d %s", happened, err, code, stderr)
	}
	now := walk(s.t, s.vault)
	s.record(happened, r, code, now)
	s.staysTheSame(happened, s.vault, code, now)
	s.survivesItsLedger(happened, code, now)
	if !s.lasting {
		s.fresh(happened, code, now)
	}
	return r
}

// A vault that is only ever written by plans is the one a sync would have made:
// notes come, grow, move and go, edits are merged, a deletion stays one.
func TestPlans(t *testing.T) {
	s := newScenario(t)
	s.keepsStore()
	a := s.begins(alpha, widget).asks("Write a parser").says("Written.").compacts("Parser written", "It reads.", "Docs")
	b := s.begins(beta, `C:\WINDOWS\system32`).asks("Test it").says("Tested.")
	if r := s.applies("two sessions"); r.Notes.Created == 0 {
		t.Errorf("nothing was created: %+v", r.Notes)
	}
	a.asks("Rewrite it in Rust").says("Rewritten.").compacts("Rust rewrite", "It is in Rust.", "Learn Rust")
	s.applies("one grows")
	a.rewindsTo(1)
	if r := s.applies("what it did is taken back"); r.Notes.Removed != 1 {
		t.Errorf("%d notes were removed, want that of the checkpoint", r.Notes.Removed)
	}
	s.write(b.path("vscode.metadata.json"), encode(t, fields{
		"repositoryProperties": fields{"repositoryPath": "/home/ada/src/widget", "branchName": "parser", "baseBranchName": "main"},
		"workspaceFolder":      fields{"folderPath": "/home/ada/src/widget", "timestamp": 1},
	}))
	if r := s.applies("the project of the other becomes known"); r.Notes.Moved != 1 {
		t.Errorf("%d notes were moved, want 1", r.Notes.Moved)
	}
	s.userEdits(alpha, "## Checkpoints", "## My checkpoints")
	a.asks("Write the docs").says("They are there.")
	if r := s.applies("an edit, and more to say"); r.Notes.Merged != 1 {
		t.Errorf("%d notes were merged, want 1", r.Notes.Merged)
	}
	s.shows(alpha, "## My checkpoints", "They are there.")
	s.userDeletes(beta)
	b.asks("Test it again").says("Tested again.")
	if r := s.applies("one is deleted"); r.Notes.Tombstoned != 1 {
		t.Errorf("%d notes were buried, want 1", r.Notes.Tombstoned)
	}
	a.asks("And publish").says("Published.")
	s.applies("the edited one grows on")
	s.shows(alpha, "## My checkpoints", "Published.")
}
