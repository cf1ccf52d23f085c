package templates

import (
	"reflect"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/templates/escape"
)

// Judge reads a page as Obsidian and its plugins do, knowing nothing of how it was
// escaped. It names what would act there, each by a kind and its place: "html: <b>".
// Given a word, it names only that in which the word stands.
type Judge func(page, word string) []string

// The words by which the judge is asked in what a text stands. Every escaper shows them,
// but for that of labels in diagrams, which leaves the canary out: a label may stand in
// a fence, for it has no sign that acts in one.
const (
	canary = "\uFFFD"
	marked = "Zq"
)

// kindFence is the kind of what stands in a fence that something runs.
const kindFence = "fence"

// isNote tells whether a page is markdown; the others are bases.
func isNote(page string) bool { return !strings.HasSuffix(page, ".base") }

// acting names what the texts of a view do in their page: what would act there and does
// not where the same texts have no signs, and in what the texts stand. What a template
// itself has act beside a text is its author's.
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

// withoutSigns copies a view, with texts of the same lines and lengths in which nothing
// can act. Texts on which templates decide stay, and so do paths, which are ours.
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

// lettersOf gives a text of the same lines and length that begins with the words of the
// judge and has no signs. One that shows nothing stays.
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
