package templates

import (
	"embed"
	"slices"
	"sync"
	"text/template"
)

//go:embed *.tmpl
var embedded embed.FS

// Set holds the parsed templates of all pages. It is safe for concurrent use.
type Set struct {
	pages       *template.Template
	files       []TemplateFile
	fingerprint string
	free        sync.Pool // of *boundedPage

	judge    Judge
	judged   map[string]bool // pages that come by a template of the user
	literals map[Text]bool   // what conditions compare with
}

// Embedded gives the templates that are part of the program. They are parsed once.
func Embedded() (*Set, error) { return builtInSet() }

// builtInSet parses the templates of the program when they are first asked for.
var builtInSet = sync.OnceValues(func() (*Set, error) { return parseSet(embedded, nil, nil, "") })

// With parses the templates of the program with those of a user in place of the
// ones they define. own holds the text of the user's files by name, such as
// "session.tmpl". The pages that come by them are tried with hostile views, and
// judged each time they are rendered; those of the fingerprint tried passed their trial
// before. What is wrong with the files is told all at once, each fault a [*Fault] of the
// joined error.
func With(own map[string]string, judge Judge, tried string) (*Set, error) {
	return parseSet(embedded, own, judge, tried)
}

// Fingerprint gives 16 hex digits that change with the templates or escapers:
// equal views then render to equal pages no more.
func (s *Set) Fingerprint() string { return s.fingerprint }

// Files lists all files of templates in order of name.
func (s *Set) Files() []TemplateFile { return slices.Clone(s.files) }

// Session renders the body of a session note or of one of its parts. Like all
// pages but [Set.Nav] it starts with a heading of level 1 and ends with one "\n".
// It fails where a template does, or where text would act in the page of a user's.
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

// Index renders the catalogue.
func (s *Set) Index(v Index) (string, error) { return s.page("index", v) }

// Hot renders the page of what is recent.
func (s *Set) Hot(v Hot) (string, error) { return s.page("hot", v) }

// SessionsBase renders the base of all sessions.
func (s *Set) SessionsBase(v Base) (string, error) { return s.page("sessions.base", v) }

// FilesBase renders the base of the hot files.
func (s *Set) FilesBase(v Base) (string, error) { return s.page("files.base", v) }
