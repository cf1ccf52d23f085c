package templates

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
)

// maxPage bounds a page, in bytes: a template may loop over all it is given within
// a loop over all it is given.
const maxPage = 64 << 20

// keptPage is the size in bytes of the largest buffer that is used again.
const keptPage = 1 << 20

// boundedPage is a page while it is written, in two buffers that are used again: as the
// template has it, and without its marks.
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

// View is what a page is made of.
type View interface {
	page() string // the name of its template
}

func (Session) page() string      { return "session" }
func (Checkpoint) page() string   { return "checkpoint" }
func (Memory) page() string       { return "memory" }
func (Project) page() string      { return "project" }
func (File) page() string         { return "file" }
func (Day) page() string          { return "day" }
func (WeekSummary) page() string  { return "week" }
func (Home) page() string         { return "home" }
func (Threads) page() string      { return "threads" }
func (Nav) page() string          { return "nav" }
func (Index) page() string        { return "index" }
func (Hot) page() string          { return "hot" }
func (SessionsBase) page() string { return "sessions.base" }
func (FilesBase) page() string    { return "files.base" }

// Page renders a page. All but that of a [Nav], which is "" where there is nothing to go
// to, start with a heading of level 1 and end with one "\n". It fails where a template does,
// or where text would act in the page of a user's, which is judged before it is given away.
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

// regionRule finds what delimits the regions of a note.
var regionRule = regexp.MustCompile(`(?m)^[ \t]*%%[ \t]*sessionloom:`)

var errMarker = errors.New("the page holds a line that looks like a marker of a region")

// judgePage fails where text of a transcript acts in a page. A page in which nothing
// acts at all needs no second look.
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

// render executes the templates of a page.
func (s *Set) render(name string, view any) (string, error) {
	b, ok := s.free.Get().(*boundedPage)
	if !ok {
		b = &boundedPage{}
	}
	b.Reset()
	if err := s.pages.ExecuteTemplate(b, name, view); err != nil {
		return "", faultOf(err, name+".tmpl")
	}
	b.spaced = blankLines(b.spaced[:0], b.Bytes())
	out := string(b.spaced)
	if b.Cap() <= keptPage {
		s.free.Put(b)
	}
	return out, nil
}

// blankLines turns marks, with the line ends around them, into blank lines: one
// between two parts, none at the start or the end. It appends what comes of s to out,
// which is empty.
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
