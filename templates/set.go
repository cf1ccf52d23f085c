// Package templates holds the words of the vault: it renders typed views as pages. A page is an embedded
// text/template, one file per kind of page.
//
// Transcript text in views has types that escape themselves, so that no template can print it raw. A plain
// string is never transcript text: it is a word of a template, or made of numbers and times. The result of an
// escaper is a [*Markdown], which a template can test and print but not take apart. The escapers are in
// package escape.
//
// An escaper holds only in its place. An independent reader therefore judges the pages of a user's templates:
// at load with hostile views, and each time one is rendered (see [With]).
//
// [With] returns a whole set or all faults, never the embedded part in place of a broken one. A new
// fingerprint of the set makes all notes due.
package templates

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"regexp"
	"sync"
	"text/template"
)

//go:embed *.tmpl
var embedded embed.FS

// Set holds the templates of all pages. It is safe for concurrent use.
type Set struct {
	pages       func() (*template.Template, error) // parsed
	base        []source                           // the files of the program
	mine        map[string]*source                 // the user's files that replace them, by name
	fingerprint string
	free        sync.Pool // pool of *boundedPage

	judge    Judge
	judged   map[string]bool // pages with a user's template
	literals map[Text]bool   // compared in conditions
}

// Embedded returns the templates that are part of the program.
func Embedded() (*Set, error) { return builtInSet() }

// builtInSet makes the program's set on first use.
var builtInSet = sync.OnceValues(unparsedSet)

// With returns the set with a user's files, by name, in place of the parts they define. Their pages are tried
// with hostile views, unless tried is their fingerprint, and judged whenever they are rendered. An error
// joins all faults, each a [*Fault].
func With(own map[string]string, judge Judge, tried string) (*Set, error) {
	return parseSet(embedded, own, judge, tried)
}

// Fingerprint changes with templates and escapers.
func (s *Set) Fingerprint() string { return s.fingerprint }

// Files lists all files of templates in order of name.
func (s *Set) Files() (files []TemplateFile) {
	for _, f := range s.base {
		files = append(files, f.listed(s.mine[f.name]))
	}
	return files
}

// maxPage limits the bytes of a page, as loops may nest.
const maxPage = 64 << 20

// keptPage limits the bytes of a buffer that is reused.
const keptPage = 1 << 20

// boundedPage is a page being written: with marks, and without.
type boundedPage struct {
	bytes.Buffer
	spaced []byte
}

func (b *boundedPage) Write(text []byte) (int, error) {
	if b.Len()+len(text) > maxPage {
		return 0, fmt.Errorf("the page grows beyond %d bytes", maxPage)
	}
	return b.Buffer.Write(text)
}

// View is the content of a page.
type View interface {
	page() string // the name of its template
}

func (Session) page() string      { return "session" }
func (Checkpoint) page() string   { return "checkpoint" }
func (Memory) page() string       { return "memory" }
func (Project) page() string      { return "project" }
func (File) page() string         { return "file" }
func (Issue) page() string        { return "issue" }
func (Day) page() string          { return "day" }
func (WeekSummary) page() string  { return "week" }
func (Home) page() string         { return "home" }
func (Threads) page() string      { return "threads" }
func (Nav) page() string          { return "nav" }
func (SessionsBase) page() string { return "sessions.base" }
func (FilesBase) page() string    { return "files.base" }

// Page renders a page: a heading of level 1 first, one "\n" at the end. A [Nav] may be empty. It fails if
// text would act in a page of a user's template.
func (s *Set) Page(view View) (string, error) {
	name := view.page()
	out, err := s.render(name, view)
	if err == nil && s.judged[name] {
		err = s.judgePage(name, view, out)
	}
	if err != nil {
		return "", fmt.Errorf("render %s page: %w", name, err)
	}
	return out, nil
}

var regionRule = regexp.MustCompile(`(?m)^[ \t]*%%[ \t]*/?sessionloom`)

var errMarker = errors.New("the page holds a line that looks like one of our comments")

// judgePage fails if transcript text acts in a page.
func (s *Set) judgePage(name string, view any, page string) error {
	if regionRule.MatchString(page) {
		return errMarker
	}
	if !isNote(name) || len(s.judge(page, "")) == 0 {
		return nil
	}
	acting, err := s.acting(name, view, page)
	if err == nil && len(acting) > 0 {
		err = fmt.Errorf("text would act in the page: %s", acting[0])
	}
	return err
}

func (s *Set) render(name string, view any) (string, error) {
	pages, err := s.pages()
	if err != nil {
		return "", err
	}
	b, ok := s.free.Get().(*boundedPage)
	if !ok {
		b = &boundedPage{}
	}
	b.Reset()
	if err := pages.ExecuteTemplate(b, name, view); err != nil {
		return "", faultOf(err, name+".tmpl")
	}
	b.spaced = blankLines(b.spaced[:0], b.Bytes())
	out := string(b.spaced)
	if b.Cap() <= keptPage {
		s.free.Put(b)
	}
	return out, nil
}

// blankLines turns marks into blank lines between parts.
func blankLines(out, s []byte) []byte {
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
