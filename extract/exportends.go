package extract

import (
	"github.com/sessionloom/sessionloom/extract/internal/ends"
	"github.com/sessionloom/sessionloom/extract/internal/facts"
	"github.com/sessionloom/sessionloom/extract/internal/index"
	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/sources"
)

// ExportedEnd is something that a session left open, or shows as done.
type ExportedEnd struct {
	Text  string `json:"text"`
	Kind  string `json:"kind"`  // list, box, question, plan, prompt: the act that it rests on
	State string `json:"state"` // open, closed
	Turn  int    `json:"turn"`  // index of the turn that it stands in, -1 for none
}

// ExportedDecision is something that a session decided.
type ExportedDecision struct {
	Text string `json:"text"`
	Kind string `json:"kind"` // answer, plan, refused, undone
	Turn int    `json:"turn"` // -1 for none
}

// openEnds tells how what sessions left open stands, as the pages of a vault would show it.
type openEnds struct {
	st   *stages
	open map[string]map[string]bool // sessions and ids of open ends, by project; nil before sessions were asked
}

// of are the ends of a session of a project.
func (o *openEnds) of(s *sources.Session, project string) (out []ExportedEnd) {
	open, done := ends.InSession(s)
	for _, m := range open {
		e := ExportedEnd{Text: m.Text, Kind: string(m.Kind), State: "closed", Turn: m.Turn}
		if o.load(); o.open[project][names.SessionID(s.ID)+m.ID] {
			e.State = "open"
		}
		out = append(out, e)
	}
	for _, m := range done {
		out = append(out, ExportedEnd{Text: m.Text, Kind: string(m.Kind), State: "closed", Turn: m.Turn})
	}
	return out
}

// load asks all sessions, for another one may have done what one left open.
func (o *openEnds) load() {
	if o.open != nil {
		return
	}
	o.open = map[string]map[string]bool{}
	told := map[string][]facts.Facts{}
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
	}
	for key, sessions := range told {
		o.open[key] = map[string]bool{}
		for _, t := range facts.NewProjectIndex(sessions, nil, nil).Threads() {
			for _, m := range t.Mentions {
				o.open[key][m.Session+m.ID] = !m.Done
			}
		}
	}
}
