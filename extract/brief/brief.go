// Package brief describes a project, or some days, in a limited number of words: what a person in a hurry or
// an agent without context wants to know first. It uses the facts behind pages of projects, days and weeks,
// as of a time, and writes nothing.
//
// Texts of sessions are masked and on one line. [Brief.Lines] and [Standup.Lines] escape them for markdown;
// who prints the values has to do so.
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

// schema is the version of the JSON of a brief and a standup.
const schema = 1

// Options limit a brief.
type Options struct {
	Since    time.Time // work since then is shown in full
	Until    time.Time // later work is ignored
	Zone     *time.Location
	HotFiles facts.HotFiles
	Filter   catalog.Filter // its Since is ignored
}

// History is the data of the last run about all projects, up to a time. It serves one caller at a time.
type History struct {
	ledger   *ledger.Ledger
	catalog  *catalog.Catalog
	options  Options
	all      *index.Projects
	projects map[string]*facts.ProjectIndex // indexes by key, up to a time
}

// From returns the history in a ledger.
func From(l *ledger.Ledger, c *catalog.Catalog, o Options) *History {
	return &History{ledger: l, catalog: c, options: o, all: index.NewProjects(l), projects: map[string]*facts.ProjectIndex{}}
}

// index returns the data of a project, empty if it is excluded.
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

// OpenEnd is an open item.
type OpenEnd struct {
	ID      string    `json:"id"` // id of its block on "Open threads"
	Text    string    `json:"text"`
	Kind    ends.Kind `json:"kind"` // list, box, question, plan or prompt: its act
	Since   time.Time `json:"since,omitzero"`
	Updated time.Time `json:"updated,omitzero"` // when a session last named it
	Session string    `json:"session"`          // the session that did
}

// writer copies texts of sessions, in the order in which they are shown.
type writer struct {
	masks *redact.Numbers
	zone  *time.Location
}

func (h *History) writer() writer { return writer{redact.NumbersAfter(""), h.options.Zone} }

// text returns a text on one line, with numbered masks.
func (w writer) text(s string) string { return w.masks.Text(escape.OneLine(s)) }

// at returns a time in the vault's zone.
func (w writer) at(t time.Time) time.Time {
	if t.IsZero() {
		return t
	}
	return t.In(w.zone)
}

func (w writer) ends(threads []ends.Thread) []OpenEnd {
	return each(threads, func(t ends.Thread) OpenEnd {
		m := t.Newest()
		return OpenEnd{ID: t.ID(), Text: w.text(m.Shown()), Kind: m.Kind, Since: w.at(t.Since()), Updated: w.at(m.At), Session: strings.TrimPrefix(m.Session, "session:")}
	})
}

// Outcome is the outcome of a session.
type Outcome struct {
	Session string    `json:"session"`
	Title   string    `json:"title"`
	Outcome string    `json:"outcome,omitempty"`
	Agent   string    `json:"agent,omitempty"`
	Branch  string    `json:"branch,omitempty"`
	Updated time.Time `json:"updated,omitzero"`

	short string // the title, for a line
}

func (w writer) outcome(s facts.Facts, what string) Outcome {
	const maxTitle = 70 // size in bytes of a session's title in a line
	return Outcome{Session: s.Session(), Title: w.text(s.Title), Outcome: w.text(what), Agent: s.Agent, Branch: w.text(s.Branch),
		Updated: w.at(s.LastChange()), short: w.text(escape.Cut(escape.OneLine(s.Title), maxTitle))}
}

// Ref is a commit, pull request or issue that a session worked on.
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
