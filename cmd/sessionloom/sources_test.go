package main

import (
	"strings"
	"testing"
	"time"

	"charm.land/lipgloss/v2"
	"golang.org/x/tools/txtar"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/present"
)

// A session that only an index names makes no note, and is told of here.
func TestSourcesTellOfSessionsOfAnIndexAlone(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	w := s.edition("Code").opens(widget)
	w.chat(alpha).asks("Is it here?").says("It is.")
	w.others = []fields{entry(beta, "Long gone\u202e, ghp_SYNTHETIC0example0token0for0tests000", w.clock, w.clock)}
	w.indexes()
	stdout, stderr, code := runProgram(t, "", "sources", "--no-defaults", "--vscode-user", w.user)
	if code != exitDone || !strings.Contains(stdout, "      - "+beta+" Long gone") || strings.Contains(stdout, alpha) {
		t.Errorf("exit code %d: %s%s", code, stdout, stderr)
	}
	if strings.ContainsAny(stdout, "\u202e") || strings.Contains(stdout, "ghp_") {
		t.Errorf("it is told as it is: %q", stdout)
	}
	s.pass(s.vault)
	if s.has(beta) {
		t.Error("it has a note")
	}
}

// The table fits a terminal, but for paths, which are never cut.
func TestSourcesReadWellOnEightyColumns(t *testing.T) {
	t.Parallel()
	inv := &present.Inventory{Sources: []present.SourceRoot{
		{Name: "copilot-cli", Root: "/home/dev/.copilot", Found: true, Items: 2310, Bytes: 318e6, Newest: time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC),
			Unknown: map[string]int{"session.hologram": 2, "assistant.unheard_of_event": 1204, "tool.execution_of_another_kind": 7, "session.telemetry_v2": 33}},
		{Name: "copilot-cli", Root: "/home/dev/.local/state/.copilot", Why: "not there"},
		{Name: "vscode", Root: "/home/dev/.var/app/com.visualstudio.code.with.a.long.name/config/Code - Insiders/User", Found: true, Items: 118, Bytes: 2e9, Expiring: 31,
			Newest: time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC), Notes: []string{"12 scaffolds without a request, of which no note is made because there is nothing to tell"},
			Details: []string{alpha + " Long gone, and its title is one of those that do not end before the line does (no chat on this disk)"}},
		{Name: "vscode", Root: "/mnt/c/Users/dev/AppData/Roaming/Code/User", Why: "permission denied: another user's folder, which is not looked at"},
	}}
	text := strings.Join(inv.Table("/home/dev"), "\n") + "\n"
	for line := range strings.Lines(text) {
		if line = strings.TrimSuffix(line, "\n"); lipgloss.Width(line) > 80 && !strings.Contains(line, "/") {
			t.Errorf("%q is wider than the screen", line)
		}
	}
	compareGolden(t, "words/sources", txtar.Archive{Files: []txtar.File{{Name: "sources", Data: []byte(text)}}})
}
