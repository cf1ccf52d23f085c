package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/exit"
)

// A setting that is set reads back as it was set, and all else in the file stays.
func TestEditedReadsBack(t *testing.T) {
	files := map[string]string{
		"empty":     "",
		"example":   Example(nil),
		"list":      "# mine\nproject:\n  - a\n  # why\n  - b\njobs: 3 # few\n",
		"flush":     "project:\n- a\n- b\njobs: 3\n",
		"nested":    "sources:\n  vscode:\n    exports: [x]\nvault: /v\n",
		"in a line": "sources: {vscode: {exports: [x]}}\n",
	}
	sets := map[string][]string{
		"vault": {"/my/vault"}, "folder": {"Coding notes"}, "jobs": {"4"}, "project": {"a b", "c#d", "[e"[1:]},
		"sources.vscode.exports": {"/x/y", "/z"}, "sources.copilot_cli.enabled": {"false"}, "since": {"7d"}, "watch.interval": {"90s"},
		"redact.allow": {`^x\d+, "y"$`}, "exclude_project": nil,
	}
	for name, text := range files {
		for key, values := range sets {
			edited, err := Edited(text, key, values, "/home/dev")
			if err != nil {
				if name != "in a line" {
					t.Errorf("%s: set %s: %v", name, key, err)
				}
				continue
			}
			if strings.Count(edited, "#") < strings.Count(text, "#")-2 {
				t.Errorf("%s: set %s lost comments:\n%s", name, key, edited)
			}
			given, err := load(t, edited)
			if err != nil {
				t.Errorf("%s: set %s: %v\n%s", name, key, err, edited)
				continue
			}
			again, err := Edited(edited, key, values, "/home/dev")
			if err != nil || again != edited {
				t.Errorf("%s: set %s twice: %v\n%s", name, key, err, again)
			}
			for _, s := range settings(&given) {
				if want := strings.Join(values, "|"); s.key == key && key != "since" && key != "watch.interval" && strings.Join(given.text(s), "|") != want {
					t.Errorf("%s: %s is %q, want %q", name, key, given.text(s), want)
				}
			}
		}
	}
}

// What is wrong is refused before anything is written.
func TestEditedRefuses(t *testing.T) {
	for key, values := range map[string][]string{
		"jobs": {"x"}, "vault": {"a", "b"}, "nosuch": {"a"}, "redact.rules": {"a"}, "timezone": {"Mars/Base"}, "since": {"soon"},
	} {
		if _, err := Edited("", key, values, "/home/dev"); exit.CodeOf(err) != exit.CodeUsage {
			t.Errorf("set %s %q: %v", key, values, err)
		}
	}
}

func TestReadText(t *testing.T) {
	file := filepath.Join(t.TempDir(), "c.yaml")
	if text, err := ReadText(file); text != "" || err != nil {
		t.Errorf("got %q, %v", text, err)
	}
	must(t, os.WriteFile(file, []byte("x"), 0o600))
	if text, err := ReadText(file); text != "x" || err != nil {
		t.Errorf("got %q, %v", text, err)
	}
}
