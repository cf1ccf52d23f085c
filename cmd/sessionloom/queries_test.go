package main

import (
	"archive/zip"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/present"
	"github.com/sessionloom/sessionloom/extract/catalog"
	"github.com/sessionloom/sessionloom/testdata"
	"github.com/sessionloom/sessionloom/testdata/expect"
)

// remembered is a question somebody asked who half remembers a session, and the sessions that answer it.
type remembered struct {
	kind, words string
	wanted      []string
}

func questions(t *testing.T) (all []remembered) {
	t.Helper()
	text := expect.Value(os.ReadFile("testdata/queries/queries.tsv"))(t)
	for line := range strings.Lines(string(text)) {
		if parts := strings.Split(strings.TrimSpace(line), "\t"); len(parts) == 3 {
			all = append(all, remembered{parts[0], parts[1], strings.Split(parts[2], ",")})
		}
	}
	return all
}

// TestHalfRememberedSessionsAreFound asks what people asked who had only read the histories: the
// session they meant is among the first three hits. Raise the bar when search gets better.
func TestHalfRememberedSessionsAreFound(t *testing.T) {
	t.Parallel()
	const bar = 110
	dir := t.TempDir()
	homes := expect.Value(zip.OpenReader("testdata/queries/homes.zip"))(t)
	defer homes.Close()
	expect.OK(t, os.CopyFS(dir, homes))
	expect.OK(t, testdata.WriteHome("copilot-home", filepath.Join(dir, "copilot-home")))
	expect.OK(t, testdata.WriteHome("vscode-user", filepath.Join(dir, "vscode-user")))
	at := []string{"--vault", filepath.Join(dir, "v"), "--state", filepath.Join(dir, "s")}
	sync := append([]string{"sync", "--create", "--no-defaults"}, at...)
	for flag, home := range map[string]string{
		"copilot-home": "copilot-home", "vscode-user": "vscode-user", "claude-home": "claude-home", "codex-home": "codex-home",
		"gemini-home": "gemini-home/.gemini", "opencode-home": "opencode-home/.local/share/opencode",
	} {
		sync = append(sync, "--"+flag, filepath.Join(dir, home))
	}
	succeeds(t, "", sync...)
	all, right := questions(t), 0
	for _, q := range all {
		stdout, stderr, code := runProgram(t, "", append([]string{"search", "--json", "--limit", "3"}, append(at, "--", q.words)...)...)
		var found present.Hits
		if code != exitDone || json.Unmarshal([]byte(stdout), &found) != nil {
			t.Errorf("%s: exit code %d: %s", q.words, code, stderr)
			continue
		}
		place := slices.IndexFunc(found.Hits, func(h catalog.Hit) bool {
			return slices.ContainsFunc(q.wanted, func(id string) bool { return h.ID == "session:"+id })
		})
		if place >= 0 {
			right++
			continue
		}
		t.Logf("%s: %q of %d hits, not %s", q.kind, q.words, found.Count, q.wanted[0])
	}
	if right < bar {
		t.Errorf("of %d questions %d found what was meant, the bar is %d", len(all), right, bar)
	}
}
