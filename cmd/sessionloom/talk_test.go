package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/testdata/expect"
)

// What developers write, and where: each address, path and sign is in each of the places.
var (
	talkWords = []string{
		"redis://localhost:6379", "https://example.com/a_(b)?x=1&y=%41#frag", "http://[::1]:8080/", "HTTPS://EXAMPLE.COM", "ftp://a.example/x", "ssh://git@a.example:22/o/r.git",
		"git@github.com:o/r.git", "postgres://u@db:5432/x", "mailto:a@b.example", "tel:+49123", "file:///etc/hosts", "vscode://file/x:3", "obsidian://open?vault=x", "javascript:void(0)",
		"data:text/html,<b>x</b>", "x-scheme+y.z://host", "C:\\Users\\dev\\x.go:3:4", "\\\\server\\share\\x", "~/src/a b/c.md", "./a/../b", "std::vector<int>", "a::b::c", "key:: value",
		"[[wiki]]", "![[embed]]", "[a](b)", "[a](obsidian://x)", "![p](https://a.example/p.png)", "[^1]", "[ref]: x", "#tag", "#42", "##not", "^block-1a", "%%comment%%", "==mark==", "$x$", "$$y$$",
		"<% tp.x %>", "<script>", "<https://a.example>", "&lt;b&gt;", "`code`", "``a ` b``", "{{x}}", "- [ ] box", "> quote", "| a | b |", "---", "===", "***", "a_b_c", "*x*", "~~x~~", "\\[x\\]",
		"DB_PASSWORD=h8Jk2LmQ9xZt4WvB", "token is ghp_0123456789abcdefghijABCDEFGHIJ012345", "x@e57f0a12", "日本語のファイル", "👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦", "🇩🇪🇯🇵🇫🇷", "e\u0301\u0301", "العربية", "a\u200bb", "tab\there",
		"DB_PASSWORD=\n1. zuHUtdXMufsduGpjl7O4 now", "Authorization: Bearer\n## dnF7dmmFmOyCk77ltNt8 now", "password: <b>Kq7vR2mZx9LpT4wB</b>", "api_key = 1", "secret is XL418d10ewenwoYpwP0P", "rotate API_TOKEN=",
	}
	talkPlaces = []string{
		"%s", "why does %s refuse?", "see `%s` and go on", "(%s)", "[%s]", "<%s>", "\"%s\"", "'%s'", "**%s**", "*%s*", "- %s", "1. %s", "> %s", "# %s", "| %s | x |", "%s: it fails", "x=%s", "{\"k\":\"%s\"}",
		"a,%s,b", "%s.", "…%s…", "run:%s", "```\n%s\n```", "//%s", "%s/%[1]s", "#%s", "@%s", "!%s", "%[1]s %[1]s", "TODO(%s)", "`%s", "a %s` b", "\u2014%s",
	}
)

// talkSession is a session of Claude Code in which somebody says these lines, in prompts, answers, a
// title, the list of tasks and names of files.
func talkSession(n int, lines []string) string {
	var log strings.Builder
	id, stamp := fmt.Sprintf("%08x-0000-4000-8000-%012x", n*7919, n), 0
	add := func(kind string, message any, more map[string]any) {
		stamp++
		r := map[string]any{"type": kind, "sessionId": id, "uuid": fmt.Sprint(id, stamp), "cwd": "/home/dev/p", "gitBranch": "main", "message": message,
			"timestamp": fmt.Sprintf("2026-11-%02dT08:%02d:%02dZ", 2+n%9, stamp/60, stamp%60)}
		if stamp > 1 {
			r["parentUuid"] = fmt.Sprint(id, stamp-1)
		}
		for k, v := range more {
			r[k] = v
		}
		b, _ := json.Marshal(r)
		log.Write(append(b, '\n'))
	}
	for i, line := range lines {
		add("user", map[string]any{"role": "user", "content": line}, nil)
		call := map[string]any{"type": "tool_use", "id": fmt.Sprint("t", i), "name": "TodoWrite", "input": map[string]any{"todos": []any{map[string]any{"content": line, "status": "pending"}, map[string]any{"content": "x " + line, "status": "completed"}}}}
		if i%2 == 1 {
			call = map[string]any{"type": "tool_use", "id": fmt.Sprint("t", i), "name": "Write", "input": map[string]any{"file_path": "/home/dev/p/" + strings.Map(plainOnly, line) + ".go", "content": line}}
		}
		add("assistant", map[string]any{"role": "assistant", "id": fmt.Sprint(id, "m", i), "content": []any{map[string]any{"type": "text", "text": "It says so: " + line + "\n\n" + line}, call}}, nil)
		add("user", map[string]any{"role": "user", "content": []any{map[string]any{"type": "tool_result", "tool_use_id": fmt.Sprint("t", i), "content": "ok"}}}, nil)
		add("assistant", map[string]any{"role": "assistant", "id": fmt.Sprint(id, "n", i), "content": []any{map[string]any{"type": "text", "text": strings.Repeat("x", n%27) + line + " " + strings.Repeat(line+" ", 4)}}}, nil)
	}
	if n%3 == 0 { // named by its prompt
		return log.String()
	}
	title, _ := json.Marshal(map[string]any{"type": "custom-title", "customTitle": strings.Repeat("x", n%27) + lines[0] + strings.Repeat(" "+lines[len(lines)-1], 5), "sessionId": id})
	return log.String() + string(title) + "\n"
}

// plainOnly leaves what a name of a file can have.
func plainOnly(r rune) rune {
	if r == '/' || r == 0 || r == '\n' {
		return '_'
	}
	return r
}

// What the escapers write, check does not complain about.
func TestCheckSaysNothingOfOrdinaryTalk(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	home, vault := filepath.Join(dir, "claude"), filepath.Join(dir, "vault")
	project := filepath.Join(home, "projects", "-home-dev-p")
	expect.OK(t, os.MkdirAll(project, 0o755))
	var lines []string
	for _, place := range talkPlaces {
		for _, word := range talkWords {
			lines = append(lines, fmt.Sprintf(place, word))
		}
	}
	lines = few(1100, lines)
	const some = 12
	for n := 0; n*some < len(lines); n++ {
		text := talkSession(n, lines[n*some:min(len(lines), n*some+some)])
		expect.OK(t, os.WriteFile(filepath.Join(project, fmt.Sprintf("%08x-0000-4000-8000-%012x.jsonl", n*7919, n)), []byte(text), 0o644))
	}
	run := func(args ...string) string {
		t.Helper()
		out, stderr, code := runProgram(t, "", append(args, "--vault", vault, "--state", filepath.Join(dir, "state"))...)
		expect.Is(t, code, exitDone, args, "exit code", out, stderr)
		return out
	}
	run("sync", "--create", "--no-defaults", "--claude-home", home)
	run("check")
	expect.Has(t, run("check", "--repair"), "nothing to repair", len(lines), "lines")
}
