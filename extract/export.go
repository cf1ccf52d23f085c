package extract

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/sessionloom/sessionloom/extract/internal/identity"
	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/extract/internal/session"
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

	Turns       []sources.Turn       `json:"turns"`
	Checkpoints []sources.Checkpoint `json:"checkpoints,omitempty"`
	Artifacts   []sources.Artifact   `json:"artifacts,omitempty"`
	Todos       []sources.Todo       `json:"todos,omitempty"`
	Files       []sources.FileTouch  `json:"files,omitempty"`
	Refs        []sources.Ref        `json:"refs,omitempty"`
	Provenance  []Provenance         `json:"provenance"`
}

// ExportedProject names the project of a session.
type ExportedProject struct {
	Key  string `json:"key"`
	Name string `json:"name"`
}

// Provenance names a layer a session was made of.
type Provenance struct {
	Source string `json:"source"`
	Item   string `json:"item"`
}

// Export brings the ledger up to date, writes no note, and hands every session,
// or those with the given ids, to write, in order of their ids.
func (s *Sync) Export(ctx context.Context, ids []string, write func(Exported) error) (Report, error) {
	s.Mode.NotesOff = true
	report, err := s.Run(ctx)
	if err != nil {
		return report, err
	}
	p, err := s.newPass()
	if err != nil {
		return report, err
	}
	cards, err := s.Ledger.Sessions()
	if err != nil {
		return report, err
	}
	for i := range ids {
		home, err := s.Ledger.Home(ids[i])
		if err != nil {
			return report, err
		}
		ids = append(ids, home)
	}
	for _, card := range cards {
		if len(ids) > 0 && !slices.Contains(ids, card.ID) {
			continue
		}
		if card.Kind == string(sources.KindShelf) {
			continue
		}
		pr := identity.ProjectFromKey(card.Project)
		if !p.inScope(card.ID, pr, card.Updated) {
			continue
		}
		var e *Exported
		err := p.alone(ctx, func() (err error) {
			e, err = p.export(card.ID, pr)
			return err
		}, func(err error) {
			report.Problems = append(report.Problems, Problem{Item: names.SessionID(card.ID), Error: err.Error(), Hint: "the others are printed", Fatal: true})
		})
		if err == nil && e != nil {
			err = write(*e)
		}
		if err != nil {
			return report, err
		}
	}
	return report, nil
}

// export gives one session, nil where it has nothing to tell or is left out.
func (p *pass) export(id string, pr identity.Project) (*Exported, error) {
	m, err := p.merged(id)
	if err != nil || session.IsEmpty(&m.Session) || p.ignoredBy(m.Session.Place) != "" {
		return nil, err
	}
	e := exported(m, pr)
	e.Provenance, err = p.provenance(id)
	return &e, err
}

func (p *pass) provenance(id string) ([]Provenance, error) {
	refs, err := p.Ledger.LayerItems(id)
	if err != nil {
		return nil, err
	}
	var out []Provenance
	for _, r := range refs {
		out = append(out, Provenance{Source: r.Name, Item: r.Item})
	}
	return out, nil
}

func exported(m session.Merged, pr identity.Project) Exported {
	s := m.Session
	numberSession(&s)
	return Exported{
		Schema: 1, ID: s.ID, Agent: s.Agent, Title: s.Title, Summary: s.Summary,
		Project: ExportedProject{Key: pr.Key, Name: pr.Name}, Repository: cmp.Or(repositoryOf(pr), s.Place.Repository),
		Branch: s.Place.Branch, Cwd: s.Place.Cwd, Models: s.Models, Created: s.Created, Updated: s.Updated,
		Partial: len(s.Damage) > 0, Parent: s.Parent, Turns: s.Turns, Checkpoints: s.Checkpoints,
		Artifacts: s.Artifacts, Todos: s.Todos, Files: exportedFiles(s.Files), Refs: s.Refs,
	}
}

func repositoryOf(pr identity.Project) string {
	if pr.Owner == "" {
		return ""
	}
	return pr.Owner + "/" + pr.Repo
}

func exportedFiles(files []sources.FileTouch) []sources.FileTouch {
	out := slices.Clone(files)
	slices.SortStableFunc(out, func(a, b sources.FileTouch) int { return cmp.Compare(a.Turn, b.Turn) })
	return out
}

// numberSession turns masks into [redacted:rule#n], numbered over the session.
func numberSession(s *sources.Session) {
	var texts []*string
	texts = append(texts, &s.Title, &s.Summary, &s.Place.Cwd, &s.Place.Branch)
	s.Turns = slices.Clone(s.Turns)
	for i := range s.Turns {
		t := &s.Turns[i]
		texts = append(texts, &t.User, &t.Assistant, &t.Error)
		t.Tools, t.Attachments = slices.Clone(t.Tools), slices.Clone(t.Attachments)
		for j := range t.Tools {
			texts = append(texts, &t.Tools[j].Detail)
		}
		for j := range t.Attachments {
			t.Attachments[j].Content = nil
			texts = append(texts, &t.Attachments[j].Name)
		}
	}
	s.Checkpoints = slices.Clone(s.Checkpoints)
	for i := range s.Checkpoints {
		c := &s.Checkpoints[i]
		texts = append(texts, &c.Title, &c.Overview, &c.History, &c.WorkDone, &c.Technical, &c.Important, &c.NextSteps, &c.Raw)
	}
	s.Artifacts = slices.Clone(s.Artifacts)
	for i := range s.Artifacts {
		texts = append(texts, &s.Artifacts[i].Name, &s.Artifacts[i].Text)
	}
	s.Todos = slices.Clone(s.Todos)
	for i := range s.Todos {
		texts = append(texts, &s.Todos[i].Title, &s.Todos[i].Description)
	}
	s.Files, s.Refs = slices.Clone(s.Files), slices.Clone(s.Refs)
	for i := range s.Files {
		texts = append(texts, &s.Files[i].Path)
	}
	for i := range s.Refs {
		texts = append(texts, &s.Refs[i].Value, &s.Refs[i].Text)
	}
	plain := make([]string, len(texts))
	for i, t := range texts {
		plain[i] = *t
	}
	for i, n := range redact.Number(plain...) {
		*texts[i] = n
	}
}
