package extract

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/sessionloom/sessionloom/extract/internal/ends"
	"github.com/sessionloom/sessionloom/extract/internal/facts"
	"github.com/sessionloom/sessionloom/extract/internal/index"
	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/extract/redact"
	"github.com/sessionloom/sessionloom/sources"
)

// Exported is one session as `export` prints it (schema 1): merged, masked,
// unknown values left out.
type Exported struct {
	Schema     int             `json:"schema"`
	ID         string          `json:"id"`
	Agent      string          `json:"agent"`
	Title      string          `json:"title"`
	Summary    string          `json:"summary,omitempty"`
	Project    ExportedProject `json:"project"`
	Repository string          `json:"repository,omitempty"`
	Branch     string          `json:"branch,omitempty"`
	Cwd        string          `json:"cwd,omitempty"`
	Models     []string        `json:"models,omitempty"`
	Created    time.Time       `json:"created,omitzero"`
	Updated    time.Time       `json:"updated,omitzero"`
	Partial    bool            `json:"partial"`
	Parent     string          `json:"parent,omitempty"`
	Class      sources.Class   `json:"class,omitempty"`
	Headless   bool            `json:"headless,omitempty"`

	Outcome     ExportedOutcome      `json:"outcome"`
	OpenEnds    []ExportedEnd        `json:"open_ends,omitempty"`
	Decisions   []ExportedDecision   `json:"decisions,omitempty"`
	Turns       []sources.Turn       `json:"turns"`
	Checkpoints []sources.Checkpoint `json:"checkpoints,omitempty"`
	Artifacts   []sources.Artifact   `json:"artifacts,omitempty"`
	Todos       []sources.Todo       `json:"todos,omitempty"`
	Files       []sources.FileTouch  `json:"files,omitempty"`
	Refs        []sources.Ref        `json:"refs,omitempty"`
	Delegated   []sources.Delegation `json:"delegated,omitempty"`
	Actions     []sources.Action     `json:"actions,omitempty"`
	Acts        []sources.Act        `json:"acts,omitempty"`
	TakenBack   []sources.Turn       `json:"taken_back,omitempty"`
	Distilled   []sources.Distillate `json:"distilled,omitempty"`
	Provenance  []Provenance         `json:"provenance"`
}

// ExportedOutcome is the outcome of a session, its basis, and the index of its turn, or -1.
type ExportedOutcome struct {
	Text string `json:"text"`
	From string `json:"from"`
	Turn int    `json:"turn"`
}

// ExportedProject names the project of a session.
type ExportedProject struct {
	Key  string `json:"key"`
	Name string `json:"name"`
}

// Provenance names a layer of a session.
type Provenance struct {
	Source string `json:"source"`
	Item   string `json:"item"`
}

// MarshalJSON implements [json.Marshaler]: masks are numbered over the session.
func (e Exported) MarshalJSON() ([]byte, error) {
	type fields Exported
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(fields(e))
	return []byte(redact.Number(b.String())[0]), err
}

// Export updates the ledger, writes no note, and passes every session, or the named ones, to write, in order
// of ids. It returns a [*catalog.NameError] if a name stands for no session, or for several.
func (s *Engine) Export(ctx context.Context, names []string, write func(Exported) error) (Report, error) {
	s.Mode.NotesOff = true
	report, err := s.Run(ctx)
	if err != nil {
		return report, err
	}
	problems, err := s.Read(ctx, Selected{Names: names}, func(k *Kept) error { return write(k.exported()) })
	report.Problems = append(report.Problems, problems...)
	return report, err
}

func (k *Kept) exported() Exported {
	s, pr := k.Session, k.Project
	e := Exported{
		Schema: 1, ID: s.ID, Agent: s.Agent, Title: s.Title, Summary: s.Summary,
		Project: pr, Repository: k.Repository(),
		Branch: s.Place.Branch, Cwd: s.Place.Cwd, Models: s.Models, Created: s.Created, Updated: s.Updated,
		Partial: len(s.Damage) > 0, Parent: s.Parent, Turns: append([]sources.Turn{}, withoutContent(s.Turns)...), Checkpoints: s.Checkpoints,
		Artifacts: s.Artifacts, Todos: s.Todos, Files: slices.Clone(s.Files), Refs: s.Refs,
		Class: s.Class, Headless: s.Headless, Delegated: s.Delegated, Actions: s.Actions, Acts: s.Acts, TakenBack: withoutContent(s.TakenBack), Distilled: k.Distilled(),
		Outcome: k.Outcome(), OpenEnds: k.OpenEnds(), Decisions: k.Decisions(), Provenance: k.Provenance(),
	}
	slices.SortStableFunc(e.Files, func(a, b sources.FileTouch) int { return cmp.Compare(a.Turn, b.Turn) })
	return e
}

// withoutContent returns turns without the bytes of their images.
func withoutContent(turns []sources.Turn) []sources.Turn {
	out := slices.Clone(turns)
	for i := range out {
		out[i].Attachments = slices.Clone(out[i].Attachments)
		for j := range out[i].Attachments {
			out[i].Attachments[j].Content = nil
		}
	}
	return out
}

// ExportedEnd is an item that a session left open, or closed.
type ExportedEnd struct {
	Text  string `json:"text"`
	Kind  string `json:"kind"`  // list, box, question, plan, prompt: its act
	State string `json:"state"` // open, closed
	Turn  int    `json:"turn"`  // index of its turn, or -1
}

// ExportedDecision is a decision of a session.
type ExportedDecision struct {
	Text string `json:"text"`
	Kind string `json:"kind"` // answer, plan, refused, undone
	Turn int    `json:"turn"` // index, or -1
}

// openEnds returns the open items of sessions as on the pages of a vault.
type openEnds struct {
	st   *stages
	open map[string]map[string]bool // sessions and ids of open items, by project; nil before the first use
}

// of returns the items of a session of a project.
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

// load reads all sessions, as one may have closed an item of another.
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
