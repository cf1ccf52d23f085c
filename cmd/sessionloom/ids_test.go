package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/testdata/expect"
)

// An id that is printed stands for one session, also where many begin alike: some agents make them of
// the time.
func TestPrintedIDsCanBeTyped(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	home, vault := filepath.Join(dir, "claude"), filepath.Join(dir, "vault")
	project := filepath.Join(home, "projects", "-home-dev-p")
	expect.OK(t, os.MkdirAll(project, 0o755))
	for i := range 20 {
		id := fmt.Sprintf("01a2020d-%02x0%x-7000-8000-%012x", i/4, i%4, i)
		log := fmt.Sprintf(`{"type":"user","sessionId":"%[1]s","uuid":"u%[2]d","cwd":"/home/dev/p","timestamp":"2026-11-03T08:%02[2]d:00Z","message":{"role":"user","content":"Write part %[2]d of the manual"}}
{"type":"assistant","sessionId":"%[1]s","uuid":"a%[2]d","parentUuid":"u%[2]d","timestamp":"2026-11-03T08:%02[2]d:30Z","message":{"role":"assistant","content":[{"type":"text","text":"Part %[2]d of the manual is written."},{"type":"tool_use","id":"t%[2]d","name":"Write","input":{"file_path":"/home/dev/p/%[2]d.md"}}]}}
{"type":"user","sessionId":"%[1]s","uuid":"r%[2]d","parentUuid":"a%[2]d","timestamp":"2026-11-03T08:%02[2]d:31Z","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t%[2]d","content":"ok"}]}}
`, id, i)
		expect.OK(t, os.WriteFile(filepath.Join(project, id+".jsonl"), []byte(log), 0o644))
	}
	run := func(args ...string) string {
		t.Helper()
		out, stderr, code := runProgram(t, "", append(args, "--vault", vault, "--state", filepath.Join(dir, "state"))...)
		expect.Is(t, code, exitDone, args, "exit code", stderr)
		return out
	}
	run("sync", "--create", "--no-defaults", "--claude-home", home)
	seen := map[string]bool{}
	for line := range strings.Lines(run("list", "sessions")) {
		id, _, _ := strings.Cut(line, " ")
		seen[id] = true
		run("show", id)
	}
	expect.Is(t, len(seen), 20, "ids of 20 sessions")
	expect.Has(t, run("standup", "--since", "2026-11-01"), "(01a2020d-0402, ")
}
