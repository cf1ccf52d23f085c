package templates

import (
	"reflect"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/templates/escape"
)

// Judge returns what would act in a page for Obsidian and its plugins, such as "html: <b>"; given a word,
// only what contains it.
type Judge func(page, word string) []string

// The words that mark text for the judge. Labels in diagrams leave the canary out: they may be in a fence.
const (
	canary = "\uFFFD"
	marked = "Zq"
)

// kindFence is the kind of text in a fence that something runs.
const kindFence = "fence"

// isNote reports whether a page is markdown; the others are bases.
func isNote(page string) bool { return !strings.HasSuffix(page, ".base") }

// acting returns what the texts of a view do in their page, beyond what the template itself does.
func (s *Set) acting(name string, view any, page string) ([]string, error) {
	harmless, err := s.render(name, s.withoutSigns(reflect.ValueOf(view)).Interface())
	if err != nil {
		return nil, err
	}
	out := s.judge(harmless, canary)
	for _, f := range s.judge(harmless, marked) {
		if kindOf(f) != kindFence {
			out = append(out, f)
		}
	}
	own := map[string]int{}
	for _, f := range s.judge(harmless, "") {
		own[kindOf(f)]++
	}
	for _, f := range s.judge(page, "") {
		kind := kindOf(f)
		if own[kind]--; own[kind] < 0 {
			out = append(out, f)
		}
	}
	return out, nil
}

func kindOf(finding string) string {
	kind, _, _ := strings.Cut(finding, ":")
	return kind
}

// withoutSigns copies a view with harmless texts of the same form. Texts that templates compare stay.
func (s *Set) withoutSigns(v reflect.Value) reflect.Value {
	out := reflect.New(v.Type()).Elem()
	switch {
	case v.Type() == reflect.TypeFor[Path]() || v.Type() == reflect.TypeFor[time.Time]():
		return v
	case v.Type() == reflect.TypeFor[Address]() && v.String() != "":
		out.SetString("https://example.com")
	case v.Kind() == reflect.String && s.literals[Text(v.String())]:
		return v
	case v.Kind() == reflect.String:
		out.SetString(lettersOf(v.String()))
	case v.Kind() == reflect.Slice && v.Len() > 0:
		out.Set(reflect.MakeSlice(v.Type(), v.Len(), v.Len()))
		for i := range v.Len() {
			out.Index(i).Set(s.withoutSigns(v.Index(i)))
		}
	case v.Kind() == reflect.Struct:
		for i := range v.NumField() {
			out.Field(i).Set(s.withoutSigns(v.Field(i)))
		}
	default:
		return v
	}
	return out
}

// lettersOf returns a text of the same form that begins with the judge's words.
func lettersOf(s string) string {
	const words = canary + marked
	if escape.OneLine(s) == "" {
		return s
	}
	out := []byte(s)
	for i, c := range out {
		if c != ' ' && c != '\n' && (c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z') {
			out[i] = 'x'
		}
	}
	line, _, _ := strings.Cut(string(out), "\n")
	return words + string(out[min(len(words), len(line)):])
}
