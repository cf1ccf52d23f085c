package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/present"
	"github.com/sessionloom/sessionloom/extract"
	"github.com/sessionloom/sessionloom/extract/redact"
	"github.com/sessionloom/sessionloom/testdata/expect"
)

// What made a whole pass fail is told and remembered without the secret it quotes.
func TestFatalErrorsHideSecrets(t *testing.T) {
	const secret = "ghp_" + "R8w2Kq7ZtY4mXv9LbN3cJd6HsF1gPa5Ue0To"
	m := expect.Value(redact.New([]byte("key"), redact.Options{}))(t)
	hidden := present.HideSecrets(m, fmt.Errorf("open %q: %w", "/home/dev/"+secret, fs.ErrPermission))
	expect.Is(t, hidden.Error(), `open "/home/dev/[redacted:github-token#1]": permission denied`, "it", hidden)
	if !errors.Is(hidden, fs.ErrPermission) {
		t.Error("nobody can tell any more what it was")
	}
	e := &engine{Engine: extract.Engine{Masker: m, Now: time.Now}, opened: &openedVault{state: t.TempDir()}}
	expect.OK(t, e.remember(t.Context(), extract.Report{}, fmt.Errorf("read %s", secret)))
	text, err := os.ReadFile(filepath.Join(e.opened.state, "last.json"))
	if err != nil || strings.Contains(string(text), secret[4:]) || !strings.Contains(string(text), "[redacted:github-token#1]") {
		t.Errorf("remembered is %s, %v", text, err)
	}
}
