package facts

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/sessionloom/sessionloom/testdata/expect"
	"github.com/sessionloom/sessionloom/vault"
)

// full has something in every field but the boxes.
// zone is one with an offset of half an hour, which puts its clocks back.
var zone = time.FixedZone("half", 5400)

func full(t *testing.T) Facts {
	f := Facts{}
	v := reflect.ValueOf(&f).Elem()
	for i := range v.NumField() {
		name := v.Type().Field(i).Name
		switch to := v.Field(i).Addr().Interface().(type) {
		case *string:
			*to = "the " + name
		case *[]string:
			*to = []string{name + " 1", name + " 2"}
		case *int:
			*to = i + 1
		case *bool:
			*to = true
		case *time.Time:
			*to = time.Date(2026, 11, 3, 8, i, 0, 0, time.UTC)
		case *[]vault.Box:
		case *[]Row:
			for k, key := range rowKeys {
				r := Row{Key: key, At: time.Date(2026, 11, 3, 9, k, 0, 0, time.UTC), From: "t-0a1b2c3d", Text: "the text of " + key}
				if hasWhat(key) {
					r.What = "2026-11-03"
				}
				*to = append(*to, r, Row{Key: key, Text: "no time"})
			}
		default:
			t.Fatalf("field %s has the type %T", name, to)
		}
	}
	f.arrange()
	return f
}

func TestEveryFieldIsAProperty(t *testing.T) {
	f := full(t)
	props := f.Properties(Links{Project: "[[p]]", Session: "[[s]]"}, zone)
	expect.Deep(t, From(vault.Note{ID: f.ID, Props: props, Facts: f.Comment(zone)}, zone), f)
	if props := (Facts{ID: "x"}).Properties(Links{}, zone); fmt.Sprint(props) != "[{id x} {type } {title } {tags [agents/]}]" {
		t.Errorf("nothing reads %v", props)
	}
}

func TestMasksAreNumberedOverAllTexts(t *testing.T) {
	mask := func(hash string) string { return "\ue000rule~" + strings.Repeat(hash, 12) + "\ue001" }
	f := Facts{Title: mask("a"), Branch: "b " + mask("c"), Rows: []Row{{Key: RowFile, Text: mask("c")}}, Refs: []string{}, Boxes: []vault.Box{{Text: mask("d")}, {Text: mask("a")}}}
	rows := f.Rows
	got := f.Normalized(zone)
	want := Facts{Title: "[redacted:rule#1]", Branch: "b [redacted:rule#2]", Files: []string{"[redacted:rule#2]"}, Rows: []Row{{Key: RowFile, Text: "[redacted:rule#2]"}},
		Boxes: []vault.Box{{Text: "[redacted:rule#3]"}, {Text: "[redacted:rule#1]"}}}
	expect.Deep(t, got, want)
	if rows[0].Text != mask("c") || f.Boxes[0].Text != mask("d") {
		t.Error("the facts given were changed")
	}
}
