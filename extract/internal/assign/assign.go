// Package assign decides whose what was read is: which ids are one session, and which
// project it belongs to.
package assign

import (
	"strings"

	"github.com/sessionloom/sessionloom/extract/internal/facts"
	"github.com/sessionloom/sessionloom/extract/internal/identity"
	"github.com/sessionloom/sessionloom/extract/internal/index"
	"github.com/sessionloom/sessionloom/extract/internal/loader"
	"github.com/sessionloom/sessionloom/extract/internal/report"
	"github.com/sessionloom/sessionloom/extract/internal/session"
	"github.com/sessionloom/sessionloom/extract/internal/texts"
	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/vault"
)

// Assigner keeps the records of sessions.
type Assigner struct {
	ledger *ledger.Ledger
	queue  *index.Queue
	vault  *vault.Vault // nil: there is none
	loader *loader.Loader
	merges map[string]report.Merge // of the sessions whose record was made, by id
}

// New makes an assigner for one run. in is nil where there is no vault.
func New(notes *index.Notes, in *vault.Vault, from *loader.Loader) *Assigner {
	return &Assigner{ledger: notes.Ledger, queue: notes.Queue, vault: in, loader: from, merges: map[string]report.Merge{}}
}

// Assign finds out, once all is read, which ids and which project each session belongs
// to. reread tells that what is kept of some changed. It returns all records, none
// where nothing changed.
func (a *Assigner) Assign(reread bool) ([]ledger.SessionRecord, error) {
	looked, err := a.findAliases(reread)
	if err != nil {
		return nil, err
	}
	return a.findProjects(looked)
}

// Merges are what merging told of the sessions whose record was made, by id.
func (a *Assigner) Merges() map[string]report.Merge { return a.merges }

// Forget drops what is known of merging a session.
func (a *Assigner) Forget(id string) { delete(a.merges, id) }

// LayersChanged implements [ingest.Sessions]: it works out the record of a session
// while its layers are at hand.
func (a *Assigner) LayersChanged(id string, layers []sources.Layer, size int) error {
	if layers == nil {
		return a.Redo(id)
	}
	return a.put(id, a.loader.Fresh(id, layers, size))
}

// LayersMoved implements [ingest.Sessions].
func (a *Assigner) LayersMoved(was string) error { return a.renewRecord(was) }

// Redo works out the record of a session anew: its layers are others than they were.
func (a *Assigner) Redo(id string) error {
	a.loader.Forget(id)
	return a.put(id, a.loader.Alone(id))
}

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

// A session may know only the folder it worked in where another one, of the same
// or another agent, knows the remote of that folder: both belong to the project
// of the remote. That is decided once all is read, from the records of all
// sessions, so that the order in which they are found does not matter.

// located are sessions as their projects are inferred from. noted names, by id, the
// project in which the note of a session stands.
func located(records []ledger.SessionRecord, noted map[string]string) []identity.Located {
	all := make([]identity.Located, len(records))
	for i, c := range records {
		all[i] = locate(c, noted[c.ID])
	}
	return all
}

func locate(c ledger.SessionRecord, noted string) identity.Located {
	return identity.Located{
		FolderEvidence: identity.FolderEvidence{OwnProject: c.OwnProject, Folder: c.Folder, IsGitRoot: c.IsGitRoot},
		IsConversation: c.Kind == string(sources.KindSession), Updated: c.Updated, NoteProject: noted,
	}
}

// findProjects settles the projects of all sessions and makes due those that
// change theirs. changed tells that there may be other records than before. It returns
// all records as they are then, none where there was nothing to settle.
func (a *Assigner) findProjects(changed bool) ([]ledger.SessionRecord, error) {
	if due := ledger.Got(a.ledger.Value(ledger.ProjectsDue)); len(due) == 0 && !changed {
		return nil, nil
	}
	records := ledger.Got(a.ledger.Sessions())
	noted := ledger.Got(a.ledger.ProjectsOfNotes())
	byFolder := ledger.Got(a.ledger.ProjectsOfMemory())
	for _, c := range records {
		if project := byFolder[c.OwnProject]; project != "" && c.Kind == string(sources.KindMemory) {
			noted[c.ID] = project
		}
	}
	mapping := identity.InferProjects(located(records, noted))
	var moved []facts.Change
	for i, c := range records {
		project := mapping.Project(locate(c, noted[c.ID]))
		linked := strings.Join(mapping.WorkspaceProjects(texts.Lines(c.WorkspaceFolders)), "\n")
		if project == c.Project && linked == c.WorkspaceProjects {
			continue
		}
		if err := a.ledger.PutProject(c.ID, project, linked); err != nil {
			return nil, err
		}
		records[i].Project, records[i].WorkspaceProjects = project, linked
		moved = append(moved, facts.Change{Was: recordOf(c), Is: recordOf(records[i])})
	}
	for _, c := range moved {
		if err := a.queue.Changed(c); err != nil {
			return nil, err
		}
	}
	return records, a.ledger.SetValue(ledger.ProjectsDue, nil)
}
