package templates

import (
	"errors"
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/testdata/expect"
	"github.com/sessionloom/sessionloom/vault/inert"
)

// own is a set with one file of a user.
func own(t *testing.T, name, text string) *Set {
	t.Helper()
	s := expect.Value(With(map[string]string{name: text}, inert.Acting, ""))(t)
	return s
}

func TestOwnTemplateStandsInPlaceOfThePartItDefines(t *testing.T) {
	s := own(t, "session.tmpl", "\uFEFF{{/* mine */ -}}\r\n{{define \"touched\"}}{{with .Files}}## Touched files\r\n{{ gap -}}\r\n{{range .}}- {{code .Path}}\r\n{{end}}{{end}}{{gap}}{{end}}\r\n")
	got := expect.Value(s.Page(rotationView()))(t)
	if !strings.Contains(got, "\n\n## Touched files\n\n- `internal/auth/jwt.go`\n- `internal/auth/keyring.go`\n\n> [!example]- Commands") {
		t.Errorf("the user's part is not in the page:\n%s", got)
	}
	if strings.Contains(got, "## Files") || !strings.Contains(got, "## Checkpoints") {
		t.Errorf("the user's part stands beside the program's, or instead of too much:\n%s", got)
	}
}

func TestPartDefinedAsEmptyIsGone(t *testing.T) {
	got, err := own(t, "project.tmpl", `{{define "now"}}{{end}}`).Page(projectView())
	if err != nil || strings.Contains(got, "## Now") || !strings.Contains(got, "## Hot files") {
		t.Errorf("%v\n%s", err, got)
	}
}

func TestFingerprintFollowsTheUser(t *testing.T) {
	embedded := embeddedSet(t)
	for _, s := range embedded.Files() {
		expect.Is(t, own(t, s.Name, s.Text).Fingerprint(), embedded.Fingerprint(), s.Name, "copied and left as it is, changes the fingerprint")
	}
	a := own(t, "nav.tmpl", `{{define "nav"}}{{link .Up}}{{end}}`).Fingerprint()
	b := own(t, "nav.tmpl", `{{define "nav"}}Up: {{link .Up}}{{end}}`).Fingerprint()
	if a == b || a == embedded.Fingerprint() || b == embedded.Fingerprint() {
		t.Errorf("fingerprints %s, %s, %s", a, b, embedded.Fingerprint())
	}
}

// What is wrong with a file is reported with its line, and nothing is rendered by
// the file of the program instead.
func TestFaultsAreToldWithFileAndLine(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"nav.tmpl", "{{define \"nav\"}}\n{{if .Up}}{{end}}", "nav.tmpl:2: unexpected EOF"},
		{"nav.tmpl", "{{define \"nav\"}}\n\n{{shell .Up}}{{end}}", `nav.tmpl:3: function "shell" not defined`},
		{"nav.tmpl", "{{define \"nav\"}}\n{{printf \"%s\" .Up}}{{end}}", `nav.tmpl:2: function "printf" not defined`},
		{"nav.tmpl", "{{define \"nav\"}}\n[[{{.Up.Text}}]]{{end}}", "nav.tmpl:2: {{.Up.Text}} stands where text of a transcript would act (wikilink: "},
		{"nav.tmpl", "{{define \"nav\"}}\n{{inline .Up.Title}}{{end}}", "nav.tmpl:2: the trial of page \"nav\" failed: "},
		{"nav.tmpl", "{{define \"nav\"}}{{range .Days}}\n{{with .Path}}{{inline $.Day}}{{end}}{{end}}{{end}}", "can't evaluate field Day in type templates.Nav"},
		{"turn.tmpl", "{{define \"turn\"}}{{if eq .Status \"sleeping\"}}\n{{inline .Dreams}}{{end}}{{end}}", "can't evaluate field Dreams in type templates.Turn"},
		{"turn.tmpl", "{{define \"turn\"}}{{range $i, $x := .Tools}}\n{{inline $x.Nick}}{{end}}{{end}}", "can't evaluate field Nick in type templates.ToolLine"},
		{"turn.tmpl", "{{define \"turn\"}}{{if eq .Status \"failed\"}}\n{{inline .Tools}}{{end}}{{end}}", "turn.tmpl:2: the trial of page \"session\" failed"},
		{"turn.tmpl", "{{define \"turn\"}}{{template \"bit\" .Tools}}{{end}}\n{{define \"bit\"}}{{inline .Name}}{{end}}", "turn.tmpl:2: the trial of page \"session\" failed"},
		{"turn.tmpl", "{{define \"turn\"}}\n{{range .Prompt}}x{{end}}{{end}}", "turn.tmpl:2: the trial of page \"session\" failed"},
		{"turn.tmpl", "{{define \"turn\"}}\n{{template \"thread\" .}}{{end}}", `can't evaluate field Text in type templates.Turn`},
		{"turn.tmpl", "{{define \"turn\"}}\n{{template \"thraed\" .}}{{end}}", `template "thraed" not defined`},
		{"turn.tmpl", "{{define \"turn\"}}\n{{template \"turn\" .}}{{end}}", `exceeded maximum template depth`},
		{"turn.tmpl", "\n{{define \"trun\"}}x{{end}}", `turn.tmpl:2: no page uses the template "trun"`},
		{"turn.tmpl", "\n\n# My page", "turn.tmpl:3: text outside of {{define}} is printed nowhere"},
		{"turn.tmpl", "{{define \"turn\"}}%% /sessionloom body x %%{{end}}", "looks like one of our comments"},
		{"trun.tmpl", "{{define \"turn\"}}x{{end}}", "trun.tmpl: there is no template of this name"},
	} {
		_, err := With(map[string]string{c.name: c.text}, inert.Acting, "")
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
	_, err := With(map[string]string{"nav.tmpl": "{{define \"nav\"}}\n<b {{link .Up}}>\n[x]({{link .Prev}}){{end}}", "day.tmpl": "{{define \"day\"}}#{{range .Open}}{{.Text}}{{end}}{{end}}"}, inert.Acting, "")
	if err == nil || strings.Count(err.Error(), "\n") != 2 || !strings.HasPrefix(err.Error(), "day.tmpl:1: ") {
		t.Errorf("got %v", err)
	}
}

// Whatever a template does with the text of a view, it does not print it raw.
func TestNoTemplatePrintsTextRaw(t *testing.T) {
	const live = "[[x]] <b> %% <% y %>"
	v := Session{Title: live, Branch: live, Folders: []Link{{Text: live}}, Damage: []Text{live}, Turns: []Turn{{Prompt: live}}, Commits: []Ref{{URL: live, Value: live}}}
	for _, text := range []string{
		`{{.Title}}`, `{{with .Title}}{{.}}{{end}}`, `{{range $i, $x := .Folders}}{{$x}}{{end}}`, `{{range .Folders}}{{.Text}}{{end}}`, `{{inline .Title | print "x"}}`,
		`{{promptTitle .Title}}`, `{{dots (inline .Title) .Branch}}`, `{{if .Models}}x{{else}}{{print .Title}}{{end}}`,
		`{{index .Damage 0}}`, `{{slice .Title 1}}`, `{{slice .Title 0 1}} x`, `{{$.Title}}`, `{{(index .Folders 0).Text}}`, `{{and .Title .Branch}}`, `{{or .Title .Branch}}`,
		`{{range .Commits}}{{.URL}} {{.Value}}{{end}}`, `{{slice (print .Title) 1}}`, `{{slice (remark .Title) 1}}`, `{{$x := .Title}}{{$x}}`, `{{print (inline .Title)}}`,
		`{{len .Title}} {{index .Title 0}}`, `{{if eq .Title "x"}}{{else}}{{.Title}}{{end}}`, `{{about "of " (index .Folders 0)}}`, `{{block "b" .Title}}{{.}}{{end}}`,
	} {
		s, err := With(map[string]string{"session.tmpl": `{{define "session"}}{{if .Title}}` + text + `{{end}}{{end}}`}, func(string, string) []string { return nil }, "")
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		page, err := s.Page(v)
		for _, f := range inert.Find(page) {
			t.Errorf("%s: %s %q", text, f.Kind, f.Text)
		}
		if err != nil || page == "" {
			t.Errorf("%s: %v, page %q", text, err, page)
		}
	}
	for _, text := range []string{
		`{{about .Title .Project}}`, `{{address .Title "https://example.com"}}`, `{{count 2 .Title "x"}}`, `{{within .Title}}`, `{{opened .Title "x"}}`, `{{shown .Title}}`,
		`{{showView .Title "x"}}`, `{{with $x := slice (inline .Title) 1}}{{$x}}{{end}}`, `{{index (inline .Title) 1}}`, `{{about (print .Title) .Project}}`, `{{count 2 "x" (remark .Title)}}`,
		`{{range .Title}}{{.}}{{end}}`, `{{print .}}`, `{{.Turns}}`, `{{.}}`, `{{range .Commits}}{{.}}{{end}}`, `{{dots .Damage}}`, `{{.Damage}}`, `{{printed .Title}}`, `{{(index .Turns 0).At.Format .Title}}`,
	} {
		if _, err := With(map[string]string{"session.tmpl": `{{define "session"}}{{if .Title}}` + text + `{{end}}{{end}}`}, inert.Acting, ""); err == nil {
			t.Errorf("%s is taken", text)
		}
	}
}

func TestTextAtAPlaceWhereItActsIsFound(t *testing.T) {
	const others = `{{define "part"}}{{inline .}}{{end}}`
	for _, text := range []string{
		"`{{inline .Title}}`", "```go\n{{markdown .Title}}\n```", "> ~~~\n{{quote 1 .Title}}", "[x]({{inline .Title}})", "[x](https://example.com/{{inline .Title}})", "[[{{inline .Title}}]]",
		"<a href=\"{{inline .Title}}\">", "<div>\n{{inline .Title}}", "> <p>{{inline .Title}}", "%% {{inline .Title}} %%", "%%\n{{inline .Title}}\n%%", "<!-- a\n\nb {{inline .Title}} -->",
		"<script>\nx\n\n{{inline .Title}}</script>", "{{if .Turns}}`{{end}}{{inline .Title}}", "{{inline .Title}}{{inline .Summary}}", "{{inline .Title}}{{with .Summary}}{{inline .}}{{end}}",
		"<{{inline .Title}}", "%{{cell .Title}}", "{{label .Title}}\n", "{{\"`\"}}{{inline .Title}}", "{{range .Damage}}{{inline .}}{{end}}", "{{range .Damage}}{{inline .}}\n```js\n{{end}}",
		"{{range $i, $x := .Damage}}{{if $i}}%{{end}}{{inline $x}}{{end}}", "$$\n{{inline .Title}}\n$$", "<% {{inline .Title}} %>", "<%*\nx\n{{inline .Title}}\n%>", "`{{template \"part\" .Title}}`",
		"```dataviewjs\n{{inline .Title}}\n```", "```mermaid\ngraph TD\nA[{{inline .Title}}]\n```", "`= {{inline .Title}}`", "#{{inline .Title}}", "![[{{inline .Title}}]]", "![x]({{range .Commits}}{{.URL}}{{end}})",
		"[x]({{range .Commits}}{{.URL}}{{end}})", "[^{{inline .Title}}]: x", "> [!{{inline .Title}}] x", "{{inline .Title}}:: x", "(a {{inline .Title}}:: x)", "- [{{inline .Title}}] x", "x ^{{inline .Title}}",
		"${{inline .Title}}$ and", "{{inline .Title}}{{template \"part\" .Title}}", "obsidian://open?file={{.Title}}", "#{{label .Title}}", "[[{{label .Title}}]]", "{{label .Title}}:: x", "<b {{label .Title}}>", "| a | b |\n|---|---|\n| {{inline .Title}} | x |", "```{{.Title}}\n{{.Summary}}\n```",
		"    {{markdown .Title}}", "> {{markdown .Title}}", "- {{markdown .Title}}", "obsidian:{{.Title}}", "[x]{{.Title}}", "a\\\\{{.Title}}{{.Title}}", "[{{inline .Title}}]: https://example.com",
	} {
		_, err := With(map[string]string{"session.tmpl": `{{define "session"}}` + text + `{{gap}}{{template "part" .Title}}{{end}}` + others}, inert.Acting, "")
		if err == nil || !strings.Contains(err.Error(), "session.tmpl:") {
			t.Errorf("%s: got %v", text, err)
		}
	}
}

// A template that multiplies what it is given fails, it does not fill the memory.
func TestOwnPageIsBounded(t *testing.T) {
	s := own(t, "session.tmpl", `{{define "session"}}{{range .Turns}}{{range $.Turns}}{{range $.Turns}}{{range $.Turns}}a line that stands there again and again
{{end}}{{end}}{{end}}{{end}}{{end}}`)
	if page, err := s.Page(Session{Turns: make([]Turn, 100)}); err == nil || !strings.Contains(err.Error(), "grows beyond") {
		t.Errorf("a page of %d bytes, %v", len(page), err)
	}
}

// What a file of the program is shown and exported as says what it is for, and
// can be taken over part by part.
func TestSheetsOfTheProgram(t *testing.T) {
	base := expect.Value(builtin(embedded))(t)
	if _, err := treesOf(base); err != nil {
		t.Fatal(err)
	}
	for _, s := range base {
		sheet := s.listed(nil)
		if !strings.HasSuffix(sheet.About, ".") || len(sheet.Parts) != len(s.trees) {
			t.Errorf("%s: about %q, parts %q of %d", s.name, sheet.About, sheet.Parts, len(s.trees))
		}
		_, texts := parts(s.text)
		for _, name := range sheet.Parts {
			if _, err := With(map[string]string{s.name: texts[name]}, inert.Acting, ""); err != nil {
				t.Errorf("part %q alone: %v", name, err)
			}
		}
	}
}

func TestSheetShowsWhatIsInForce(t *testing.T) {
	s := own(t, "project.tmpl", `{{define "now"}}mine{{end}}`)
	for _, sheet := range s.Files() {
		expect.Is(t, sheet.Own, (sheet.Name == "project.tmpl"), sheet.Name, "own")
		if !sheet.Own {
			continue
		}
		again := own(t, sheet.Name, sheet.Text)
		a, _ := s.Page(projectView())
		b, _ := again.Page(projectView())
		if a != b || strings.Contains(sheet.Text, "## Now") || !strings.Contains(sheet.Text, "Hot files") {
			t.Errorf("what is shown is not what is in force:\n%s", sheet.Text)
		}
	}
}
