package pages

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/sessionloom/sessionloom/extract/internal/content"
	"github.com/sessionloom/sessionloom/extract/internal/facts"
	"github.com/sessionloom/sessionloom/extract/internal/identity"
	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/extract/internal/outcome"
	"github.com/sessionloom/sessionloom/extract/internal/session"
	"github.com/sessionloom/sessionloom/extract/internal/texts"
	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/templates"
)

// Belongs has the keys of the projects that a session belongs to.
type Belongs struct {
	Project string
	Joined  string   // the project without joining; empty: the same
	Folders []string // projects of the folders of its workspace
}

// Session builds all notes of a session.
func (b *Builder) Session(m session.Merged, to Belongs) []*Page {
	s, pr := &m.Session, identity.ProjectFromKey(to.Project)
	k, at := knownOf(s, b.Transcript), names.OfSession(pr, s, b.NamesZone)
	f := b.sessionFacts(m, pr, k)
	f.Folders = to.Folders
	if to.Joined != "" {
		f.Joined = []string{to.Joined}
	}
	k.told = f
	open, _ := b.closedLater(f, k.open)
	f.Boxes = openBoxes(open)
	k.done = slices.Clone(k.done[:min(len(k.done), doneShown)]) // the note's limit applies
	out := []*Page{{
		Facts: f, Path: at.Note(),
		Body: func(m *OpenSession) (string, error) { return b.sessionBody(m, pr, 0, f.Folders, k) },
	}}
	parts := len(b.splitTurns(s, pr))
	for i := 1; i < parts; i++ {
		out = append(out, &Page{
			Facts: facts.Facts{ID: names.PartID(s.ID, i+1), Type: names.TypePart, Title: f.Title + ", part " + strconv.Itoa(i+1),
				Created: f.Created, Updated: f.Updated, Project: pr.Key, Sources: f.Sources},
			Path: at.Part(i + 1),
			Body: func(m *OpenSession) (string, error) { return b.sessionBody(m, pr, i, nil, k) },
		})
	}
	for i := range s.Checkpoints {
		out = append(out, b.checkpointNote(s, i, pr, f, at))
	}
	for i, a := range s.Artifacts {
		if a.Text != "" {
			out = append(out, b.memoryNote(s, i, pr, f, at))
		}
	}
	if at.Untitled {
		for _, page := range out {
			page.Facts.Untitled = names.GivenName(page.Path, page.Facts.ID)
		}
	}
	return out
}

func (b *Builder) checkpointNote(s *sources.Session, i int, pr identity.Project, of facts.Facts, lie names.SessionNames) *Page {
	c := s.Checkpoints[i]
	title := content.CheckpointTitle(c)
	at := cmp.Or(c.At, s.Updated)
	return &Page{
		Facts: facts.Facts{ID: names.CheckpointID(s.ID, c.Number), Type: names.TypeCheckpoint, Title: title, Summary: texts.FirstSentence(c.Overview),
			Created: at, Updated: at, Project: pr.Key, Branch: "", Sources: of.Sources},
		Path: lie.Checkpoint(c.Number),
		Body: func(m *OpenSession) (string, error) {
			s, c := &m.Session, m.Session.Checkpoints[i]
			return b.Templates.Page(templates.Checkpoint{
				Number: c.Number, Title: templates.Text(title), At: b.local(c.At),
				Session: b.linkTo(names.SessionID(s.ID)), Project: b.projectLink(pr.Key),
				Overview: templates.Text(c.Overview), NextSteps: templates.Text(c.NextSteps), WorkDone: templates.Text(c.WorkDone),
				Technical: templates.Text(c.Technical), Important: templates.Text(c.Important), History: templates.Text(c.History), Raw: templates.Text(c.Raw),
			})
		},
	}
}

func (b *Builder) memoryNote(s *sources.Session, i int, pr identity.Project, of facts.Facts, lie names.SessionNames) *Page {
	a := s.Artifacts[i]
	at := cmp.Or(a.At, s.Updated)
	title := content.ArtifactTitle(a, of.Title)
	return &Page{
		Facts: facts.Facts{ID: names.MemoryID(s.ID, a), Type: names.TypeMemory, Kind: a.Kind, Title: title, Created: s.Created, Updated: at,
			Project: pr.Key, Sources: of.Sources},
		Path: lie.Memory(a),
		Body: func(m *OpenSession) (string, error) {
			s, a := &m.Session, m.Session.Artifacts[i]
			return b.Templates.Page(templates.Memory{
				Kind: templates.Text(a.Kind), Name: templates.Code(a.Name), Title: templates.Text(title), At: b.local(at), Scope: "session",
				Session: b.linkTo(names.SessionID(s.ID)), Project: b.projectLink(pr.Key),
				Text: templates.Text(content.Shown(a, title)), Left: templates.Text(a.Left),
			})
		},
	}
}

// Told returns the facts that the note of a session in a project would have.
func (b *Builder) Told(m session.Merged, project string) facts.Facts {
	return b.sessionFacts(m, identity.ProjectFromKey(project), knownOf(&m.Session, b.Transcript)).Normalized(b.Zone)
}

func (b *Builder) sessionFacts(m session.Merged, pr identity.Project, k known) facts.Facts {
	s := &m.Session
	files := content.Files(s)
	f := facts.Facts{
		ID: names.SessionID(s.ID), Type: names.TypeSession, Title: texts.OneLine(s.Title), Summary: outcome.Of(s).Text, Agent: s.Agent,
		Created: s.Created, Updated: s.Updated, Project: pr.Key, Branch: texts.OneLine(s.Place.Branch), Parent: s.Parent,
		Models: modelsOf(s), Turns: content.PromptCount(s.Turns), Checkpoints: len(s.Checkpoints), Sources: m.Layers,
		Aliases: m.Shown, Archived: s.Archived, Pinned: s.Pinned,
		Refs: refNames(s), MoreFiles: max(0, len(files)-maxListedFiles) + len(content.FilesElsewhere(s)), Rows: rowsOf(s, b.Zone, b.way(s, pr.Key).Folder, b.blocks(s), files, k), Boxes: openBoxes(k.open),
	}
	if b.Tokens {
		f.Rows = append(f.Rows, tokenRows(s, b.Zone)...)
	}
	if pr.Owner != "" {
		f.Repository = pr.Key
	}
	return f
}
