package verify

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/extract/redact"
	"github.com/sessionloom/sessionloom/sources"
)

// Redaction is one place of a transcript where a secret is masked. It is made from the masked text, so that
// it contains nothing of the secret, not even its length.
type Redaction struct {
	Session string `json:"session"` // id under which it was read
	Project string `json:"project"` // key, empty if unknown
	Source  string `json:"source"`
	Item    string `json:"item"`
	Field   string `json:"field"` // turns[2].user
	Rule    string `json:"rule"`
	Secret  string `json:"secret"` // a short name, the same for equal secrets of one vault
	Before  string `json:"before"` // a few words of the text around it
	After   string `json:"after"`
}

// RedactionsIn lists the places in a session where a secret is masked; the caller sets session and project.
func RedactionsIn(s *sources.Session) (out []Redaction) {
	eachText(reflect.ValueOf(*s), "", func(field, text string) {
		for _, m := range redact.Masks(text) {
			out = append(out, Redaction{Field: field, Rule: m.Rule, Secret: m.Rule + "~" + m.Hash,
				Before: wordsBefore(text[:m.From]), After: wordsAfter(text[m.To:])})
		}
	})
	return out
}

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

// wordsBefore returns the last words of a text that fit, with masks numbered as in a note.
func wordsBefore(s string) string {
	words := wordsOf(strings.ToValidUTF8(s[max(0, len(s)-mostRead):], ""))
	slices.Reverse(words)
	words = fitting(words)
	slices.Reverse(words)
	return strings.Join(words, " ")
}

// wordsAfter returns the first words.
func wordsAfter(s string) string {
	return strings.Join(fitting(wordsOf(strings.ToValidUTF8(s[:min(len(s), mostRead)], ""))), " ")
}

// mostRead limits the bytes of a text that are searched for words, as white space folds.
const mostRead = 8 * aroundMask

// aroundMask limits the bytes of text shown on each side of a mask.
const aroundMask = 48

func wordsOf(s string) []string { return strings.Fields(redact.Number(s)[0]) }

// fitting returns as many words as fit. A long run of letters is left out: it may be part of something.
func fitting(words []string) []string {
	size := 0
	for n, w := range words {
		if size += len(w); size > aroundMask {
			return words[:n]
		}
		size++
	}
	return words
}
