package note

import (
	"bytes"
	"reflect"
	"strings"
	"testing"

	"github.com/adrg/frontmatter"
	"gopkg.in/yaml.v3"

	"github.com/sessionloom/sessionloom/templates/escape"
)

// FuzzFrontmatterText: a text in every property of a note means the same to the
// library, to YAML and to us, ends nothing early, and makes no field of Dataview.
func FuzzFrontmatterText(f *testing.F) {
	for _, s := range []string{
		"", "---", "a\n---\nowned: x", "key:: value", "[k:: v]", ":::", "- x", "{a: 1}", "!!binary x", "&a *a", "<% x %>", "[[x]]", "# y", "\"'\\", "\u2028---\u2028",
		"yes", "null", "1e3", "2026-01-02", "a: b # c", "\x00\x1b[0m", "\xff", "\ufeff---", "...", "%YAML 1.2", "? x", "| x", "> x", "`@",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		s = escape.Property(s)
		props := []Property{{"id", "session:1"}, {"title", s}, {"aliases", []string{s, "x"}}, {"tags", []string{"agents/session"}}, {"branch", s}, {"files", []string{s, s}}}
		raw := Render(Content{ID: "session:1", Props: props, Body: str("# T\n")})
		want := map[string]any{"id": "session:1", "title": s, "branch": s, "aliases": []any{s, "x"}, "tags": []any{"agents/session"}, "files": []any{s, s}}
		block, body, ok := strings.Cut(strings.TrimPrefix(string(raw), "---\n"), "\n---\n")
		byYAML, byLibrary := map[string]any{}, map[string]any{}
		if err := yaml.Unmarshal([]byte(block), &byYAML); !ok || err != nil || !reflect.DeepEqual(byYAML, want) {
			t.Errorf("YAML reads %q, %v, want %q", byYAML, err, want)
		}
		rest, err := frontmatter.MustParse(bytes.NewReader(raw), &byLibrary, frontmatter.NewFormat("---", "---", yaml.Unmarshal))
		if err != nil || !reflect.DeepEqual(byLibrary, want) || strings.TrimSpace(string(rest)) != strings.TrimSpace(body) {
			t.Errorf("the library reads %q, %v, want %q", byLibrary, err, want)
		}
		for _, sign := range []string{"::", "<%", "\x1b", "\u202e"} {
			if strings.Contains(block, sign) {
				t.Errorf("%q stands in\n%s", sign, block)
			}
		}
	})
}
