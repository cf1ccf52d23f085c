package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/testdata/expect"
)

const zebraRule = "redact:\n  rules:\n    - {name: zebra, pattern: 'zebra[0-9]{6}', keywords: [zebra]}\n"

// A secret slipped in. Its user adds a rule, and the next sync takes it
// out of vault and ledger.
func TestSecretThatSlippedIn(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.begins(alpha, widget).asks("Rotate zebra123456 today").edits("keys.go").says("Rotated.").notes("Tell zebra123456", "pending")
	s.begins(beta, widget).asks("Test it").edits("keys.go").says("Tested.")
	s.passes(s.vault)
	if !s.remembers("zebra123456") {
		t.Fatal("this test would not see what is remembered")
	}
	s.config = zebraRule
	if _, stderr, code := s.pass(s.vault); code != exitDone {
		t.Fatal(stderr)
	}
	if s.remembers("zebra123456") {
		t.Error("the ledger still knows it")
	}
	for path, f := range walk(t, s.vault) {
		expect.Lacks(t, path+f.text, "zebra123456", path, "still tells of it")
	}
	s.shows(alpha, "Rotate [redacted:zebra#1] today")
	s.config += "  allow: ['zebra1.*']\n"
	s.passes(s.vault)
	s.shows(alpha, "Rotate zebra123456 today")
	s.staysTheSame("it is allowed", s.vault, exitDone, walk(t, s.vault))
}

// A folder on this disk that says so is left out, and status tells why.
func TestIgnoreFile(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	folder := filepath.Join(t.TempDir(), "client")
	s.check(os.MkdirAll(filepath.Join(folder, "api"), 0o700))
	s.check(os.WriteFile(filepath.Join(folder, ".sessionloomignore"), nil, 0o600))
	s.begins(alpha, filepath.Join(folder, "api")).asks("The quiet plover").says("Done.")
	s.begins(beta, widget).asks("Test it").says("Tested.")
	s.passes(s.vault)
	for path, f := range walk(t, s.vault) {
		expect.Lacks(t, path+f.text, "plover", path, "tells of it")
	}
	if out := s.runs(exitDone, "status"); !strings.Contains(out, ".sessionloomignore") || !strings.Contains(out, "1 session without a note (-v names them): 1 in folders") {
		t.Errorf("status says %s", out)
	}
}
