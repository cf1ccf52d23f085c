package present

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"charm.land/lipgloss/v2"

	"github.com/sessionloom/sessionloom/testdata/expect"
)

var someRows = Rows{Schema: 1, Columns: []string{"n", "text", "n", "f"}, Rows: [][]any{
	{int64(1), "a | b\nc, \"d\" \x1b[31m", int64(-20), 0.5}, {nil, "メモ 📈", nil, math.Inf(1)}, {int64(1234), []byte{0xff, 0}, nil, 1e21},
}}

func TestRowsAsTable(t *testing.T) {
	lines := someRows.Table(1000)
	want := []string{
		`   n  text                       n      f`,
		`----  -----------------------  ---  -----`,
		`   1  a | b c, "d" \u001b[31m  -20    0.5`,
		`      メモ 📈                        +Inf`,
		`1234  ff00                          1e+21`,
	}
	expect.Is(t, strings.Join(lines, "\n"), strings.Join(want, "\n"), "the table")
	for _, width := range []int{38, 30, 10} {
		for _, line := range someRows.Table(width) {
			if lipgloss.Width(line) > max(width, 4*8+6) {
				t.Errorf("in %d columns there is %q", width, line)
			}
		}
	}
	if none := (Rows{Columns: []string{"a"}}).Table(80); len(none) != 2 {
		t.Errorf("no row gives %q", none)
	}
}

func TestRowsAsJSON(t *testing.T) {
	text := expect.Value(json.Marshal(someRows))(t)
	want := `{"schema":1,"views":1,"columns":["n","text","n_2","f"],"rows":[{"n":1,"text":"a | b\nc, \"d\" \u001b[31m","n_2":-20,"f":0.5},` +
		`{"n":null,"text":"メモ 📈","n_2":null,"f":null},{"n":1234,"text":"ff00","n_2":null,"f":1e+21}]}`
	expect.Is(t, string(text), want, "it", text)
	if empty, err := json.Marshal(Rows{Schema: 1, Columns: []string{"a"}}); string(empty) != `{"schema":1,"views":1,"columns":["a"],"rows":[]}` {
		t.Errorf("no row gives %s, %v", empty, err)
	}
}

func TestRowsAsTextOfOthers(t *testing.T) {
	got, err := someRows.CSV()
	want := "n,text,n,f\n1,\"a | b\nc, \"\"d\"\" \x1b[31m\",-20,0.5\n,メモ 📈,,+Inf\n1234,ff00,,1e+21\n"
	if got != want || err != nil {
		t.Errorf("CSV is %q, %v", got, err)
	}
	lines := Rows{Columns: []string{"a_b", "c"}, Rows: [][]any{{"x|y [[z]]\n# <% t %> $=1", nil}}}.Markdown()
	if got, want := strings.Join(lines, "\n"), "| a\\_b | c |\n| --- | --- |\n| x\\|y \\[\\[z\\]\\] \\# \\<\\% t \\%\\> \\$=1 |  |"; got != want {
		t.Errorf("Markdown is\n%s\nand not\n%s", got, want)
	}
}

// Each view and column is in the schema that is printed, on lines that fit.
func TestSchemaLines(t *testing.T) {
	s := NewSchema()
	lines := s.Lines(80)
	for _, line := range lines {
		if lipgloss.Width(line) > 80 {
			t.Errorf("%q does not fit", line)
		}
	}
	text := strings.Join(lines, "\n")
	for _, v := range s.Views {
		for _, c := range v.Columns {
			expect.Has(t, text, "\n  "+c.Name+" ", v.Name, ".", c.Name, "not there")
		}
	}
}
