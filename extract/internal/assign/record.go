package assign

import (
	"strings"

	"github.com/sessionloom/sessionloom/extract/internal/facts"
	"github.com/sessionloom/sessionloom/extract/internal/identity"
	"github.com/sessionloom/sessionloom/extract/internal/index"
	"github.com/sessionloom/sessionloom/extract/internal/report"
	"github.com/sessionloom/sessionloom/extract/internal/session"
	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/sources"
)

// put writes the ledger's record of a session and makes its notes due, those of
// its forks too. Its project is looked at again once all is read.
func (a *Assigner) put(id string, m session.Merged) error {
	s := &m.Session
	record := rowOf(id, s)
	a.merges[id] = report.Merge{Damage: s.Damage, Conflicts: m.Conflicts}
	before, known := ledger.Found(a.ledger.Session(id))
	if known && before.OwnProject == record.OwnProject && before.Folder == record.Folder {
		record.Project = before.Project
	}
	if known && before.WorkspaceFolders == record.WorkspaceFolders {
		record.WorkspaceProjects = before.WorkspaceProjects
	}
	if err := a.ledger.PutSession(record); err != nil {
		return err
	}
	is := recordOf(record)
	is.Content = true
	return a.queue.Changed(facts.Change{Was: recordOf(before), Is: is})
}

// recordOf is what others are made of that a record tells.
func recordOf(record ledger.SessionRecord) facts.Record {
	return facts.Record{ID: record.ID, IsMemory: record.Kind == string(sources.KindMemory), Scope: record.Scope,
		Project: record.Project, FirstTurn: record.FirstTurn, Linked: record.WorkspaceProjects}
}

// LeftToOthers names the sessions without a note because the note of another has
// every word of them: copies of it that say nothing of their own.
func (a *Assigner) LeftToOthers() []report.LeftTo {
	out := []report.LeftTo{}
	for _, record := range ledger.Got(a.ledger.Silent()) {
		if parent := a.loader.ParentOf(record); parent != "" {
			out = append(out, report.LeftTo{Session: record.ID, To: parent})
		}
	}
	return out
}

// rowOf is what the ledger can ask of a session without unpacking it.
func rowOf(id string, s *sources.Session) ledger.SessionRecord {
	at := identity.EvidenceOf(s.Place)
	record := ledger.SessionRecord{
		ID: id, Kind: string(session.KindOf(s)), Scope: string(session.ScopeOf(s)), Project: at.OwnProject, OwnProject: at.OwnProject, Folder: at.Folder, IsGitRoot: at.IsGitRoot,
		WorkspaceFolders: strings.Join(at.WorkspaceFolders, "\n"), Parent: s.Parent, Created: index.Stamp(s.Created), Updated: index.Stamp(s.Updated),
		FirstTurn: session.FirstTurn(s.Turns), Empty: session.IsEmpty(s), Damage: strings.Join(s.Damage, "\n"),
	}
	if s.Scope == sources.ScopeUser {
		record.Project, record.OwnProject, record.Folder, record.WorkspaceFolders = "", "", "", ""
	}
	return record
}
