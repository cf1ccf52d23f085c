package assign

import (
	"strings"

	"github.com/sessionloom/sessionloom/extract/internal/facts"
	"github.com/sessionloom/sessionloom/extract/internal/identity"
	"github.com/sessionloom/sessionloom/extract/internal/texts"
	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/sources"
)

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
