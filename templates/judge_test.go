package templates

import (
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"text/template"

	"github.com/sessionloom/sessionloom/testdata"
	"github.com/sessionloom/sessionloom/vault/inert"
)

// fieldPaths are the fields of the views of all notes, as a template asks for them.
func fieldPaths() map[reflect.Type][]string {
	out := map[reflect.Type][]string{}
	var visit func(page, typ reflect.Type, path string, depth int)
	visit = func(page, typ reflect.Type, path string, depth int) {
		out[page] = append(out[page], path)
		switch {
		case depth > 3:
		case typ.Kind() == reflect.Slice:
			visit(page, typ.Elem(), "(index "+path+" 0)", depth+1)
		case typ.Kind() == reflect.Struct && typ.PkgPath() == reflect.TypeFor[Set]().PkgPath():
			for i := range typ.NumField() {
				visit(page, typ.Field(i).Type, path+"."+typ.Field(i).Name, depth+1)
			}
		}
	}
	for _, v := range allViews() {
		if isNote(v.page()) {
			visit(reflect.TypeOf(v), reflect.TypeOf(v), "$", 0)
		}
	}
	return out
}

// Whatever a text says and whatever a template does with the field it is in, what is
// printed is inert.
func TestEveryFieldOfEveryViewIsInert(t *testing.T) {
	texts := append(hostileTexts(), testdata.Hostile)
	r := rand.New(rand.NewPCG(5, 8))
	for range 20 {
		texts = append(texts, testdata.HostileMix(r, 12))
	}
	uses := []string{"{{%s}}", "x {{%s}} y", "{{print %s}}", "{{with %s}}{{.}}{{end}}", "{{range $i, $x := slice %s 0}}{{$x}}\n{{end}}", "{{slice %s 1}}",
		"{{inline %s}}", "{{markdown %s}}", "> x\n{{quote 1 %s}}", "{{code %s}}", "| {{cell %s}} | {{cellCode %s}} |\n|---|---|", "# {{heading %s}}", "{{dots %s %s}}", "{{link %s}}",
		"{{fence %s %s}}", "{{document %s %s}}", "{{webLink %s %s}}", "{{codes %s}}", "{{shown %s}}", "{{opened %s %s}}", "{{showView %s \"x\"}}", "{{inline (remark %s)}}"}
	tried := 0
	for page, paths := range fieldPaths() {
		for _, path := range paths {
			for i, use := range uses {
				text := texts[(tried+i)%len(texts)]
				f := filler{text: text, seed: tried}
				parsed, err := template.New("").Funcs(funcs()).Funcs(template.FuncMap{"printed": printed}).Parse(strings.ReplaceAll(use, "%s", path))
				must(t, err)
				guarded(parsed.Tree)
				var out strings.Builder
				if err := parsed.Execute(&out, f.value(page, "", 0).Interface()); err != nil {
					continue // the function does not take it
				}
				tried++
				for _, finding := range inert.Find(string(blankLines(nil, []byte(out.String())))) {
					t.Errorf("%s of %q in %s: %s %q", path, text, use, finding.Kind, finding.Text)
				}
			}
		}
	}
	if tried < 1500 {
		t.Errorf("tried %d", tried)
	}
}

// A place that no trial comes by is judged when it is rendered: the page fails, and says
// what would act.
func TestPageThatActsIsNotRendered(t *testing.T) {
	for text, title := range map[string]Text{
		"{{if eq .Prompts 77}}`{{.Title}}`{{end}}":              "INPUT[x]",
		"{{if eq .Prompts 77}}<% {{.Title}} %>{{end}}":          "quite harmless",
		"{{if eq .Prompts 77}}$$ {{.Title}} $$ #tag{{end}}":     "x",
		"{{if eq .Prompts 77}}[x]({{.Title}}){{end}}":           "obsidian://open",
		"{{if eq .Prompts 77}}%{{.Title}}{{end}}":               "%",
		"{{if gt (len .Title) 400}}{{.Title}}{{.Title}}{{end}}": Text(strings.Repeat("%", 401)),
		"%% mine %% {{if eq .Prompts 77}}%% {{.Title}}{{end}}":  "x",
		"{{if eq .Prompts 77}}\n%% /sessionloom body{{end}}":    "x",
	} {
		s := own(t, "session.tmpl", `{{define "session"}}# {{heading .Title}}{{gap}}`+text+`{{end}}`)
		if page, err := s.Page(Session{Title: title, Prompts: 77}); err == nil {
			t.Errorf("%s is rendered: %s", text, page)
		}
		if _, err := s.Page(Session{Title: "x", Prompts: 1}); err != nil {
			t.Errorf("%s of another session: %v", text, err)
		}
	}
}

// What a template itself has act beside a text is its author's.
func TestWhatTheAuthorHasActStays(t *testing.T) {
	for _, text := range []string{
		"#agent {{link .Project}}", "<details><summary>More</summary>{{gap}}{{markdown .Summary}}{{gap}}</details>", "x <b>y</b> {{.Title}}", "%% mine %% {{.Title}}", "status:: {{.Agent}}",
		"`x` {{.Title}}", "```dataview\nLIST\n```{{gap}}{{.Title}}", "![[Sessions.base#x]] {{.Title}}", "> [!tip] {{.Title}}",
		"$$x$$ {{.Title}} $$y$$", "[x](https://example.com) {{.Title}}", "- [ ] {{.Title}}", "{{.Title}}: {{.Summary}}", "<% tp.date.now() %> {{.Title}}", "^block {{.Title}}",
		"{{if .Title}}{{.Title}}{{else}}none{{end}} x", "<!-- x -->{{gap}}{{.Title}}", "a < {{.Title}}", "{{range $i, $x := .Damage}}{{if $i}}, {{end}}{{$x}}{{end}}", "[[Mine|{{number .Prompts}}]] {{.Title}}",
	} {
		s := own(t, "session.tmpl", `{{define "session"}}`+text+`{{end}}`)
		if _, err := s.Page(hostileSession()); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// Templates that passed their trial need no other; their pages are judged all the same.
func TestTriedTemplatesAreJudged(t *testing.T) {
	files := map[string]string{"session.tmpl": `{{define "session"}}{{if eq .Prompts 77}}<% {{.Title}} %>{{end}}{{end}}`}
	looks := 0
	judge := func(page, word string) []string {
		looks++
		return inert.Acting(page, word)
	}
	first, err := With(files, judge, "")
	if err != nil || looks == 0 {
		t.Fatalf("%v, looked %d times", err, looks)
	}
	looks = 0
	set, err := With(files, judge, first.Fingerprint())
	if err != nil || looks != 0 {
		t.Errorf("%v, looked %d times", err, looks)
	}
	if _, err := set.Page(Session{Title: "x", Prompts: 77}); err == nil {
		t.Error("a command of Templater with a text in it is rendered")
	}
}
