package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// newDailyScene is a story whose user keeps daily notes, and wants them linked.
func newDailyScene(t *testing.T, settings string) *scene {
	t.Helper()
	s := newScene(t)
	s.lasting, s.lines = true, true // a line that its user removed is known by the vault alone
	if settings != "" {
		s.userWrites(".obsidian/daily-notes.json", settings)
	}
	marker := filepath.Join(s.vault, "Agents", ".sessionloom", "vault.yaml")
	text, err := os.ReadFile(marker)
	s.check(err)
	s.check(os.WriteFile(marker, []byte(strings.Replace(string(text), "settings: {}\n", "settings:\n  daily_notes: \"true\"\n", 1)), 0o600))
	return s
}

// userWrites saves a file of the vault.
func (s *scene) userWrites(name, text string) {
	s.t.Helper()
	at := filepath.Join(s.vault, filepath.FromSlash(name))
	s.check(os.MkdirAll(filepath.Dir(at), 0o700))
	s.check(os.WriteFile(at, []byte(text), 0o600))
}

func (s *scene) vaultText(name string) string {
	s.t.Helper()
	b, err := os.ReadFile(filepath.Join(s.vault, filepath.FromSlash(name)))
	s.check(err)
	return string(b)
}

// The line comes into daily notes that are there, is renewed wherever its user
// moved it, and stays away where they took it out.
func TestDailyNotes(t *testing.T) {
	s := newDailyScene(t, `{"folder": "/Daily/", "format": "YYYY/MM-MMMM/dddd [the] Do", "template": "Templates/day", "autorun": true}`)
	const monday, tuesday = "Daily/2026/03-March/Monday the 2nd.md", "Daily/2026/03-March/Tuesday the 3rd.md"
	s.userWrites(monday, "# Monday\r\n\r\n- [ ] call Ada")
	s.begins(alpha, widget).asks("Write a parser").says("Written.").leaves()
	s.later(24 * time.Hour)
	s.begins(beta, widget).asks("Test it").says("Tested.").leaves()
	s.sync("one day has a note, the next has none")
	line := s.vaultText(monday)
	if !strings.HasPrefix(line, "# Monday\r\n\r\n- [ ] call Ada\r\n\r\n[[Agents/journal/2026-03-02|") {
		t.Errorf("got %q", line)
	}
	line = strings.TrimSpace(strings.TrimPrefix(line, "# Monday\r\n\r\n- [ ] call Ada"))

	s.userWrites(monday, "# Monday\r\n\r\n"+line+"\r\n\r\n- [x] call Ada\r\n")
	s.userWrites(tuesday, "# Tuesday\n")
	s.sync("the line is moved up, the next day's note is made")

	s.clock = time.Date(2026, 3, 2, 20, 0, 0, 0, time.UTC)
	s.begins("dddddddd-1111-4222-8333-444444444444", widget).asks("Document it").says("Documented.").leaves()
	s.sync("one session more on the first day")
	if text := s.vaultText(monday); !strings.Contains(text, "|Agents: 2 sessions]]") || !strings.HasSuffix(text, "\r\n\r\n- [x] call Ada\r\n") {
		t.Errorf("got %q", text)
	}

	s.userWrites(tuesday, "# Tuesday\n")
	s.sync("its user takes the line out")
	s.userWrites(tuesday, "# Tuesday\n\nA quiet day.\n")
	s.clock = time.Date(2026, 3, 3, 20, 0, 0, 0, time.UTC)
	s.begins("eeeeeeee-1111-4222-8333-444444444444", widget).asks("Release it").says("Released.").leaves()
	s.sync("and it stays out")
	if text := s.vaultText(tuesday); text != "# Tuesday\n\nA quiet day.\n" {
		t.Errorf("got %q", text)
	}

	edited := strings.Replace(s.vaultText(monday), "Agents: 2 sessions", "a good day", 1)
	s.userWrites(monday, edited)
	s.clock = time.Date(2026, 3, 2, 22, 0, 0, 0, time.UTC)
	s.begins("ffffffff-1111-4222-8333-444444444444", widget).asks("Celebrate").says("Cheers.").leaves()
	s.sync("a line in words of its user's stays theirs")
	if text := s.vaultText(monday); text != edited {
		t.Errorf("got %q", text)
	}

	stdout, stderr, code := loomRun(t, s.config, "restore", "daily:2026-03-03", "--vault", s.vault, "--state", s.vault+".state",
		"--no-defaults", "--copilot-home", s.home)
	if code != exitDone || !strings.Contains(s.vaultText(tuesday), "|Agents: 2 sessions]]") {
		t.Errorf("exit code %d, %s%s, got %q", code, stdout, stderr, s.vaultText(tuesday))
	}
	s.sync("restored on demand")
}

// Without settings daily notes lie at the vault's root. Nothing is written where
// it is not known which note is whose.
func TestDailyNotesAtTheRoot(t *testing.T) {
	s := newDailyScene(t, "")
	s.userWrites("2026-03-02.md", "# Monday\n")
	s.begins(alpha, widget).asks("Write a parser").says("Written.").leaves()
	s.sync("Obsidian's defaults")
	if text := s.vaultText("2026-03-02.md"); !strings.Contains(text, "%% sessionloom:line daily-2026-03-02 ") {
		t.Errorf("got %q", text)
	}
	s.userWrites(".obsidian/daily-notes.json", `{"format": "YYYY-MM-DD HH"}`)
	s.userWrites("2026-03-03.md", "# Tuesday\n")
	s.later(24 * time.Hour)
	s.begins(beta, widget).asks("Test it").says("Tested.").leaves()
	s.syncEnds(exitPartial, "a format with hours")
	if text := s.vaultText("2026-03-03.md"); text != "# Tuesday\n" {
		t.Errorf("got %q", text)
	}
	s.userWrites(".obsidian/daily-notes.json", "{}")
	s.userDeletes("day:2026-03-02")
	s.sync("the settings are mended, the page of a day is deleted")
	if text := s.vaultText("2026-03-02.md"); strings.Contains(text, "Agents") {
		t.Errorf("got %q", text)
	}
}
