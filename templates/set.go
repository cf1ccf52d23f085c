package templates

import (
	"bytes"
	"embed"
	"fmt"
	"strconv"
	"sync"
	"text/template"
)

//go:embed *.tmpl
var embedded embed.FS

// Set holds the parsed templates of all pages. It is safe for concurrent use.
type Set struct {
	pages  *template.Template
	sheets []Sheet
	print  string
	free   sync.Pool // of *boundedPage
}

// Embedded gives the templates that are part of the program. They are parsed once.
func Embedded() (*Set, error) { return builtInSet() }

// builtInSet parses the templates of the program when they are first asked for.
var builtInSet = sync.OnceValues(func() (*Set, error) { return parseSet(embedded, nil) })

// With parses the templates of the program with those of a user in place of the
// ones they define. own holds the text of the user's files by name, such as
// "session.tmpl". What is wrong with them is told all at once, each fault a
// [*Fault] of the joined error.
func With(own map[string]string) (*Set, error) { return parseSet(embedded, own) }

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

// maxPage bounds a page, in bytes: a template may loop over all it is given within
// a loop over all it is given.
const maxPage = 64 << 20

// keptPage is the size in bytes of the largest buffer that is used again.
const keptPage = 1 << 20

// boundedPage is a page while it is written, in two buffers that are used again: as the
// template has it, and without its marks.
type boundedPage struct {
	bytes.Buffer
	tidied []byte
}

func (b *boundedPage) Write(text []byte) (int, error) {
	if b.Len()+len(text) > maxPage {
		return 0, fmt.Errorf("the page grows beyond %d bytes", maxPage)
	}
	return b.Buffer.Write(text)
}

func (s *Set) page(name string, view any) (string, error) {
	b, ok := s.free.Get().(*boundedPage)
	if !ok {
		b = &boundedPage{}
	}
	b.Reset()
	if err := s.pages.ExecuteTemplate(b, name, view); err != nil {
		return "", fmt.Errorf("render %s page: %w", name, faultOf(err, name+".tmpl"))
	}
	b.tidied = tidy(b.tidied[:0], b.Bytes())
	out := string(b.tidied)
	if b.Cap() <= keptPage {
		s.free.Put(b)
	}
	return out, nil
}

// tidy turns marks, with the line ends around them, into blank lines: one
// between two parts, none at the start or the end. It appends what comes of s to out,
// which is empty.
func tidy(out, s []byte) []byte {
	isMark := func(c byte) bool { return '\n' <= c && c <= '\f' }
	for len(s) > 0 {
		n := 0
		for n < len(s) && !isMark(s[n]) {
			n++
		}
		out = append(out, s[:n]...)
		s, n = s[n:], 0
		for n < len(s) && isMark(s[n]) {
			n++
		}
		marks := s[:n]
		s = s[n:]
		switch {
		case len(out) == 0 || len(s) == 0:
		case bytes.IndexByte(marks, gapMark) >= 0:
			out = append(out, "\n\n"...)
		case bytes.IndexByte(marks, foldMark) >= 0:
			out = append(out, "\n>\n"...)
		default:
			out = append(out, marks...)
		}
	}
	if len(out) > 0 {
		out = append(out, '\n')
	}
	return out
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
