package main

import (
	"os"
	"strings"
	"testing"
	"time"

	"charm.land/lipgloss/v2"
	"golang.org/x/tools/txtar"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/present"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/runlog"
	"github.com/sessionloom/sessionloom/extract"
	"github.com/sessionloom/sessionloom/extract/ledger"
)

// richStanding is a vault of which there is much to tell.
func richStanding() *present.StatusReport {
	clock := func(day, hour int) time.Time { return time.Date(2026, 11, day, hour, 30, 0, 0, time.Local) }
	one, five := 1, 5
	const long = "Agents/projects/widget (octo-org)/sessions/2026-11-03 Plan the release of the widget and its documentation (aaaaaaaa).md"
	return &present.StatusReport{
		Called: func(id string) string { return strings.TrimPrefix(id, "session:")[:8] },
		Schema: 1, Vault: "/home/dev/Vault/Agents", State: "/home/dev/.local/state/sessionloom/00c0ffee00c0ffee",
		Last: &runlog.Last{At: clock(20, 9), ElapsedMS: 420, Exit: exitPartial,
			Sessions: extract.SessionCounts{Listed: 2310, New: 3, Changed: 9, Failed: 1}, Notes: extract.NoteCounts{Created: 12, Updated: 31, Kept: 1}},
		Schedule: &present.Scheduled{Words: "every 30m by systemd (sessionloom-vault-3f2a.timer)", Failing: 4, Since: clock(18, 9),
			Error: `read "/home/dev/.config/Code/User/workspaceStorage/91d02856b2c8539899cef2051ef7a195/state.vscdb": permission denied`},
		Due: []extract.Change{{Note: "Agents/Home.md", Outcome: "updated"}, {Note: long, Outcome: "created"}},
		Kept: []extract.KeptNote{
			{Note: "Agents/journal/2026-11-11 agents.md", Reason: "your edit and new links touch the same lines, yours stays"},
			{Note: long, Reason: "your edit and new text touch the same lines, yours stays"},
		},
		Broken:   []extract.KeptNote{{Note: "Agents/journal/2026-11-12 agents.md", Reason: "its markers are damaged"}},
		MovedOut: []string{"Archive/2026/The release.md"},
		Deleted:  []ledger.Tombstone{{ID: "day:2026-11-10"}}, Forgotten: []string{"session:bbbbbbbb-0002-4000-8000-000000000002"}, Tombstones: 5,
		Rescued: []string{"Agents/.sessionloom/rescued/2026-11-03 Plan (aaaaaaaa) 1.md"}, Saved: 18230,
		Partial:  []extract.PartialSession{{Session: "cccccccc-0003-4000-8000-000000000003", Damage: []string{"1 line could not be read", "only the rows of the extension's store are left"}}},
		Ignored:  []extract.IgnoredFolder{{Folder: "/home/dev/clients/a-client-with-a-name-that-is-long/src", Sessions: 4}},
		Vanished: 12, StoreOnly: 1,
		Expiring: present.DaysLeft([]extract.Expiring{
			{What: "memory", Path: "/home/dev/.config/Code/User/workspaceStorage/91d02856b2c8539899cef2051ef7a195/GitHub.copilot-chat/memory-tool/memories/MGE2", Used: clock(6, 12), At: clock(20, 12)},
			{What: "memory", Path: "/home/dev/m", Used: clock(7, 9), At: clock(21, 9), Archived: true},
			{What: "memory", Path: "/home/dev/n", Used: clock(9, 9), At: clock(23, 13)},
			{What: "transcript", Path: "/home/dev/t1.jsonl", Used: clock(3, 9), After: new(int)},
			{What: "transcript", Path: "/home/dev/t2.jsonl", Used: clock(4, 9), After: &one},
			{What: "transcript", Path: "/home/dev/t3.jsonl", Used: clock(5, 9), After: &five, Archived: true},
			{What: "memory", Path: "/home/dev/o", Used: clock(2, 9), At: clock(16, 9), Archived: true},
		}, clock(20, 13)),
	}
}

// What status says fits a terminal, but for paths, which are never cut.
func TestStatusReadsWellOnEightyColumns(t *testing.T) {
	t.Parallel()
	var a txtar.Archive
	s := richStanding()
	for _, told := range []bool{false, true} {
		name := map[bool]string{false: "status", true: "status -v"}[told]
		lines := s.Lines("/home/dev", 80, told)
		for _, line := range lines {
			if lipgloss.Width(line) > 80 && !strings.Contains(line, "/") {
				t.Errorf("%s: %q is wider than the screen", name, line)
			}
		}
		a.Files = append(a.Files, txtar.File{Name: name, Data: []byte(strings.Join(lines, "\n") + "\n")})
	}
	bare := &present.StatusReport{Vault: "/home/dev/Vault/Agents"}
	a.Files = append(a.Files, txtar.File{Name: "status of a new vault", Data: []byte(strings.Join(bare.Lines("/home/dev", 80, false), "\n") + "\n")})
	compareGolden(t, "words/status", a)
}

// What VS Code is about to delete is named until a pass read it, and named again
// when it changed since.
func TestStatusTellsWhatExpires(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	w := s.edition("Code").opens(widget)
	c := w.chat(alpha).asks("Is it here?").says("It is.")
	c.remembers("plan.md", "- [ ] first\n")
	path := c.memory("plan.md")
	used := time.Now().Add(-10*24*time.Hour - time.Hour)
	s.check(os.Chtimes(path, used, used))
	status := func() string {
		stdout, stderr, _ := runProgram(t, s.config, append([]string{"status"}, s.flags(s.vault)...)...)
		return stdout + stderr
	}
	const open, safe = "soon deleted by the agent, and not read yet: 1 item", "1 item that an agent deletes by itself: all archived"
	if got := status(); !strings.Contains(got, open) || !strings.Contains(got, "memory, 3 days left") {
		t.Errorf("before: %s", got)
	}
	s.pass(s.vault)
	if got := status(); !strings.Contains(got, safe) || strings.Contains(got, open) {
		t.Errorf("after: %s", got)
	}
	s.check(os.WriteFile(path, []byte("- [x] first\n- [ ] second\n"), 0o600))
	if got := status(); !strings.Contains(got, open) || !strings.Contains(got, "memory, 13 days left") {
		t.Errorf("changed: %s", got)
	}
}
