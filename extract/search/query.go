package search

import (
	"fmt"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"
)

// Query is a parsed question.
type Query struct {
	all    []choice // each must be found in the session
	not    []term   // none may be found
	in     []Field  // fields to search; none: all with a weight
	Filter Filter
	pasted bool // nobody typed it: no word is misspelt
}

// Filter limits hits by data of the session.
type Filter struct {
	Project       string // key, name or glob
	Since, Before string // a day or an age, as typed
}

type choice []term

type term struct {
	raw     string   // text as typed, without quotes
	words   []string // folded
	prefix  bool     // the last word is a prefix
	exact   bool     // in quotes: other forms of a word do not match
	spelled bool     // the words replace ones that nothing has
	in      []Field  // fields to search; none: the query's
}

// SyntaxError says that a question is invalid.
type SyntaxError struct{ What, Hint string }

// Error says what is wrong with it.
func (e *SyntaxError) Error() string { return e.What }

// filters maps names before a colon to fields.
var filters = map[string]Field{"file": Path, "branch": Branch, "agent": Agent, "project": "", "since": "", "after": "", "before": "", "in": ""}

var places = []Field{Title, Prompt, Answer, Decision, Command, Errors, Checkpoint, Plan, Memory, Saved, Outcome, Path, Ref}

// Limits of a question: a longer one is not a person's, and would cost as much.
const (
	mostTerms = 32
	mostWords = 64 // limit for one phrase
	mostBytes = 4 << 10
)

// Parse parses a question: words, "phrases", -word, OR, prefix*, and file:, project:, agent:, branch:, after:
// (or since:), before:, in: before a word. It returns a [*SyntaxError].
func Parse(text string) (q Query, err error) {
	or, terms := false, 0
	tooLong := &SyntaxError{"the question is too long", fmt.Sprintf("it may have %d words, %d in a phrase", mostTerms, mostWords)}
	if len(text) > mostBytes {
		return q, tooLong
	}
	for _, t := range tokens(norm.NFC.String(text)) {
		if t.text == "OR" && !t.quoted && !t.not && t.name == "" {
			or = len(q.all) > 0
			continue
		}
		one := term{raw: t.text, exact: t.quoted, prefix: !t.quoted && strings.HasSuffix(t.text, "*")}
		if one.prefix {
			one.raw = strings.TrimRight(t.text, "*")
		}
		for _, w := range wordsOf(one.raw) {
			one.words = append(one.words, w.text)
		}
		if terms++; terms > mostTerms || len(one.words) > mostWords {
			return Query{}, tooLong
		}
		switch t.name {
		case "project":
			q.Filter.Project = t.text
			continue
		case "since", "after":
			q.Filter.Since = t.text
			continue
		case "before":
			q.Filter.Before = t.text
			continue
		case "in":
			if !slices.Contains(places, Field(t.text)) {
				return q, &SyntaxError{fmt.Sprintf("there is no field %q to search in", t.text), "in: takes " + list(places, ", ")}
			}
			q.in = append(q.in, Field(t.text))
			continue
		case "":
		default:
			one.in = []Field{filters[t.name]}
		}
		switch {
		case len(one.words) == 0:
		case t.not:
			q.not = append(q.not, one)
		case or:
			q.all[len(q.all)-1] = append(q.all[len(q.all)-1], one)
		default:
			q.all = append(q.all, choice{one})
		}
		or = false
	}
	if len(q.all) == 0 {
		return q, &SyntaxError{"no word to search for", `such as: jwt "signing key"`}
	}
	return q, nil
}

// OfText searches the words of a pasted text, such as an error, without filters. For a long text the longest
// words are used.
func OfText(text string) Query {
	q := Query{pasted: true}
	words := wordsOf(norm.NFC.String(text[:min(len(text), mostBytes)]))
	slices.SortStableFunc(words, func(a, b word) int { return len(b.text) - len(a.text) })
	for _, w := range words {
		if len(q.all) < mostTerms && !slices.ContainsFunc(q.all, func(c choice) bool { return c[0].raw == w.text }) {
			q.all = append(q.all, choice{{raw: w.text, words: []string{w.text}}})
		}
	}
	return q
}

func list(fields []Field, between string) string {
	var out []string
	for _, f := range fields {
		out = append(out, string(f))
	}
	return strings.Join(out, between)
}

type token struct {
	name   string // name of a filter
	text   string
	quoted bool
	not    bool
}

// tokens splits a question at blanks outside quotation marks.
func tokens(text string) (all []token) {
	for text = strings.TrimSpace(text); text != ""; text = strings.TrimSpace(text) {
		var t token
		if len(text) > 1 && text[0] == '-' && text[1] != '-' && text[1] != ' ' {
			t.not, text = true, text[1:]
		}
		if name, rest, ok := strings.Cut(text, ":"); ok && rest != "" && !strings.ContainsAny(rest[:1], " /") {
			if _, known := filters[name]; known {
				t.name, text = name, rest
			}
		}
		if rest, ok := strings.CutPrefix(text, `"`); ok {
			t.quoted = true
			t.text, text, _ = strings.Cut(rest, `"`)
		} else if at := strings.IndexAny(text, " \t\r\n\u3000"); at >= 0 {
			t.text, text = text[:at], text[at:]
		} else {
			t.text, text = text, ""
		}
		all = append(all, t)
	}
	return all
}

// Verifies reports whether the index is not enough: each hit must be checked.
func (q Query) Verifies() bool {
	return slices.Contains(q.in, Decision) || slices.ContainsFunc(q.all, func(c choice) bool {
		return slices.ContainsFunc(c, func(t term) bool { return t.exact })
	})
}

// expression returns a query in the language of FTS5, and whether it searches the index at all.
func (q Query) expression() string {
	var all, not []string
	for _, c := range q.all {
		var one []string
		for _, t := range c {
			one = append(one, q.term(t))
		}
		all = append(all, "("+strings.Join(one, " OR ")+")")
	}
	for _, t := range q.not {
		not = append(not, q.term(t))
	}
	out := strings.Join(all, " AND ")
	if len(not) > 0 {
		out = "(" + out + ") NOT (" + strings.Join(not, " OR ") + ")"
	}
	return out
}

// near returns an FTS5 query for all words close to each other; "" if it would be the same.
func (q Query) near() string {
	const distance = 12 // words
	var phrases []string
	for _, c := range q.all {
		if len(c) > 1 || len(c[0].in) > 0 || c[0].prefix {
			return ""
		}
		phrases = append(phrases, `"`+strings.Join(c[0].words, " ")+`"`)
	}
	if len(phrases) < 2 {
		return ""
	}
	return fmt.Sprintf("{%s} : NEAR(%s, %d)", list(q.fieldsOf(term{}), " "), strings.Join(phrases, " "), distance)
}

func (q Query) term(t term) string {
	out := "{" + list(q.fieldsOf(t), " ") + `} : "` + strings.Join(t.words, " ") + `"`
	if t.prefix {
		out += " *"
	}
	return out
}

// fieldsOf returns the columns in which a term is searched. Decisions are in others.
func (q Query) fieldsOf(t term) []Field {
	fields := t.in
	if len(fields) == 0 {
		fields = q.in
	}
	if slices.Contains(fields, Decision) {
		return []Field{Prompt, Answer, Checkpoint, Memory, Plan}
	}
	if len(fields) > 0 {
		return fields
	}
	return slices.DeleteFunc(slices.Clone(places), func(f Field) bool { return weights[f] == 0 })
}

// asksNames reports whether a term is also searched within names: it needs three letters, as in the index of
// names.
func (q Query) asksNames(t term) bool {
	const least = 3
	fields := q.fieldsOf(t)
	return len([]rune(t.raw)) >= least && !strings.ContainsAny(t.raw, " \t\"") &&
		(len(q.in) == 0 && len(t.in) == 0 || slices.Contains(fields, Path))
}
