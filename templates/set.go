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
