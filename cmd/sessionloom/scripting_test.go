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

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/present"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/runlog"
	"github.com/sessionloom/sessionloom/testdata/expect"
)

// The manual for scripts names every field, and no other.
func TestManualNamesEveryField(t *testing.T) {
	t.Parallel()
	text := expect.Value(os.ReadFile(filepath.Join("..", "..", "docs", "scripting.md")))(t)
	for _, test := range []struct {
		heading string
		object  any
		fields  []any // objects within it whose fields all stand there too
	}{
		{"## `status --json`", present.StatusReport{}, []any{runlog.Last{}, runlog.UnknownKinds{}, present.Expiring{}, present.Scheduled{}}},
		{"## `sources --json`", present.Inventory{}, []any{present.SourceRoot{}}},
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
				expect.Has(t, section, `"`+name+`":`, test.heading, "does not name", name, one)
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
