package templates

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"text/template/parse"
	"time"
)

// The trial renders each page of a user's templates with invented views, empty and hostile ones.

func allViews() []View {
	return []View{
		Session{}, Checkpoint{}, Memory{}, Project{}, File{}, Issue{}, Day{}, WeekSummary{}, Home{}, Threads{}, Nav{}, SessionsBase{}, FilesBase{},
	}
}

// hostileTexts returns signs that act somewhere, alone or with their neighbours.
func hostileTexts() []string {
	return []string{
		"a [[b]] ![[c]] #d ^e", "b x=\"> <script>c</script> <!-- d", "% /sessionloom body %%", "%> <%= a %> <%",
		"$$ \\require{a} $$ $b$ $", "= this.file.name", "$= app.vault", "INPUT[toggle:a]", "`[[a]] <b> %%` `` ``` ` ~~~",
		"```dataviewjs\na\n```\n[[b]] <b>\n~~~\n[[c]]", "> [!danger] a\n> - [ ] b\n\n    <b> c", "# a\nb\n===\nc\n---\n[d]: https://example.com",
		"---", "a](javascript:b) [c](obsidian://d) ![e](https://example.com/f.png)", "[a](https://example.com/b) !",
		": key:: value", "!danger] a", "x", "| a | b |\n|---|---|\n| [[c]] | <b> |", "] ) \" ' --> */ } \\", "javascript:a", "/script>", "^[a] [^b] ==c== =", "`a | <b> [[c]]`", "//a", "(javascript:a) b [c]",
		"[a](https://example.com/b) ^", "a #", "% a <", "dataviewjs",
	}
}

type trial struct {
	*Set
	own     map[string]*parse.Tree // templates of the user
	decided map[string][]Text      // field → texts that templates compare it with
	faults  []*Fault
}

func (t *trial) run() []*Fault {
	for _, v := range allViews() {
		if t.judged[v.page()] {
			t.page(v.page(), reflect.TypeOf(v))
		}
	}
	return t.faults
}

func (t *trial) page(name string, of reflect.Type) {
	for i, v := range t.views(of) {
		page, err := t.render(name, v)
		if err == nil && regionRule.MatchString(page) {
			err = &Fault{File: name + ".tmpl", Err: errMarker}
		}
		if err == nil && isNote(name) && (i == 1 || len(t.judge(page, "")) > 0) { // the context of texts is the same for all
			err = t.judgeTrial(name, v, page)
		}
		if err != nil {
			f := faultOf(err, name+".tmpl")
			t.faults = append(t.faults, &Fault{File: f.File, Line: f.Line, Err: fmt.Errorf("the trial of page %q failed: %w", name, f.Err)})
			return
		}
	}
}

// views returns empty and hostile views, enough for each field to have each compared value.
func (t *trial) views(of reflect.Type) []any {
	out := []any{reflect.Zero(of).Interface()}
	most := 0
	for _, words := range t.decided {
		most = max(most, len(words))
	}
	for turn := range most + 1 {
		for i, text := range hostileTexts() {
			f := filler{text: text, decided: t.decided, turn: turn, seed: turn + i}
			out = append(out, f.value(of, "", 0).Interface())
		}
	}
	for _, word := range slices.Sorted(maps.Keys(t.literals)) {
		f := filler{text: string(word)}
		out = append(out, f.value(of, "", 0).Interface())
	}
	return out
}

// judgeTrial blames each part whose text acts, and removes it from the templates.
func (t *trial) judgeTrial(name string, view any, page string) error {
	acting, err := t.acting(name, view, page)
	if err != nil || len(acting) == 0 {
		return err
	}
	for _, of := range slices.Sorted(maps.Keys(t.own)) {
		inspect(t.own[of].Root, func(n parse.Node) {
			list, ok := n.(*parse.ListNode)
			if !ok {
				return
			}
			for i, part := range list.Nodes {
				if !prints(part) || len(acting) == 0 {
					continue
				}
				list.Nodes[i] = &parse.TextNode{NodeType: parse.NodeText, Text: []byte("x")}
				less, err := t.actingNow(name, view)
				if err != nil || len(less) >= len(acting) {
					list.Nodes[i] = part
					continue
				}
				t.faults = append(t.faults, faultAt(t.own[of], part, fmt.Sprintf("%s stands where text of a transcript would act (%s)", strings.Replace(part.String(), " | printed", "", 1), acting[0])))
				acting = less
			}
		})
	}
	if len(acting) > 0 {
		return fmt.Errorf("text of a transcript would act in the page (%s)", acting[0])
	}
	return nil
}

func (t *trial) actingNow(name string, view any) ([]string, error) {
	page, err := t.render(name, view)
	if err != nil {
		return nil, err
	}
	return t.acting(name, view, page)
}

func prints(n parse.Node) bool {
	if a, ok := n.(*parse.ActionNode); ok {
		return len(a.Pipe.Decl) == 0
	}
	_, ok := n.(*parse.TemplateNode)
	return ok
}

const maxDepth = 8

type filler struct {
	text    string
	decided map[string][]Text
	turn    int // index of a field's compared value
	seed    int
	count   int // number of values made so far
}

func (f *filler) value(t reflect.Type, field string, depth int) reflect.Value {
	v := reflect.New(t).Elem()
	f.count++
	n := f.seed + f.count
	switch {
	case depth > maxDepth:
	case t == reflect.TypeFor[time.Time]():
		if n%5 > 0 {
			v.Set(reflect.ValueOf(time.Date(2026, time.November, 3, 8, 30, 0, 0, time.UTC)))
		}
	case t == reflect.TypeFor[Path]():
		v.SetString(f.path(field, n))
	case t == reflect.TypeFor[Address]():
		v.SetString([]string{"https://example.com/a", f.text, "javascript:a"}[n%3])
	case t.Kind() == reflect.String:
		v.SetString(f.textFor(field))
	case t.Kind() == reflect.Int:
		v.SetInt(int64(2 - n%3))
	case t.Kind() == reflect.Bool:
		v.SetBool(n%2 == 0)
	case t.Kind() == reflect.Slice:
		v = reflect.Append(v, f.value(t.Elem(), field, depth+1))
		if depth <= 2 { // deeper levels would fill the page
			v = reflect.Append(v, f.value(t.Elem(), field, depth+1))
		}
	case t.Kind() == reflect.Struct:
		for i := range t.NumField() {
			v.Field(i).Set(f.value(t.Field(i).Type, t.Field(i).Name, depth+1))
		}
	}
	return v
}

// textFor returns one of the values that templates compare, or the text of the view.
func (f *filler) textFor(field string) string {
	words := f.decided[field]
	if i := (f.turn + f.count) % (len(words) + 1); i < len(words) {
		return string(words[i])
	}
	return f.text
}

func (f *filler) path(field string, n int) string {
	paths := map[string]string{"Folder": "Trial", "Canvas": "Trial/a.canvas", "SessionsBase": "Trial/Sessions.base",
		"FilesBase": "Trial/Files.base", "Images": "Trial/attachments/0123456789abcdef.png"}
	switch path := paths[field]; {
	case n%4 == 0 && field != "Folder":
		return ""
	case path != "":
		return path
	}
	return "Trial/sessions/note"
}
