package sidecars

import (
	"encoding/base64"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/files"
)

func TestSegment(t *testing.T) {
	const id = "40a86369-6e1d-4d1a-8f65-f8682085b206"
	for _, c := range []struct{ name, want string }{
		{"NDBhODYzNjktNmUxZC00ZDFhLThmNjUtZjg2ODIwODViMjA2", id},
		{base64.StdEncoding.EncodeToString([]byte(strings.ToUpper(id))), id},
		{id, id},
		{strings.ToUpper(id), id},
		{base64.StdEncoding.EncodeToString([]byte("chat-12")), "chat-12"},
		{base64.RawURLEncoding.EncodeToString([]byte("chat-12")), "chat-12"},
		{strings.ReplaceAll(base64.URLEncoding.EncodeToString([]byte("chat-12")), "=", "_"), "chat-12"},
		{"repo", ""},
		{"", ""},
		{"plan", ""},
		{"notes.md", ""},
		{"authentication", ""},
		{"internal-api-docs1", ""},
		{base64.RawURLEncoding.EncodeToString([]byte("../../etc/passwd")), ""},
	} {
		if got, ok := Segment(c.name); got != c.want || ok != (c.want != "") {
			t.Errorf("Segment(%q) = %q, %v, want %q", c.name, got, ok, c.want)
		}
	}
}

func memoryOf(t *testing.T, name, text string) sources.Artifact {
	t.Helper()
	path := filepath.Join(t.TempDir(), "file")
	must(t, os.WriteFile(path, []byte(text), 0o600))
	r := files.Reading{}
	a, err := r.Artifact(sources.Part{Path: path}, sources.Memory, name, MaxMemory)
	must(t, err)
	Memory(&a)
	if !a.At.IsZero() {
		t.Errorf("%s has a time", name)
	}
	return a
}

func TestEdgeCase28MemoryFilesHaveAnyName(t *testing.T) {
	for _, c := range []struct{ name, kind string }{
		{"plan.md", sources.Plan},
		{"audience notes.md", sources.Memory},
		{"sub/notes", sources.Memory},
		{"日本語.md", sources.Memory},
		{"plan.md.bak", sources.Memory},
	} {
		a := memoryOf(t, c.name, "- [ ] one\n")
		if a.Kind != c.kind || a.Name != c.name || a.Text != "- [ ] one\n" || a.Size != 10 {
			t.Errorf("%q makes %+v", c.name, a)
		}
	}
}

func TestMemoryOfJSON(t *testing.T) {
	const entry = "**token header**\n\nThe verifier never reads the JWT header; kid is a claim.\n\n" +
		"- citations: internal/auth/jwt.go:58\n- reason: Prevents alg confusion\n- category: general\n"
	body, err := os.ReadFile("testdata/memory-entry.json")
	must(t, err)
	one := strings.Trim(string(body), "[] \n")
	for _, c := range []struct{ name, text, want string }{
		{"auth.json", string(body), entry},
		{"auth.json", one, entry},
		{"auth.md", one, entry},
		{"auth.jsonl", one + "\n" + one, strings.TrimSuffix(entry, "\n") + "\n\n" + entry},
		{"auth.json", `{"fact":"a","citations":["x","y"]}`, "a\n\n- citations: x, y\n"},
		{"other.json", `{"fact":"a","more":"b"}`, "a\n\n- more: b\n"},
		{"other.json", `{"fact":{"x":1}}`, "```json\n{\"fact\":{\"x\":1}}\n```\n"},
		{"other.json", "[1,2]", "```json\n[1,2]\n```\n"},
		{"other.json", `{"x":"` + "````" + `"}`, "`````json\n{\"x\":\"````\"}\n`````\n"},
		{"torn.json", `{"fact":`, "```json\n{\"fact\":\n```\n"},
		{"list.md", "[link](x) is no JSON", "[link](x) is no JSON"},
	} {
		if got := memoryOf(t, c.name, c.text).Text; got != c.want {
			t.Errorf("%s %q makes\n%q, want\n%q", c.name, c.text, got, c.want)
		}
	}
}

func TestMemoryThatIsLeftOut(t *testing.T) {
	if a := memoryOf(t, "big.md", strings.Repeat("x", MaxMemory+1)); a.Left == "" || a.Text != "" || a.Size != MaxMemory+1 {
		t.Errorf("a large file makes %s of %d bytes, left out: %q", a.Name, a.Size, a.Left)
	}
	if a := memoryOf(t, "core", "\x00\x01"); a.Left == "" || a.Text != "" {
		t.Errorf("a binary file makes %+v", a)
	}
}
