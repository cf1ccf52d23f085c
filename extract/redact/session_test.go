package redact

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/testdata/expect"
)

// kept names the texts that are ids or words of our own.
var kept = map[string]bool{
	".ID": true, ".Agent": true, ".Parent": true, ".Turns.ID": true, ".Turns.Status": true, ".Tools.Kind": true, ".Turns.Tools.Kind": true,
	".Artifacts.Kind": true, ".Todos.Status": true, ".Files.Kind": true, ".Files.Verdict": true, ".Files.TurnID": true, ".Refs.Type": true,
	".TakenBack.ID": true, ".TakenBack.Status": true, ".TakenBack.Tools.Kind": true, ".Actions.Kind": true, ".Acts.Kind": true, ".Acts.Verdict": true, ".Class": true,
	".Scope": true, ".Aliases": true, ".Supersedes": true, ".Distilled.Of": true, ".Distilled.Lines.Kind": true,
}

// fillText puts text into every string field, so that a field added to the
// model later is seen.
func fillText(v reflect.Value, path, text string) {
	switch v.Kind() {
	case reflect.String:
		if !kept[path] {
			v.SetString(text)
		}
	case reflect.Slice:
		if kept[path] {
			return
		}
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fillText(v.Index(0), path, text)
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[time.Time]() {
			return
		}
		for i := range v.NumField() {
			fillText(v.Field(i), path+"."+v.Type().Field(i).Name, text)
		}
	}
}

func TestSessionMasksEveryText(t *testing.T) {
	var s sources.Session
	fillText(reflect.ValueOf(&s).Elem(), "", "see "+ghToken)
	counts := map[string]int{}
	must(t, masker().Session(&s, counts))
	b := expect.Value(json.Marshal(s))(t)
	expect.Lacks(t, string(b), ghToken, "a token is left in", b)
	if n := strings.Count(string(b), "github-token"); counts["github-token"] != n || n < 40 {
		t.Errorf("counted %d of %d masks", counts["github-token"], n)
	}
}

func TestCallsMoveWithTheAnswer(t *testing.T) {
	before, after := "First "+ghToken+".", "\n\nThen the tests."
	s := sources.Session{Turns: []sources.Turn{{
		Assistant: before + after,
		Tools:     []sources.Tool{{After: 0}, {After: 10}, {After: len(before)}, {After: len(before + after)}},
	}}}
	m := masker()
	must(t, m.Session(&s, nil))
	turn := s.Turns[0]
	masked := len(m.Text(before))
	for i, want := range []int{0, masked - 1, masked, masked + len(after)} {
		expect.Is(t, turn.Tools[i].After, want, "call", i, "stands at", turn.Assistant)
	}
}
