package faults

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"github.com/sessionloom/sessionloom/testdata/expect"
)

// hostileNames are what a project, branch, title, file or prompt may be called.
// Neighbours that differ in case or normal form alone are meant to meet.
var hostileNames = []string{
	"..", ".", "../../../etc/passwd", "/etc/passwd", `..\..\evil`, `C:\Windows\evil`, "C:", "a/../../x", "a\x00b", "~", "~/x", "$HOME", "%2e%2e",
	".git", ".obsidian", ".sessionloom", ".trash", ".hidden", "_private", "-rf", "--", ".tmp-00000000-0000000000000000-0000000000000000",
	"CON", "con", "nul.txt.jpg", "COM0", "COM¹", "LPT9", "AUX", "PRN", "CONIN$", "CONOUT$", "trailing.", "trailing ", " leading", "...",
	`a<b>c:d"e|f?g*h`, "tab\tline\nreturn\r", "bell\a\x1b[31mred", "a#b^c[d]e|f%%g", "[[link]]", "![[embed]]", "<% tp %>", "{{x}}", "`code`",
	"Foo", "foo", "FOO", "Straße", "STRASSE", "strasse", "İstanbul", "istanbul", "ıstanbul", "\u212aelvin", "kelvin",
	"caf\u00e9", "cafe\u0301", "\u1e9b\u0323", "\u1e9b\u0323\u0307", "bidi\u202eexe.md", "zero\u200bwidth", "zero\u200cwidth", "\ufeffmark", "a\u2028b",
	strings.Repeat("é", 300), strings.Repeat("👩‍💻", 60), strings.Repeat("a", 254) + "b", strings.Repeat("a", 254) + "c", "\xff\xfe", "Home", "Open threads", "projects", "journal",
}

// hostile makes a history in which every name is that of a project, a folder, a
// branch, a title, a prompt and a file.
func (p *place) hostile() {
	p.t.Helper()
	for i, name := range hostileNames {
		sum := sha256.Sum256(fmt.Appendf(nil, "%d", i))
		id := fmt.Sprintf("%x-%x-4%x-8%x-%x", sum[:4], sum[4:6], sum[6:8], sum[8:10], sum[10:17])[:36]
		dir := filepath.Join(p.home, "session-state", id)
		p.must(os.MkdirAll(filepath.Join(dir, "files"), 0o700))
		at := fmt.Sprintf("2026-11-%02dT10:00:00.000Z", i%28+1)
		event := func(kind string, data map[string]any) string {
			line := expect.Value(json.Marshal(map[string]any{"type": kind, "data": data, "id": fmt.Sprintf("%s-%s", id, kind), "timestamp": at, "parentId": nil}))(p.t)
			return string(line) + "\n"
		}
		text := event("session.start", map[string]any{"sessionId": id, "version": 1, "producer": "copilot-agent", "startTime": at,
			"context": map[string]any{"cwd": "/home/dev/" + name, "gitRoot": "/home/dev/" + name, "repository": "octo-org/" + name, "hostType": "github", "repositoryHost": "github.com", "branch": name}}) +
			event("user.message", map[string]any{"content": name, "messageId": "m"}) +
			event("tool.execution_start", map[string]any{"toolCallId": "c", "toolName": "edit", "arguments": map[string]any{"path": "/home/dev/" + name + "/" + name, "old_str": "a", "new_str": "b"}}) +
			event("tool.execution_complete", map[string]any{"toolCallId": "c", "success": true, "result": map[string]any{"content": "done"}}) +
			event("assistant.message", map[string]any{"content": "Done with " + name, "messageId": "n"})
		p.must(os.WriteFile(filepath.Join(dir, "events.jsonl"), []byte(text), 0o600))
		title := expect.Value(json.Marshal(name))(p.t)
		p.must(os.WriteFile(filepath.Join(dir, "workspace.yaml"), fmt.Appendf(nil, "id: %s\nname: %s\nuser_named: true\ncreated_at: %s\nupdated_at: %s\n", id, title, at, at), 0o600))
		for _, file := range []string{name, name + ".md"} { // as far as this system takes it
			if !strings.ContainsAny(file, "/\x00") {
				_ = os.WriteFile(filepath.Join(dir, "files", file), []byte("The text of it.\n"), 0o600)
			}
		}
	}
}

// Whatever things are called, each note has a name of its own that every system
// takes, nothing is hidden, and nothing outside of the vault is touched.
func TestHostileNames(t *testing.T) {
	p := newPlace(t, small)
	p.hostile()
	outside := filepath.Join(p.dir, "outside")
	p.must(os.Mkdir(outside, 0o700))
	before := tree(t, p.home)
	p.sync(0)
	notes := p.fit()
	expect.Is(t, differences(before, tree(t, p.home), true), "", "the history was changed")
	p.sound("hostile names")
	q := newPlace(t)
	q.hostile()
	q.write(".config/sessionloom/config.yaml", []byte("hot_files:\n  min_sessions: 1\n"))
	q.sync(0)
	if more := q.fit(); more <= notes {
		t.Errorf("%d notes with pages of files, %d without", more, notes)
	}
	proved(t, "hostile names of projects, branches, titles, prompts and files", len(hostileNames), notes, "every file has a name of its own that Windows, macOS, Linux and Obsidian take; check is clean")
}

// fit expects paths that every system takes, and counts them.
func (p *place) fit() (notes int) {
	p.t.Helper()
	folded := map[string]string{}
	for path := range tree(p.t, p.vault) {
		if path == "Agents/.sessionloom" || strings.HasPrefix(path, "Agents/.sessionloom/") {
			continue
		}
		notes++
		expect.Is(p.t, unfit(path), "", path)
		key := fold(path)
		if other, ok := folded[key]; ok {
			p.t.Errorf("%q and %q are one name on some systems", path, other)
		}
		folded[key] = path
	}
	return notes
}

// fold is a path as file systems see it that know neither case nor normal form.
func fold(path string) string {
	return norm.NFC.String(cases.Fold().String(strings.ToLower(strings.ToUpper(norm.NFD.String(path)))))
}

// unfit reports what is wrong with a path of the vault; empty: nothing.
func unfit(path string) string {
	if len(path) > 400 {
		return "it is too long"
	}
	for name := range strings.SplitSeq(path, "/") {
		base, _, _ := strings.Cut(strings.ToUpper(name), ".")
		switch {
		case len(name) > 255-len(".tmp-00000000-0000000000000000-0000000000000000")-len(".sync-conflict-20260101-000000-ABCDEFG"):
			return "no suffix fits behind it"
		case strings.HasPrefix(name, ".") || strings.HasSuffix(name, ".") || strings.TrimSpace(name) != name:
			return "it has a bad end"
		case strings.ContainsAny(name, `<>:"\|?*#^[]`) || strings.Contains(name, "%%"):
			return "it holds what is reserved"
		case !utf8.ValidString(name) || !norm.NFC.IsNormalString(name):
			return "it is not normal"
		case strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) || unicode.Is(unicode.Cf, r) }):
			return "it holds what does not show"
		case slices.Contains([]string{"CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"}, strings.TrimSpace(base)):
			return "it is a device"
		case len([]rune(base)) == 4 && (strings.HasPrefix(base, "COM") || strings.HasPrefix(base, "LPT")) && strings.ContainsAny(base[3:], "0123456789¹²³"):
			return "it is a port"
		}
	}
	return ""
}

// planted is what somebody puts in the place of the folder of a project or of a
// note of it.
var planted = map[string]func(p *place, at string) error{
	"a link to the outside":        func(p *place, at string) error { return os.Symlink(filepath.Join(p.dir, "outside"), at) },
	"a link to itself":             func(_ *place, at string) error { return os.Symlink(".", at) },
	"a link to the settings":       func(_ *place, at string) error { return os.Symlink("../../.obsidian", at) },
	"a link to a repository":       func(_ *place, at string) error { return os.Symlink("../../.git", at) },
	"a link to a file":             func(p *place, at string) error { return os.Symlink(filepath.Join(p.dir, "outside", "file.md"), at) },
	"a link to nothing":            func(p *place, at string) error { return os.Symlink(filepath.Join(p.dir, "outside", "none"), at) },
	"a second name of a file":      func(p *place, at string) error { return os.Link(filepath.Join(p.dir, "outside", "file.md"), at) },
	"a pipe":                       func(_ *place, at string) error { return syscall.Mkfifo(at, 0o600) },
	"a file":                       func(_ *place, at string) error { return os.WriteFile(at, []byte("theirs"), 0o600) },
	"a folder with a file in it":   func(_ *place, at string) error { return os.MkdirAll(filepath.Join(at, "theirs"), 0o700) },
	"a socket or device of theirs": func(_ *place, at string) error { return syscall.Mknod(at, syscall.S_IFSOCK|0o600, 0) },
}

// What is planted in the vault leads no write anywhere: it stays as it is, is
// named, and all else is written.
func TestPlanted(t *testing.T) {
	p := newPlace(t, small)
	p.sync(0)
	var targets []string
	for path := range tree(t, p.vault) {
		if strings.HasPrefix(path, "Agents/projects/") || path == "Agents/Home.md" {
			targets = append(targets, path)
		}
	}
	slices.Sort(targets)
	type point struct{ what, target string }
	var points []point
	for _, what := range slices.Sorted(maps.Keys(planted)) {
		for _, target := range targets {
			points = append(points, point{what, target})
		}
	}
	runs := 0
	for _, at := range few(len(planted)*3/2, points) { // each of them at one or two places
		what, target, plant := at.what, at.target, planted[at.what]
		q := newPlace(t, small)
		outside := filepath.Join(q.dir, "outside")
		for _, dir := range []string{outside, q.at("vault/" + ".obsidian"), q.at("vault/" + ".git")} {
			q.must(os.MkdirAll(dir, 0o700))
		}
		q.must(os.WriteFile(filepath.Join(outside, "file.md"), []byte("theirs outside"), 0o600))
		q.must(os.MkdirAll(filepath.Dir(q.at("vault/"+target)), 0o700))
		q.must(plant(q, q.at("vault/"+target)))
		kind := func() os.FileMode {
			info := expect.Value(os.Lstat(q.at("vault/" + target)))(q.t)
			return info.Mode()
		}
		was, before := kind(), tree(t, outside)
		out := q.run("sync")
		if out.code != 0 && out.code != 3 && out.code != 1 {
			t.Fatalf("%s at %q: %s", what, target, out)
		}
		if d := differences(before, tree(t, outside), true); d != "" || was != kind() {
			t.Errorf("%s at %q: %s is %s:\n%s%s", what, target, was, kind(), d, out)
		}
		for _, dir := range []string{".obsidian", ".git"} {
			if list, err := os.ReadDir(q.at("vault/" + dir)); err != nil || len(list) > 0 {
				t.Errorf("%s at %q: written into %s: %v %v", what, target, dir, list, err)
			}
		}
		runs++
	}
	proved(t, "links, pipes, sockets, files and folders planted where notes and folders go", len(planted), runs/len(planted), "left as they are; nothing is written through them")
}
