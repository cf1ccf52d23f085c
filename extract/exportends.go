package extract

import (
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/extract/internal/content"
	"github.com/sessionloom/sessionloom/extract/internal/ends"
	"github.com/sessionloom/sessionloom/extract/internal/facts"
	"github.com/sessionloom/sessionloom/extract/internal/identity"
	"github.com/sessionloom/sessionloom/extract/internal/index"
	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/extract/internal/pages"
	"github.com/sessionloom/sessionloom/sources"
)

// ExportedEnd is something that a session left open, or shows as done.
type ExportedEnd struct {
	Text     string             `json:"text"`
	State    string             `json:"state"` // open, unclear, perhaps_done, stale, done
	From     string             `json:"from"`  // plan, todo, checkpoint 3, last answer
	Turn     int                `json:"turn"`  // index of the turn that says it, -1 for none
	Evidence []ExportedEvidence `json:"evidence,omitempty"`
}

// ExportedEvidence is what may have done it: a commit, a box, a todo, an answer of a session.
type ExportedEvidence struct {
	Kind    string `json:"kind"`
	Text    string `json:"text"`
	Session string `json:"session"`
}

// ExportedDecision is something that a session decided or learned.
type ExportedDecision struct {
	Text string `json:"text"`
	Kind string `json:"kind"`
	Turn int    `json:"turn"` // -1 for none
}

// openEnds tells how what sessions left open stands, as the pages of a vault would show it.
type openEnds struct {
	st       *stages
	projects map[string]*facts.ProjectIndex // nil before sessions were asked
	all      []ends.Project
	stale    time.Time                 // what was told of before is stale
	threads  map[string][]pages.Thread // by project
}

// of are the ends of a session of a project.
func (o *openEnds) of(s *sources.Session, project string) (out []ExportedEnd) {
	open, done := ends.InSession(s)
	for _, t := range open {
		m := t.Newest()
		e := ExportedEnd{Text: m.Text, From: m.Origin, Turn: m.Turn}
		e.State, e.Evidence = o.standing(names.SessionID(s.ID), m.ID, project)
		out = append(out, e)
	}
	for _, m := range done {
		out = append(out, ExportedEnd{Text: m.Text, State: "done", From: m.Origin, Turn: m.Turn})
	}
	return out
}

// standing is how an end of a session stands among those of its project.
func (o *openEnds) standing(session, id, project string) (state string, evidence []ExportedEvidence) {
	for _, t := range o.threadsOf(project) {
		if !slices.ContainsFunc(t.Mentions, func(m ends.Mention) bool { return m.Session == session && m.ID == id }) {
			continue
		}
		for _, e := range t.Evidence {
			evidence = append(evidence, ExportedEvidence{Kind: string(e.Kind), Text: e.Text, Session: strings.TrimPrefix(e.Session, "session:")})
		}
		switch {
		case t.Newest().At.Before(o.stale):
			return "stale", evidence
		case t.State == pages.ThreadPerhaps:
			return "perhaps_done", evidence
		}
		return string(t.State), nil
	}
	return "done", nil // of the same words, in another session; or its person ticked it
}

func (o *openEnds) threadsOf(project string) []pages.Thread {
	if o.threads == nil {
		o.load()
	}
	found, known := o.threads[project]
	if !known {
		found = pages.FindThreads(project, o.all, func(key string) *facts.ProjectIndex { return o.projects[key] })
		o.threads[project] = found
	}
	return found
}

// load asks all sessions, for another one may have done what one left open.
func (o *openEnds) load() {
	o.threads = map[string][]pages.Thread{}
	told, days := map[string][]facts.Facts{}, map[string]bool{}
	for _, record := range o.st.engine.Ledger.Sessions() {
		if record.Kind == string(sources.KindMemory) || index.Forgotten(o.st.engine.Vault, record) {
			continue
		}
		m := o.st.loader.Merged(record.ID)
		if o.st.loader.HasNothing(&m.Session) || o.st.scope.IgnoredBy(m.Session.Place) != "" {
			continue
		}
		f := o.st.publish.Builder.Told(m, record.Project)
		if row, known := o.st.notes.Ledger.Note(f.ID); known { // its person may have ticked boxes
			f.Boxes = facts.Decode(row.Facts, o.st.notes.Ledger.Harmed).Boxes
		}
		told[record.Project] = append(told[record.Project], f)
		for _, day := range content.Days(&m.Session, o.st.publish.Builder.Zone) {
			days[day] = true
		}
	}
	for _, key := range slices.Sorted(maps.Keys(told)) {
		o.projects[key] = facts.NewProjectIndex(told[key], nil, nil)
		o.all = append(o.all, ends.ProjectOf(key, identity.ShortName(key)))
	}
	newest := slices.Sorted(maps.Keys(days))
	slices.Reverse(newest)
	o.stale = pages.StaleBefore(newest, o.st.publish.Builder.StaleDays, o.st.publish.Builder.Zone)
}
