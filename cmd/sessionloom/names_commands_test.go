package main

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Every command that takes a session or note takes it by all its names, and says which there are
// where a name stands for several things or for none.
func TestCommandsTakeNames(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	vault, state := filepath.Join(home, "Vault"), filepath.Join(home, "state")
	run := func(args ...string) (stdout, stderr string, code int) {
		return runProgram(t, "", append(args, "--vault", vault, "--state", state)...)
	}
	if _, stderr, code := run("sync", "--sample", "--create", "--quiet"); code != exitDone {
		t.Fatal(stderr)
	}
	const note = "Agents/projects/widget (octo-org)/sessions/2026-11-05 0900 Rate limit sketch.md"
	const other = "Agents/projects/widget (octo-org)/sessions/2026-11-03 0830 Key rotation without logging everyone out.md"
	names := map[string]string{
		"id": "e457749f-bcf9-4ca6-ba4f-c11efd85a123", "property": "session:", "prefix": "e457749f", "title": "rate limit sketch",
		"name": strings.TrimSuffix(filepath.Base(note), ".md"), "path": note, "file": filepath.Join(vault, filepath.FromSlash(note)),
	}
	stdout, _, _ := run("list", "--json")
	at := strings.Index(stdout, "session:e457749f")
	names["property"] = stdout[at : at+len("session:")+36]
	names["id"] = strings.TrimPrefix(names["property"], "session:")
	deleted := filepath.Join(vault, filepath.FromSlash(other))
	commands := map[string][]string{
		"show": {"show"}, "open": {"open", "--print"}, "diff": {"diff", "--sample"}, "export": {"export", "--sample"},
		"accept": {"accept", "--sample", "--dry-run"}, "forget": {"forget", "--sample", "--dry-run"},
	}
	for i, command := range slices.Sorted(maps.Keys(commands)) {
		args := commands[command]
		for j, kind := range slices.Sorted(maps.Keys(names)) {
			name := names[kind]
			if command != "show" && (i+j)%3 > 0 && !*everything {
				continue // all of them find it the same way
			}
			if kind == "file" && slices.Contains([]string{"export", "forget"}, command) {
				continue // they are about sessions, which no file is
			}
			if _, stderr, code := run(append(slices.Clone(args), name)...); code != exitDone {
				t.Errorf("%s by its %s %q: exit code %d, %s", command, kind, name, code, stderr)
			}
		}
		_, stderr, code := run(append(slices.Clone(args), "rate limit")...)
		if code != exitFailed || !strings.Contains(stderr, "stands for") || !strings.Contains(stderr, "e457749f") {
			t.Errorf("%s of several: exit code %d, %s", command, code, stderr)
		}
		_, stderr, code = run(append(slices.Clone(args), "nosuch")...)
		if code != exitFailed || !strings.Contains(stderr, `called "nosuch"`) {
			t.Errorf("%s of none: exit code %d, %s", command, code, stderr)
		}
	}
	for _, kind := range few(2, []string{"id", "title", "property", "prefix", "name", "path"}) {
		if _, stderr, code := run("resume", names[kind]); code != exitFailed || !strings.Contains(stderr, "VS Code") {
			t.Errorf("resume by its %s: exit code %d, %s", kind, code, stderr)
		}
	}
	for _, name := range few(2, []string{"7524f8de", "session:7524f8de-6567-42a5-9569-07102f5d4c6c", other, deleted, strings.TrimSuffix(filepath.Base(other), ".md")}) {
		if err := os.Remove(deleted); err != nil {
			t.Fatal(err)
		}
		if _, stderr, code := run("sync", "--sample", "--quiet"); code != exitDone {
			t.Fatal(stderr)
		}
		if _, stderr, code := run("restore", "--sample", name); code != exitDone {
			t.Errorf("restore %q: exit code %d, %s", name, code, stderr)
		}
	}
}
