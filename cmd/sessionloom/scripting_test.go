package main

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// The manual for scripts names every field, and no other.
func TestManualNamesEveryField(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "scripting.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		heading string
		object  any
		fields  []any // objects within it whose fields all stand there too
	}{
		{"## `status --json`", standing{}, []any{lastPass{}, unknownKinds{}, expiring{}, scheduled{}}},
		{"## `sources --json`", inventory{}, []any{lookedAt{}}},
	} {
		_, section, _ := strings.Cut(string(text), test.heading)
		_, section, _ = strings.Cut(section, "```json\n")
		section, _, _ = strings.Cut(section, "```")
		var told map[string]any
		if err := json.Unmarshal([]byte(section), &told); err != nil {
			t.Fatalf("%s: %v", test.heading, err)
		}
		if got, want := slices.Sorted(maps.Keys(told)), names(reflect.TypeOf(test.object)); !slices.Equal(got, want) {
			t.Errorf("%s names %q, want %q", test.heading, got, want)
		}
		for _, one := range test.fields {
			for _, name := range names(reflect.TypeOf(one)) {
				if !strings.Contains(section, `"`+name+`":`) {
					t.Errorf("%s does not name %q of %T", test.heading, name, one)
				}
			}
		}
	}
}

// names are the names of the fields of an object, sorted.
func names(typ reflect.Type) (out []string) {
	for _, f := range reflect.VisibleFields(typ) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name != "" && name != "-" && f.IsExported() {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}
