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
// of the remote. That is settled once all is read, from the cards of all
// sessions, so that the order in which they are found does not matter.

// located are sessions as their projects are inferred from. noted names, by id, the
// project in which the note of a session stands.
func located(cards []ledger.SessionRow, noted map[string]string) []identity.Located {
	all := make([]identity.Located, len(cards))
	for i, c := range cards {
		all[i] = locate(c, noted[c.ID])
	}
	return all
}

func locate(c ledger.SessionRow, noted string) identity.Located {
	return identity.Located{
		FolderEvidence: identity.FolderEvidence{OwnProject: c.Own, Folder: c.Folder, IsGitRoot: c.Rooted},
		IsConversation: c.Kind == string(sources.KindSession), Updated: c.Updated, NoteProject: noted,
	}
}

// findProjects settles the projects of all sessions and makes due those that
// change theirs. changed tells that there may be other cards than before. It returns
// all cards as they are then, none where there was nothing to settle.
func (a *Assigner) findProjects(changed bool) ([]ledger.SessionRow, error) {
	flag, err := a.ledger.Value(ledger.ProjectsDue)
	if err != nil || len(flag) == 0 && !changed {
		return nil, err
	}
	cards, err := a.ledger.Sessions()
	if err != nil {
		return nil, err
	}
	noted, err := a.ledger.Grounds()
	if err != nil {
		return nil, err
	}
	shelved, err := a.ledger.ShelfGrounds()
	if err != nil {
		return nil, err
	}
	for _, c := range cards {
		if project := shelved[c.Own]; project != "" && c.Kind == string(sources.KindShelf) {
			noted[c.ID] = project
		}
	}
	mapping := identity.InferProjects(located(cards, noted))
	var moved []facts.Change
	for i, c := range cards {
		project := mapping.Project(locate(c, noted[c.ID]))
		linked := strings.Join(mapping.WorkspaceProjects(texts.Lines(c.Folders)), "\n")
		if project == c.Project && linked == c.Linked {
			continue
		}
		if err := a.ledger.PutProject(c.ID, project, linked); err != nil {
			return nil, err
		}
		cards[i].Project, cards[i].Linked = project, linked
		moved = append(moved, facts.Change{Was: recordOf(c), Is: recordOf(cards[i])})
	}
	for _, c := range moved {
		if err := a.queue.Changed(c); err != nil {
			return nil, err
		}
	}
	return cards, a.ledger.SetValue(ledger.ProjectsDue, nil)
}
