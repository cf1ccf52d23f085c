package templates

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
)

// own is a set with one file of a user.
func own(t *testing.T, name, text string) *Set {
	t.Helper()
	s, err := With(map[string]string{name: text})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestOwnTemplateStandsInPlaceOfThePartItDefines(t *testing.T) {
	s := own(t, "session.tmpl", "\uFEFF{{/* mine */ -}}\r\n{{define \"touched\"}}{{with .Files}}## Touched files\r\n{{ gap -}}\r\n{{range .}}- {{code .Path}}\r\n{{end}}{{end}}{{gap}}{{end}}\r\n")
	got, err := s.Session(rotationView())
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(got, "\n\n## Touched files\n\n- `internal/auth/jwt.go`\n- `internal/auth/keyring.go`\n\n## Conversation\n") {
		t.Errorf("the user's part is not in the page:\n%s", got)
	}
	if strings.Contains(got, "## Files") || !strings.Contains(got, "## Checkpoints") {
		t.Errorf("the user's part stands beside the program's, or instead of too much:\n%s", got)
	}
}

func TestPartDefinedAsEmptyIsGone(t *testing.T) {
	got, err := own(t, "project.tmpl", `{{define "weeks"}}{{end}}`).Project(projectView())
	if err != nil || strings.Contains(got, "per week") || !strings.Contains(got, "## Hot files") {
		t.Errorf("%v\n%s", err, got)
	}
}

func TestFingerprintFollowsTheUser(t *testing.T) {
	embedded := embeddedSet(t)
	for _, s := range embedded.Sheets() {
		if own(t, s.Name, s.Text).Fingerprint() != embedded.Fingerprint() {
			t.Errorf("%s, copied and left as it is, changes the fingerprint", s.Name)
		}
	}
	a := own(t, "nav.tmpl", `{{define "nav"}}{{link .Up}}{{end}}`).Fingerprint()
	b := own(t, "nav.tmpl", `{{define "nav"}}Up: {{link .Up}}{{end}}`).Fingerprint()
	if a == b || a == embedded.Fingerprint() || b == embedded.Fingerprint() {
		t.Errorf("fingerprints %s, %s, %s", a, b, embedded.Fingerprint())
	}
}

// What is wrong with a file is told with its line, and nothing is rendered by
// the file of the program instead.
func TestFaultsAreToldWithFileAndLine(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"nav.tmpl", "{{define \"nav\"}}\n{{if .Up}}{{end}}", "nav.tmpl:2: unexpected EOF"},
		{"nav.tmpl", "{{define \"nav\"}}\n\n{{shell .Up}}{{end}}", `nav.tmpl:3: function "shell" not defined`},
		{"nav.tmpl", "{{define \"nav\"}}\n{{printf \"%s\" .Up}}{{end}}", `nav.tmpl:2: function "printf" not defined`},
		{"nav.tmpl", "{{define \"nav\"}}\n{{.Up.Text}}{{end}}", "nav.tmpl:2: {{.Up.Text}} prints text as it is"},
		{"nav.tmpl", "{{define \"nav\"}}\n`{{inline .Up.Text}}`{{end}}", "nav.tmpl:2: {{inline .Up.Text}} stands inside a code span"},
		{"nav.tmpl", "{{define \"nav\"}}\n{{inline .Up.Title}}{{end}}", "nav.tmpl:2: Link has no field Title"},
		{"nav.tmpl", "{{define \"nav\"}}{{range .Days}}\n{{with .Path}}{{inline $.Day}}{{end}}{{end}}{{end}}", "nav.tmpl:2: Nav has no field Day"},
		{"turn.tmpl", "{{define \"turn\"}}{{if eq .Status \"sleeping\"}}\n{{inline .Dreams}}{{end}}{{end}}", "turn.tmpl:2: Turn has no field Dreams"},
		{"turn.tmpl", "{{define \"turn\"}}{{range $i, $x := .Tools}}\n{{inline $x.Nick}}{{end}}{{end}}", "turn.tmpl:2: ToolLine has no field Nick"},
		{"turn.tmpl", "{{define \"turn\"}}{{if eq .Status \"failed\"}}\n{{inline .Tools}}{{end}}{{end}}", "turn.tmpl:2: the trial of page \"session\" failed"},
		{"turn.tmpl", "{{define \"turn\"}}{{template \"bit\" .Tools}}{{end}}\n{{define \"bit\"}}{{inline .Name}}{{end}}", "turn.tmpl:2: a list of ToolLine has no field Name"},
		{"turn.tmpl", "{{define \"turn\"}}\n{{inline (.At.Local.Format \"2006\")}}{{end}}", "turn.tmpl:2: time has no field Local"},
		{"turn.tmpl", "{{define \"turn\"}}\n{{range .Number}}x{{end}}{{end}}", "turn.tmpl:2: .Number is no list to range over"},
		{"turn.tmpl", "{{define \"turn\"}}\n{{template \"thread\" .}}{{end}}", `turn.tmpl:2: template "thread" does not take Turn: Turn has no field Text`},
		{"turn.tmpl", "{{define \"turn\"}}\n{{template \"thraed\" .}}{{end}}", `turn.tmpl:2: there is no template "thraed"`},
		{"turn.tmpl", "{{define \"turn\"}}\n{{template \"turn\" .}}{{end}}", `turn.tmpl:2: template "turn" uses itself`},
		{"turn.tmpl", "\n{{define \"trun\"}}x{{end}}", `turn.tmpl:2: no page uses the template "trun"`},
		{"turn.tmpl", "\n{{define \"nav\"}}x{{end}}", `turn.tmpl:2: template "nav" belongs to nav.tmpl`},
		{"turn.tmpl", "\n\n# My page", "turn.tmpl:3: text outside of {{define}} is printed nowhere"},
		{"turn.tmpl", "{{define \"turn\"}}%% sessionloom:end body %%{{end}}", "looks like a marker of a region"},
		{"trun.tmpl", "{{define \"turn\"}}x{{end}}", "trun.tmpl: there is no template of this name"},
	} {
		_, err := With(map[string]string{c.name: c.text})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %s", c.text, err, c.want)
		}
		var f *Fault
		if !errors.As(err, &f) || f.File != c.name && c.name != "turn.tmpl" {
			t.Errorf("%s: no fault of the file: %v", c.text, err)
		}
	}
}

func TestAllFaultsAreTold(t *testing.T) {
	_, err := With(map[string]string{"nav.tmpl": "{{define \"nav\"}}\n{{.Up}}\n{{.Prev}}{{end}}", "day.tmpl": "{{define \"day\"}}{{.Date}}{{end}}"})
	if err == nil || strings.Count(err.Error(), "\n") != 2 || !strings.HasPrefix(err.Error(), "day.tmpl:1: ") {
		t.Errorf("got %v", err)
	}
}

func TestFieldWithoutEscaperIsFound(t *testing.T) {
	for _, text := range []string{
		`{{.Title}}`, `{{with .Title}}{{.}}{{end}}`, `{{range $i, $x := .Open}}{{$x}}{{end}}`, `{{inline .A | print "x"}}`,
		`{{promptTitle .Prompt}}`, `{{dots (inline .A) .B}}`, `{{if .A}}x{{else}}{{print .A}}{{end}}`,
		`{{count .N .A .B}}`, `{{.A | count 3 "x"}}`, `{{with inline .A}}{{range .B}}{{.}}{{end}}{{end}}`, `{{with inline .A}}{{.B}}{{end}}`,
		`{{with inline .A}}x{{else}}{{.}}{{end}}`, `{{with inline .A}}x{{else with .B}}{{.}}{{end}}`, `{{with $x := inline .A}}{{.}}{{end}}`,
		`{{about .Title .Session}}`, `{{address .Title "https://example.com"}}`, `{{"https://example.com" | address .Title}}`, `{{.A | about}}`,
		`{{dots (about .Title .Session)}}`, `{{index .List 0}}`, `{{.At.Format "2006"}}`, `{{slice .Title 1}}`, `{{$.Title}}`, `{{(index .L 0).Text}}`,
		`{{within .Title}}`, `{{opened .Title "x"}}`, `{{showView .SessionsBase .Title}}`, `{{showView .Title "x"}}`, `{{"x" | opened .Title}}`,
	} {
		s := sheet{name: "t.tmpl", text: `{{define "t"}}` + text + `{{end}}`}
		if err := s.parse(); err != nil {
			t.Errorf("%s: %v", text, err)
		} else if n := len(unescaped(s.trees["t"].Root)); n != 1 {
			t.Errorf("%s: found %d faults", text, n)
		}
	}
}

func TestEscapedTextAtAWrongPlaceIsFound(t *testing.T) {
	wrong := map[string]string{
		"`{{inline .A}}`": "code span", "```go\n{{markdown .A}}\n```": "code fence", "> ~~~\n{{quote 1 .A}}": "code fence",
		"[x]({{inline .A}})": "address", "[[{{inline .A}}]]": "link", "<a href=\"{{inline .A}}\">": "HTML", "<div>\n{{inline .A}}": "HTML block",
		"> <p>{{inline .A}}": "HTML block", "%% {{inline .A}} %%": "comment", "<!-- a\n\nb {{inline .A}} -->": "HTML", "<script>\nx\n\n{{inline .A}}</script>": "HTML",
		"{{if .B}}`{{end}}{{inline .A}}": "code span", "{{inline .A}}{{inline .B}}": "directly behind", "{{inline .A}}{{with .B}}{{inline .}}{{end}}": "directly behind",
		"<{{inline .A}}": "directly behind", "%{{cell .A}}": "directly behind", "{{if .A}}x{{else}}{{inline .A}}{{end}}{{inline .B}}": "directly behind",
		"{{label .A}}": "outside of a diagram", "{{\"`\"}}{{inline .A}}": "code span",
		"{{range .A}}{{inline .}}{{end}}": "directly behind", "{{range .A}}{{inline .}}\n```js\n{{end}}": "code fence",
		"{{range $i, $x := .A}}{{if $i}}%{{end}}{{inline $x}}{{end}}": "directly behind",
		"- ```js\n  {{inline .A}}":                                    "code fence", "1. ~~~js\n   {{inline .A}}": "code fence", "````js\n```\n{{inline .A}}": "code fence",
		"$$\n{{inline .A}}\n$$": "formula", "<% {{inline .A}} %>": "Templater", "`{{template \"part\" .A}}`": "code span", "{{template \"open\"}}{{inline .A}}": "code fence",
		"{{inline .A}}{{template \"part\" .A}}": "directly behind", "{{template \"b0\" .A}}": "too often",
	}
	const others = `{{define "part"}}{{inline .}}{{end}}{{define "open"}}` + "```js\n{{end}}"
	var bomb strings.Builder
	for i := range 30 {
		fmt.Fprintf(&bomb, `{{define "b%d"}}{{template "b%d" .}} {{template "b%d" .}}{{end}}`, i, i+1, i+1)
	}
	for text, want := range wrong {
		s := sheet{name: "t.tmpl", text: `{{define "t"}}` + text + `{{end}}` + others + bomb.String() + `{{define "b30"}}{{inline .}}{{end}}`}
		if err := s.parse(); err != nil {
			t.Fatal(err)
		}
		if f := wrongPlaces(s.trees["t"], s.trees); len(f) != 1 || !strings.Contains(f[0].Error(), want) {
			t.Errorf("%s: got %v, want %s", text, f, want)
		}
	}
	for _, text := range []string{
		"{{if .A}}{{inline .A}}{{else}}{{inline .B}}{{end}} x", "{{inline .A}}{{about \" — \" .B}}", "{{inline .A}}{{gap}}{{inline .B}}", "{{inline .A}}{{number .B}}",
		"`x` {{inline .A}}", "```\nx\n```\n{{inline .A}}", "[x](https://example.com) {{inline .A}}", "a < {{inline .A}}", "x <b>y</b> {{inline .A}}",
		"<details><summary>x</summary>\n\n{{markdown .A}}", "<details>{{gap}}{{markdown .A}}", "```mermaid\n  x [{{label .A}}, {{plain .N}}]\n```", "`{{number .N}}`", "{{range $i, $x := .A}}{{if $i}}, {{end}}{{inline $x}}{{end}}", "- ```sh\n  x\n  ```\n- {{inline .A}}", "<!-- x -->\n\n{{inline .A}}",
	} {
		s := sheet{name: "t.tmpl", text: `{{define "t"}}` + text + `{{end}}`}
		if err := s.parse(); err != nil {
			t.Fatal(err)
		}
		if f := wrongPlaces(s.trees["t"], s.trees); len(f) > 0 {
			t.Errorf("%s: %v", text, f)
		}
	}
}

// Text that passed the checks cannot act, whatever a transcript holds.
func TestOwnPagesOfHostileTextAreInert(t *testing.T) {
	s := own(t, "session.tmpl", `{{define "session"}}# {{heading .Title}}
{{gap}}{{inline .Summary}} {{about "of " .Parent}}{{gap}}
{{- range .Turns}}{{markdown .Prompt}}{{gap}}{{.Answer | quote 1}}{{gap}}{{with inline (print .Status " " .Error)}}{{.}}{{end}}{{gap}}{{end}}{{end}}`)
	got, err := s.Session(hostileSession())
	if err != nil {
		t.Fatal(err)
	}
	if o := read(got); len(o.faults) > 0 {
		t.Errorf("%q in\n%s", o.faults, got)
	}
}

// A template that multiplies what it is given fails, it does not fill the memory.
func TestOwnPageIsBounded(t *testing.T) {
	s := own(t, "session.tmpl", `{{define "session"}}{{range .Turns}}{{range $.Turns}}{{range $.Turns}}{{range $.Turns}}a line that stands there again and again
{{end}}{{end}}{{end}}{{end}}{{end}}`)
	if page, err := s.Session(Session{Turns: make([]Turn, 100)}); err == nil || !strings.Contains(err.Error(), "grows beyond") {
		t.Errorf("a page of %d bytes, %v", len(page), err)
	}
}

// Every page that a method renders is checked before it is used.
func TestEveryPageIsTriedOut(t *testing.T) {
	known := map[reflect.Type]string{}
	for _, p := range allPages() {
		known[p.view] = p.name
	}
	set := reflect.TypeFor[*Set]()
	for i := range set.NumMethod() {
		m := set.Method(i)
		if m.Type.NumIn() == 2 && m.Type.In(1).Kind() == reflect.Struct && known[m.Type.In(1)] == "" {
			t.Errorf("the page of Set.%s is not in allPages", m.Name)
		}
	}
}

// What a file of the program is shown and exported as says what it is for, and
// can be taken over part by part.
func TestSheetsOfTheProgram(t *testing.T) {
	base, err := builtin(embedded)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range base {
		sheet := s.shown(nil)
		if !strings.HasSuffix(sheet.About, ".") || len(sheet.Parts) != len(s.trees) {
			t.Errorf("%s: about %q, parts %q of %d", s.name, sheet.About, sheet.Parts, len(s.trees))
		}
		_, texts := parts(s.text)
		for _, name := range sheet.Parts {
			if _, err := With(map[string]string{s.name: texts[name]}); err != nil {
				t.Errorf("part %q alone: %v", name, err)
			}
		}
	}
}

func TestSheetShowsWhatIsInForce(t *testing.T) {
	s := own(t, "project.tmpl", `{{define "weeks"}}mine{{end}}`)
	for _, sheet := range s.Sheets() {
		if sheet.Own != (sheet.Name == "project.tmpl") {
			t.Errorf("%s: own is %v", sheet.Name, sheet.Own)
		}
		if !sheet.Own {
			continue
		}
		again := own(t, sheet.Name, sheet.Text)
		a, _ := s.Project(projectView())
		b, _ := again.Project(projectView())
		if a != b || strings.Contains(sheet.Text, "per week") || !strings.Contains(sheet.Text, "Hot files") {
			t.Errorf("what is shown is not what is in force:\n%s", sheet.Text)
		}
	}
}
