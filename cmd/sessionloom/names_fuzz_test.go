package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// devices are names that Windows keeps for itself, with any ending and blanks.
var devices = regexp.MustCompile(`(?i)^(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9¹²³]) *(\.|$)`)

// unfit explains why not every system takes a path of the vault; empty: they do.
func unfit(path string) string {
	for name := range strings.SplitSeq(path, "/") {
		switch {
		case name == "" || len(name) > 200:
			return "its length"
		case strings.Trim(name, " .") != name:
			return "its ends"
		case strings.ContainsAny(name, `<>:"\|?*#^[]`) || strings.Contains(name, "%%"):
			return "a reserved sign"
		case !utf8.ValidString(name) || !norm.NFC.IsNormalString(name):
			return "its form"
		case strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) || unicode.Is(unicode.Cf, r) }):
			return "a sign that does not show"
		case devices.MatchString(name):
			return "a device"
		}
	}
	return ""
}

// called is a session in which everything has one name: its project, folder,
// branch, title, prompt, the files it edits and keeps, its memory.
func (s *scenario) called(n int, name string) {
	s.t.Helper()
	uuid := fmt.Sprintf("0c1d%04x-aaaa-4bbb-8ccc-%012x", n, n)
	at := func(file string) string { return "session-state/" + uuid + "/" + file }
	dir := "/home/dev/" + name
	text := s.event("session.start", "", fields{
		"sessionId": uuid, "version": 1, "producer": "copilot-agent", "startTime": s.clock,
		"context": fields{"cwd": dir, "gitRoot": dir, "repository": name + "/" + name, "hostType": "github", "repositoryHost": "github.com", "branch": name},
	})
	text += s.event("user.message", "", fields{"content": name, "interactionId": s.id()})
	for _, file := range []string{dir + "/" + name, dir + "/x/" + name + ".md", name} {
		call := s.id()
		text += s.event("tool.execution_start", "", fields{"toolCallId": call, "toolName": "edit", "arguments": fields{"path": file, "old_str": "a", "new_str": "b"}})
		text += s.event("tool.execution_complete", "", fields{"toolCallId": call, "success": true, "result": fields{"content": "done"}})
	}
	s.write(at("events.jsonl"), text)
	s.write(at("workspace.yaml"), fmt.Sprintf("id: %s\ncwd: %s\nname: %s\nuser_named: true\ncreated_at: %s\n", uuid, encode(s.t, dir), encode(s.t, name), s.clock.Format("2006-01-02T15:04:05Z")))
	s.write(at("plan.md"), "# "+name+"\n")
	if file := filepath.Join(s.home, at("files/"+name)); filepath.Dir(file) == filepath.Join(s.home, at("files")) { // as far as this system takes it
		s.check(os.MkdirAll(filepath.Dir(file), 0o700))
		_ = os.WriteFile(file, []byte("kept\n"), 0o600)
	}
}

// Whatever things are called, all that is written is in the managed folder, by
// names that every system takes and that are one on none, and a further pass
// changes nothing.
func FuzzNotePath(f *testing.F) {
	for _, pair := range few(6, [][2]string{
		{"../../../etc/passwd", "..\\..\\evil"}, {"CON", "con.txt"}, {"Straße", "STRASSE"}, {"caf\u00e9", "cafe\u0301"}, {"\u212aelvin", "kelvin"},
		{"a\u202eb", "a\u200bb"}, {strings.Repeat("a", 254) + "b", strings.Repeat("a", 254) + "c"}, {".git", ".obsidian"}, {"İ", "i\u0307"},
		{"\xff\xfe", "\n"}, {"Home", "index"}, {"%%", "[[x]]"}, {"aux .md", "LPT¹"}, {"ﬁle", "file"}, {"a//b/./c", "a/b/c"}, {"", " "},
	}) {
		f.Add(pair[0], pair[1])
	}
	f.Fuzz(func(t *testing.T, one, other string) {
		s := newStage(t)
		s.config = "hot_files:\n  min_sessions: 1\n"
		s.called(1, one)
		s.called(2, other)
		s.called(3, one)
		if _, stderr, code := s.pass(s.vault); code != exitDone {
			t.Fatalf("%s: exit code %d: %s", s.vault, code, stderr)
		}
		first := walk(t, s.vault)
		names := map[string]string{}
		for path := range first {
			if strings.HasPrefix(path, "Agents/.sessionloom/") {
				continue
			}
			if why := unfit(path); why != "" || !strings.HasPrefix(path, "Agents/") {
				t.Errorf("%q is no path for a note: %s", path, why)
			}
			folded := norm.NFC.String(cases.Fold().String(strings.ToLower(strings.ToUpper(norm.NFD.String(path)))))
			if copied, ok := names[folded]; ok {
				t.Errorf("%q and %q are one name on some systems", copied, path)
			}
			names[folded] = path
		}
		if r, stderr, code := s.pass(s.vault); code != exitDone || len(r.Changed) > 0 {
			t.Errorf("a further pass: exit code %d, %v: %s", code, r.Changed, stderr)
		}
		if d := differences(first, walk(t, s.vault), true); d != "" {
			t.Errorf("a further pass writes:\n%s", d)
		}
		if list, err := os.ReadDir(filepath.Dir(s.vault)); err != nil || len(list) != 2 {
			t.Errorf("beside the vault: %v, %v", list, err)
		}
	})
}
