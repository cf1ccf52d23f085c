package export

import (
	"cmp"
	"slices"
	"time"

	"github.com/sessionloom/sessionloom/extract/internal/identity"
	"github.com/sessionloom/sessionloom/extract/internal/session"
	"github.com/sessionloom/sessionloom/extract/redact"
	"github.com/sessionloom/sessionloom/sources"
)

// Session is one session as `export` prints it (schema 1): merged, masked,
// unknown values left out.
type Session struct {
	Schema     int       `json:"schema"`
	ID         string    `json:"id"`
	Agent      string    `json:"agent"`
	Title      string    `json:"title"`
	Summary    string    `json:"summary,omitempty"`
	Project    Project   `json:"project"`
	Repository string    `json:"repository,omitempty"`
	Branch     string    `json:"branch,omitempty"`
	Cwd        string    `json:"cwd,omitempty"`
	Models     []string  `json:"models,omitempty"`
	Created    time.Time `json:"created,omitzero"`
	Updated    time.Time `json:"updated,omitzero"`
	Partial    bool      `json:"partial"`
	Parent     string    `json:"parent,omitempty"`

	Turns       []sources.Turn       `json:"turns"`
	Checkpoints []sources.Checkpoint `json:"checkpoints,omitempty"`
	Artifacts   []sources.Artifact   `json:"artifacts,omitempty"`
	Todos       []sources.Todo       `json:"todos,omitempty"`
	Files       []sources.FileTouch  `json:"files,omitempty"`
	Refs        []sources.Ref        `json:"refs,omitempty"`
	Provenance  []Provenance         `json:"provenance"`
}

// Project names the project of a session.
type Project struct {
	Key  string `json:"key"`
	Name string `json:"name"`
}

// Provenance names a layer a session was made of.
type Provenance struct {
	Source string `json:"source"`
	Item   string `json:"item"`
}

// Of is a session as it is printed, without its provenance.
func Of(m session.Merged, pr identity.Project) Session {
	s := m.Session
	numberSession(&s)
	return Session{
		Schema: 1, ID: s.ID, Agent: s.Agent, Title: s.Title, Summary: s.Summary,
		Project: Project{Key: pr.Key, Name: pr.Name}, Repository: cmp.Or(repositoryOf(pr), s.Place.Repository),
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
