// Package assign decides which ids are one session, and which project the session belongs to.
package assign

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/extract/internal/facts"
	"github.com/sessionloom/sessionloom/extract/internal/identity"
	"github.com/sessionloom/sessionloom/extract/internal/index"
	"github.com/sessionloom/sessionloom/extract/internal/loader"
	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/extract/internal/report"
	"github.com/sessionloom/sessionloom/extract/internal/session"
	"github.com/sessionloom/sessionloom/extract/internal/texts"
	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/extract/search"
	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/vault"
)

// Assigner makes the records of sessions.
type Assigner struct {
	Damage map[string][]string // unreadable parts of sessions whose record was made, by id

	ledger *ledger.Ledger
	queue  *index.Queue
	vault  *vault.Vault // may be nil
	loader *loader.Loader
	onDisk OnDisk
	places map[string]repository // repositories of folders on disk
	moved  map[string]bool       // sessions with another folder than before: the place of their note proves nothing
	stale  map[string]bool       // sessions whose record waits until all is read, as each sub-agent adds a layer
}

// OnDisk describes the repository of a folder on this machine: the root of its main working tree, and the URL
// of its remote. May be nil.
type OnDisk func(folder string) (root, remote string)

type repository struct{ root, remote string }

// New returns an assigner for one run. in is nil if there is no vault.
func New(notes *index.Notes, in *vault.Vault, from *loader.Loader, onDisk OnDisk) *Assigner {
	return &Assigner{ledger: notes.Ledger, queue: notes.Queue, vault: in, loader: from, onDisk: onDisk, places: map[string]repository{}, Damage: map[string][]string{}, moved: map[string]bool{}, stale: map[string]bool{}}
}

// Assign determines, after all reading, which ids are one session and which project each session belongs to.
// reread says that stored sessions changed; said has the user's joined projects. It returns all records, or
// none if no project had to be found, and the impossible entries of said.
func (a *Assigner) Assign(reread bool, said map[string]string) ([]ledger.SessionRecord, []error) {
	for _, id := range slices.Sorted(maps.Keys(a.stale)) {
		delete(a.stale, id)
		a.Redo(id)
	}
	a.findAliases(reread)
	joins, wrong := a.findJoins(said)
	return a.findProjects(joins), wrong
}

// LayersChanged implements [ingest.Sessions]: it builds the record of a session while its layers are in
// memory, else once all is read.
func (a *Assigner) LayersChanged(id string, layers []sources.Layer) {
	if layers == nil {
		a.stale[id] = true
		return
	}
	a.put(id, a.loader.Of(id, layers))
}

// LayersMoved implements [ingest.Sessions].
func (a *Assigner) LayersMoved(was string) { a.renewRecord(was) }

// Redo builds the record of a session again, as its layers changed. It drops the record if the layers moved
// to another id, or if only answers about it are stored.
func (a *Assigner) Redo(id string) {
	if !a.ledger.Holds(id) {
		return
	}
	a.put(id, a.loader.Alone(id))
}

// put stores the record of a session and makes its notes and its forks' notes due. Its project is checked
// again once all is read.
func (a *Assigner) put(id string, m session.Merged) {
	s := &m.Session
	record := rowOf(id, s, a.located(s.Place))
	record.Empty = a.loader.HasNothing(s)
	delete(a.Damage, id)
	if len(s.Damage) > 0 {
		a.Damage[id] = s.Damage
	}
	before, known := a.ledger.Session(id)
	if !known || before.Evidence() != record.Evidence() || !a.ledger.AgreeOnProject(record.Folder) {
		a.ledger.SetValue(ledger.ProjectsDue, []byte{1})
	}
	if known && before.OwnProject == record.OwnProject && before.Folder == record.Folder {
		record.Project, record.Joined = before.Project, before.Joined
	}
	if known && before.Folder != "" && record.Folder != "" && before.Folder != record.Folder { // it was a guess
		a.moved[id] = true
	}
	if known && before.WorkspaceFolders == record.WorkspaceFolders {
		record.WorkspaceProjects = before.WorkspaceProjects
	}
	a.ledger.PutSession(record)
	search.Put(a.ledger, s)
	is := recordOf(record)
	is.Content = true
	a.queue.Changed(facts.Change{Was: recordOf(before), Is: is})
}

func recordOf(record ledger.SessionRecord) facts.Record {
	return facts.Record{ID: record.ID, IsMemory: record.Kind == string(sources.KindMemory), Scope: record.Scope,
		Project: record.Project, Joined: record.Joined, FirstTurn: record.FirstTurn, Linked: record.WorkspaceProjects}
}

// LeftToOthers returns the sessions without a note because the note of another has every word of them: copies
// without words of their own.
func (a *Assigner) LeftToOthers() []report.LeftTo {
	out := []report.LeftTo{}
	for _, record := range a.ledger.Silent() {
		if parent := a.loader.ParentOf(record); parent != "" {
			out = append(out, report.LeftTo{Session: record.ID, To: parent})
		}
	}
	return out
}

// located adds to a place the repository on disk: an agent that records no remote, or worked in a second
// working tree, worked in that one.
func (a *Assigner) located(p sources.Place) sources.Place {
	if a.onDisk == nil || p.Repository != "" {
		return p
	}
	for _, folder := range []string{p.GitRoot, p.Cwd} {
		if !identity.IsHere(folder) {
			continue
		}
		at, known := a.places[folder]
		if !known {
			at.root, at.remote = a.onDisk(folder)
			a.places[folder] = at
		}
		if in, ok := identity.InRepository(p, folder, at.root, at.remote); ok {
			return in
		}
	}
	return p
}

// rowOf returns the ledger's record of a session at a place, for queries without unpacking it.
func rowOf(id string, s *sources.Session, place sources.Place) ledger.SessionRecord {
	at := identity.EvidenceOf(place)
	record := ledger.SessionRecord{
		ID: id, Kind: string(session.KindOf(s)), Scope: string(session.ScopeOf(s)), Project: at.OwnProject, OwnProject: at.OwnProject, Folder: at.Folder, IsGitRoot: at.IsGitRoot,
		WorkspaceFolders: strings.Join(at.WorkspaceFolders, "\n"), Parent: s.Parent, Created: index.Stamp(s.Created), Updated: index.Stamp(s.Updated),
		FirstTurn: session.FirstTurn(s.Turns), Damage: strings.Join(s.Damage, "\n"), Class: string(s.Class),
	}
	if s.Scope == sources.ScopeUser {
		record.Project, record.OwnProject, record.Folder, record.WorkspaceFolders = "", "", "", ""
	}
	return record
}

// A session may know only its folder while another one, of any agent, knows the remote of that folder: both
// belong to the project of the remote. That is decided once all is read, from the records of all sessions, so
// that their order does not matter.

// findJoins reads the projects that the user joined.
func (a *Assigner) findJoins(said map[string]string) (identity.Joins, []error) {
	if len(said) == 0 {
		return nil, nil
	}
	known := slices.AppendSeq(a.ledger.Projects(), maps.Keys(a.ledger.FormerProjects()))
	slices.Sort(known)
	return identity.ParseJoins(said, slices.DeleteFunc(slices.Compact(known), func(key string) bool { return key == identity.KeyLoose }))
}

// findProjects assigns the projects of all sessions and queues sessions whose project changed. It returns all
// records, or none if nothing had to be done.
func (a *Assigner) findProjects(joins identity.Joins) []ledger.SessionRecord {
	same := string(a.ledger.Value(ledger.Joins)) == joins.String()
	if due := a.ledger.Value(ledger.ProjectsDue); len(due) == 0 && same {
		return nil
	}
	records := a.ledger.Sessions()
	var moved []facts.Change
	for i, is := range a.locate(records, joins) {
		c := records[i]
		if is == c {
			continue
		}
		a.ledger.PutProjects(is)
		records[i] = is
		moved = append(moved, facts.Change{Was: recordOf(c), Is: recordOf(is)})
	}
	for _, c := range moved {
		a.queue.Changed(c)
	}
	a.ledger.SetValue(ledger.ProjectsDue, nil)
	if !same {
		a.ledger.SetValue(ledger.Joins, []byte(joins.String()))
	}
	return records
}

func (a *Assigner) locate(records []ledger.SessionRecord, joins identity.Joins) []ledger.SessionRecord {
	noted := a.ledger.ProjectsOfNotes()
	byFolder := a.ledger.ProjectsOfMemory()
	all := make([]identity.Located, len(records))
	for i, c := range records {
		if project := byFolder[c.OwnProject]; project != "" && c.Kind == string(sources.KindMemory) {
			noted[c.ID] = project
		}
		if a.moved[c.ID] {
			delete(noted, c.ID)
		}
		all[i] = identity.Located{
			FolderEvidence: identity.FolderEvidence{OwnProject: c.OwnProject, Folder: c.Folder, IsGitRoot: c.IsGitRoot},
			IsConversation: c.Kind == string(sources.KindSession), Updated: c.Updated, NoteProject: noted[c.ID],
		}
	}
	with := identity.InferProjects(all, joins)
	without := with
	if len(joins) > 0 {
		without = identity.InferProjects(all, nil)
	}
	out := slices.Clone(records)
	for i := range out {
		c := &out[i]
		c.WorkspaceProjects = strings.Join(with.WorkspaceProjects(texts.Lines(c.WorkspaceFolders)), "\n")
		c.Project, c.Joined = with.Project(all[i]), without.Project(all[i])
		if c.Joined == c.Project {
			c.Joined = ""
		}
	}
	return out
}

// A conversation may have several ids: a transcript has the agent's, an export its first request's. If a
// layer or note names another id (sources.Session.Aka, the property `also`), data under that id is part of
// it. The grouping depends only on what is known, not on its order.

// findAliases groups ids again if that may have changed: reread says that stored sessions did. It queues the
// sessions that gain or lose an id.
func (a *Assigner) findAliases(reread bool) {
	if due := a.ledger.Value(ledger.AliasesDue); len(due) == 0 && !reread {
		return
	}
	candidates := a.ledger.AliasCandidates()
	before := a.ledger.Aliases()
	if len(candidates) > 0 || len(before) > 0 {
		reads := a.ledger.Reads()
		a.noteKnown(candidates, reads)
		a.putAliases(before, identity.ResolveAliases(candidates, reads))
	}
	a.ledger.SetValue(ledger.AliasesDue, nil)
}

// noteKnown counts as known an id made by a source under which nothing is read any more but a note exists, or
// was deleted: the source names the session again, and its note moves along.
func (a *Assigner) noteKnown(candidates []identity.AliasCandidate, reads map[string]identity.KnownID) {
	for _, c := range candidates {
		if _, known := reads[c.Of]; known || sources.IsUUID(c.Of) {
			continue
		}
		_, stands := a.ledger.Note(names.SessionID(c.Of))
		if stands || a.vault != nil && a.vault.HasTombstone(names.SessionID(c.Of)) {
			reads[c.Of] = identity.KnownID{Rank: sources.RankIndex}
		}
	}
}

func (a *Assigner) putAliases(before, after map[string]string) {
	concerned := map[string]bool{}
	for _, aliases := range []map[string]string{before, after} {
		for id := range aliases {
			was, is := cmp.Or(before[id], id), cmp.Or(after[id], id)
			if was == is {
				continue
			}
			a.ledger.PutAlias(id, is)
			concerned[id], concerned[was], concerned[is] = true, true, true
		}
	}
	for _, id := range slices.Sorted(maps.Keys(concerned)) { // forks name their parent by any of its ids
		for _, f := range a.ledger.Forks(id) {
			concerned[f.ID] = true
		}
	}
	for _, id := range slices.Sorted(maps.Keys(concerned)) {
		a.renewRecord(id)
	}
}

// renewRecord builds the record of a session from its layers, and drops the record of an id that now belongs
// to another session.
func (a *Assigner) renewRecord(id string) {
	if a.ledger.CanonicalID(id) != id || !a.ledger.Holds(id) {
		delete(a.Damage, id)
		a.ledger.DropSession(id)
		a.queue.Mark(ledger.DueSession, id)
		return
	}
	a.Redo(id)
}
