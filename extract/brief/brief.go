// Package brief tells of a project, or of some days, in so many words: what a person in a hurry
// or an agent without any context wants to know first. It is made of the facts that pages of
// projects, days and weeks are made of, as they were at a time, and it writes nothing.
//
// A text of a session has its secrets masked and is on one line. [Brief.Lines] and
// [Standup.Lines] escape it, so that it acts in no markdown; who prints the values has to do so.
package brief

import (
	"slices"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/extract/catalog"
	"github.com/sessionloom/sessionloom/extract/internal/ends"
	"github.com/sessionloom/sessionloom/extract/internal/facts"
	"github.com/sessionloom/sessionloom/extract/internal/index"
	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/extract/redact"
	"github.com/sessionloom/sessionloom/templates/escape"
)

// schema is that of the JSON of a brief and a standup.
const schema = 1

// Options limit a brief.
type Options struct {
	Since    time.Time // what was done since then is told in full
	Until    time.Time // what came later is not known
	Zone     *time.Location
	HotFiles facts.HotFiles
	Filter   catalog.Filter // its Since means nothing here
}

// History is what the last run knew of all projects at a time. It serves one caller at a time.
type History struct {
	ledger   *ledger.Ledger
	catalog  *catalog.Catalog
	options  Options
	all      *index.Projects
	projects map[string]*facts.ProjectIndex // by key, up to a time
}

// From reads the history that a ledger keeps.
func From(l *ledger.Ledger, c *catalog.Catalog, o Options) *History {
	return &History{ledger: l, catalog: c, options: o, all: index.NewProjects(l), projects: map[string]*facts.ProjectIndex{}}
}

// index is what is known of a project, nothing of one that is left out.
func (h *History) index(key string) *facts.ProjectIndex {
	if x, known := h.projects[key]; known {
		return x
	}
	x := facts.NewProjectIndex(nil, nil, nil)
	if h.options.Filter.Holds(h.catalog, key, "") {
		x = h.all.Index(key).Until(h.options.Until, func(f facts.Facts) bool {
			return h.options.Filter.Holds(h.catalog, key, f.Session())
		})
	}
	h.projects[key] = x
	return x
}

// OpenEnd is something that is open.
type OpenEnd struct {
	ID      string    `json:"id"` // of its block on "Open threads"
	Text    string    `json:"text"`
	Kind    ends.Kind `json:"kind"` // list, box, question, plan or prompt: the act that it rests on
	Since   time.Time `json:"since,omitzero"`
	Updated time.Time `json:"updated,omitzero"` // when a session named it last
	Session string    `json:"session"`          // that did so
}

// writer takes over texts of sessions, in the order in which they are shown.
type writer struct {
	masks *redact.Numbers
	zone  *time.Location
}

func (h *History) writer() writer { return writer{redact.NumbersAfter(""), h.options.Zone} }

// text is one line, its masks numbered.
func (w writer) text(s string) string { return w.masks.Text(escape.OneLine(s)) }

// at is a time in the vault's zone.
func (w writer) at(t time.Time) time.Time {
	if t.IsZero() {
		return t
	}
	return t.In(w.zone)
}

func (w writer) ends(threads []ends.Thread) []OpenEnd {
	out := []OpenEnd{}
	for _, t := range threads {
		m := t.Newest()
		out = append(out, OpenEnd{ID: t.ID(), Text: w.text(m.Shown()), Kind: m.Kind, Since: w.at(t.Since()), Updated: w.at(m.At), Session: strings.TrimPrefix(m.Session, "session:")})
	}
	return out
}

// Outcome is the outcome of a session.
type Outcome struct {
	Session string    `json:"session"`
	Title   string    `json:"title"`
	Outcome string    `json:"outcome,omitempty"`
	Agent   string    `json:"agent,omitempty"`
	Branch  string    `json:"branch,omitempty"`
	Updated time.Time `json:"updated,omitzero"`

	short string // the title, in a line
}

func (w writer) outcome(s facts.Facts, what string) Outcome {
	const maxTitle = 70 // the size in bytes of the title of a session in a line
	return Outcome{Session: s.Session(), Title: w.text(s.Title), Outcome: w.text(what), Agent: s.Agent, Branch: w.text(s.Branch),
		Updated: w.at(s.LastChange()), short: w.text(escape.Cut(escape.OneLine(s.Title), maxTitle))}
}

// Ref is a commit, pull request or issue that a session was at work on.
type Ref struct {
	Type    string    `json:"type"` // commit, pr, issue
	Value   string    `json:"value"`
	Text    string    `json:"text,omitempty"` // subject or title
	At      time.Time `json:"at,omitzero"`
	Session string    `json:"session"`
}

// refs returns the refs of the rows, each once.
func (w writer) refs(rows []facts.Told, keep func(kind string) bool) []Ref {
	out := []Ref{}
	for _, t := range rows {
		kind, value := refOf(t)
		known := slices.IndexFunc(out, func(o Ref) bool {
			return o.Type == kind && o.Value == value && (value != "" || o.Text == w.text(t.Row.Text))
		})
		switch {
		case !keep(kind):
		case known < 0:
			out = append(out, Ref{kind, value, w.text(t.Row.Text), w.at(t.Row.At), t.Session.Session()})
		case out[known].Text == "":
			out[known].Text = w.text(t.Row.Text)
		}
	}
	return out
}
