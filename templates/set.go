package templates

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"io/fs"
	"strconv"
	"strings"
	"text/template"
)

//go:embed *.tmpl
var embedded embed.FS

// Set holds the parsed templates of all pages. It is safe for concurrent use.
type Set struct {
	pages *template.Template
	print string
}

// Embedded parses the templates that are part of the program.
func Embedded() (*Set, error) { return parseSet(embedded) }

// parseSet parses all *.tmpl files of files. A function that is no escaper or
// word of this package is an error.
func parseSet(files fs.FS) (*Set, error) {
	names, err := fs.Glob(files, "*.tmpl") // in order of name
	if err != nil {
		return nil, fmt.Errorf("list templates: %w", err)
	}
	pages := template.New("").Funcs(funcs())
	hash := sha256.New()
	fmt.Fprintf(hash, "escapers %s\n", escapers)
	for _, name := range names {
		text, err := fs.ReadFile(files, name)
		if err != nil {
			return nil, fmt.Errorf("read template: %w", err)
		}
		if _, err := pages.Parse(marks(string(text))); err != nil {
			return nil, fmt.Errorf("parse template %s: %w", name, err)
		}
		fmt.Fprintf(hash, "%s %d\n%s", name, len(text), text)
	}
	return &Set{pages: pages, print: hex.EncodeToString(hash.Sum(nil)[:8])}, nil
}

// Fingerprint gives 16 hex digits that change with the templates or escapers:
// equal views then render to equal pages no more.
func (s *Set) Fingerprint() string { return s.print }

// Session renders the body of a session note or of one of its parts. Like all
// pages but [Set.Nav] it starts with a heading of level 1 and ends with one "\n".
// It fails only where a template does.
func (s *Set) Session(v Session) (string, error) { return s.page("session", v) }

// Checkpoint renders the body of a checkpoint note.
func (s *Set) Checkpoint(v Checkpoint) (string, error) { return s.page("checkpoint", v) }

// Memory renders the body of a note of a plan, memory, research or saved file.
func (s *Set) Memory(v Memory) (string, error) { return s.page("memory", v) }

// Project renders the overview of a project.
func (s *Set) Project(v Project) (string, error) { return s.page("project", v) }

// File renders the page of a hot file.
func (s *Set) File(v File) (string, error) { return s.page("file", v) }

// Day renders a page of the journal.
func (s *Set) Day(v Day) (string, error) { return s.page("day", v) }

// Week renders the summary of a week.
func (s *Set) Week(v WeekSummary) (string, error) { return s.page("week", v) }

// Home renders the entry page.
func (s *Set) Home(v Home) (string, error) { return s.page("home", v) }

// Threads renders the page of everything left open.
func (s *Set) Threads(v Threads) (string, error) { return s.page("threads", v) }

// Nav renders the navigation region of a note, "" where there is nothing to go
// to.
func (s *Set) Nav(v Nav) (string, error) { return s.page("nav", v) }

func (s *Set) page(name string, view any) (string, error) {
	var b strings.Builder
	if err := s.pages.ExecuteTemplate(&b, name, view); err != nil {
		return "", fmt.Errorf("render %s page: %w", name, err)
	}
	return tidy(b.String()), nil
}

// Templates mark by {{gap}} and {{fold}} where parts of a page stand apart. In
// the page the marks are characters that no escaper lets through.
const (
	gapMark  = '\f' // a blank line between two parts of the page
	foldMark = '\v' // the same inside a callout
)

// marks puts the characters in place of the words.
func marks(text string) string {
	gap, fold := string(gapMark), string(foldMark)
	return strings.NewReplacer("{{gap}}", gap, "{{- gap}}", gap, "{{fold}}", fold, "{{- fold}}", fold).Replace(text)
}

// tidy turns marks, with the line ends around them, into blank lines: one
// between two parts, none at the start or the end.
func tidy(s string) string {
	out := make([]byte, 0, len(s)+16)
	for s != "" {
		n := strings.IndexAny(s, "\n\f\v")
		if n < 0 {
			n = len(s)
		}
		out = append(out, s[:n]...)
		s = s[n:]
		marks := s[:len(s)-len(strings.TrimLeft(s, "\n\f\v"))]
		s = s[len(marks):]
		switch {
		case len(out) == 0 || s == "":
		case strings.IndexByte(marks, gapMark) >= 0:
			out = append(out, "\n\n"...)
		case strings.IndexByte(marks, foldMark) >= 0:
			out = append(out, "\n>\n"...)
		default:
			out = append(out, marks...)
		}
	}
	if len(out) > 0 {
		out = append(out, '\n')
	}
	return string(out)
}

// funcs are the functions of the templates.
func funcs() template.FuncMap {
	all := template.FuncMap{}
	for _, group := range []template.FuncMap{escaping(), wording(), choosing()} {
		for name, f := range group {
			all[name] = f
		}
	}
	return all
}

// escaping are the functions that may print text of a view: each escapes what it
// prints.
func escaping() template.FuncMap {
	return template.FuncMap{
		"inline": inline, "heading": heading, "cell": cell, "markdown": block, "quote": quote,
		"fence": fence, "code": code, "codes": codes, "cellCode": cellCode, "document": document,
		"link": Wikilink, "links": links, "cellLink": cellLink, "about": about, "webLink": webLink,
		"label": label, "safe": func(s Safe) string { return inline(string(s)) },
		"agent": agent, "branch": branch, "models": models, "forked": forked, "waiting": waiting,
		"reference": reference, "tools": tools, "kind": kind, "scope": scope, "before": before, "after": after,
		"within": within, "showView": showView, "opened": opened, "references": references,
		"shown": shown, "model": model, "mode": mode, "checkpoint": checkpoint, "address": address,
	}
}

// wording are the functions that print times and numbers only.
func wording() template.FuncMap {
	return template.FuncMap{
		"day": day, "date": date, "longDay": longDay, "clock": clock, "moment": moment, "since": since,
		"period": period, "tall": tall, "spans": spans, "count": count, "number": number, "numbers": numbers,
		"open": open, "plain": strconv.Itoa,
	}
}

// choosing are the functions that pick text: what they give must still pass an
// escaper. dots joins what passed one.
func choosing() template.FuncMap {
	return template.FuncMap{
		"answer": answer, "promptTitle": promptTitle, "promptRest": promptRest, "remark": remark,
		"dots": dots,
	}
}
