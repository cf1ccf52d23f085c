package sidecars

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/files"
)

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
