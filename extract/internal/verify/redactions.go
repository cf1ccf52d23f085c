package verify

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/sessionloom/sessionloom/extract/internal/texts"
	"github.com/sessionloom/sessionloom/extract/redact"
	"github.com/sessionloom/sessionloom/sources"
)

// Redaction is one place of a transcript where a secret is masked. It is told
// from the masked text, so that nothing of the secret, not even its length, is in
// it.
type Redaction struct {
	Session string `json:"session"` // id under which it was read
	Project string `json:"project"` // key, empty where it is not known
	Source  string `json:"source"`
	Item    string `json:"item"`
	Field   string `json:"field"` // turns[2].user
	Rule    string `json:"rule"`
	Secret  string `json:"secret"` // a short name, the same for equal secrets of one vault
	Before  string `json:"before"` // a few words of the text around it
	After   string `json:"after"`
}

// RedactionsIn lists the places in a session where a secret is masked; what the session
// is part of is left to the caller.
func RedactionsIn(s *sources.Session) (out []Redaction) {
	eachText(reflect.ValueOf(*s), "", func(field, text string) {
		for _, m := range redact.Masks(text) {
			out = append(out, Redaction{Field: field, Rule: m.Rule, Secret: m.Rule + "~" + m.Hash,
				Before: wordsBefore(text[:m.From]), After: wordsAfter(text[m.To:])})
		}
	})
	return out
}

// eachText visits all texts of a value with their names, as JSON has them.
func eachText(v reflect.Value, name string, visit func(name, text string)) {
	switch v.Kind() {
	case reflect.String:
		visit(name, v.String())
	case reflect.Pointer:
		if !v.IsNil() {
			eachText(v.Elem(), name, visit)
		}
	case reflect.Slice:
		for i := range v.Len() {
			eachText(v.Index(i), fmt.Sprintf("%s[%d]", name, i), visit)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			f := v.Type().Field(i)
			if !f.IsExported() {
				continue
			}
			tag, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			eachText(v.Field(i), strings.TrimPrefix(name+"."+tag, "."), visit)
		}
	}
}

// aroundMask is how much of the text on each side of a mask is shown, in bytes.
const aroundMask = 48

func wordsBefore(s string) string {
	from := max(0, len(s)-8*aroundMask) // white space folds
	for from < len(s) && !utf8.RuneStart(s[from]) {
		from++
	}
	s = texts.OneLine(redact.Number(s[from:])[0])
	if len(s) <= aroundMask {
		return s
	}
	words := strings.Fields(s)
	slices.Reverse(words)
	return shortest(words, func(kept []string) string {
		kept = slices.Clone(kept)
		slices.Reverse(kept)
		return strings.Join(kept, " ")
	})
}

func wordsAfter(s string) string {
	s = s[:min(len(s), 8*aroundMask)]
	s = texts.OneLine(redact.Number(strings.ToValidUTF8(s, ""))[0])
	if len(s) <= aroundMask {
		return s
	}
	return shortest(strings.Fields(s), func(kept []string) string { return strings.Join(kept, " ") })
}

// shortest joins as many words as there is room for. What is no word but a wall of
// letters is left out: it may be part of something.
func shortest(words []string, join func([]string) string) string {
	n, size := 0, 0
	for n < len(words) && size+len(words[n]) <= aroundMask {
		size += len(words[n]) + 1
		n++
	}
	return join(words[:n])
}
