package extract

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/extract/internal/identity"
	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/vault"
)

// facts are what other pages may know of a note: its frontmatter and its task
// boxes, as they stand in the vault, whoever wrote them.
type facts struct {
	ID      string    `json:"id"`
	Type    string    `json:"type"`
	Title   string    `json:"title,omitempty"`
	Summary string    `json:"summary,omitempty"`
	Agent   string    `json:"agent,omitempty"`
	Created time.Time `json:"created,omitzero"`
	Updated time.Time `json:"updated,omitzero"`

	Project    string `json:"project,omitempty"` // key
	Repository string `json:"repository,omitempty"`
	Branch     string `json:"branch,omitempty"`
	Parent     string `json:"parent,omitempty"` // session id
	Kind       string `json:"kind,omitempty"`   // of a memory note

	Also     []string `json:"also,omitempty"`        // other ids of the session
	Folders  []string `json:"folder_keys,omitempty"` // projects of the folders of a workspace; of a shelf's note: those that its folder alone gives
	Archived bool     `json:"archived,omitempty"`
	Pinned   bool     `json:"pinned,omitempty"`

	Models    []string `json:"models,omitempty"`
	Days      []string `json:"days,omitempty"`
	Files     []string `json:"files,omitempty"`
	MoreFiles int      `json:"files_more,omitempty"`
	Refs      []string `json:"refs,omitempty"`
	Sources   []string `json:"sources,omitempty"`

	Turns       int `json:"turns,omitempty"`
	Checkpoints int `json:"checkpoints,omitempty"`
	Sessions    int `json:"sessions,omitempty"` // of a project or file page
	Open        int `json:"open,omitempty"`     // of a project page or session

	Boxes []vault.Box `json:"boxes,omitempty"`
}

// session returns the id of the session a note belongs to, empty for pages.
func (f facts) session() string {
	_, rest, _ := strings.Cut(f.ID, ":")
	switch f.Type {
	case names.TypeSession:
		return rest
	case names.TypePart, names.TypeCheckpoint:
		if i := strings.LastIndexByte(rest, ':'); i >= 0 {
			return rest[:i]
		}
	case names.TypeMemory:
		if names.IsOwnMemory(f.ID) {
			return ""
		}
		if session, plan := strings.CutSuffix(rest, ":plan"); plan {
			return session
		}
		if i := strings.Index(rest, ":"+f.Kind+"/"); f.Kind != "" && i >= 0 && !strings.Contains(rest[:i]+":", ":repo:") {
			return rest[:i]
		}
	}
	return ""
}

// named is facts with the type and project that the id tells, where the
// frontmatter is broken and tells none.
func (f facts) named() facts {
	if f.Type != "" {
		return f
	}
	typ, rest, _ := strings.Cut(f.ID, ":")
	f.Type = typ // session, checkpoint, memory, project, file, day, home, threads
	switch typ {
	case names.TypeProject:
		f.Project = rest
	case names.TypeFile:
		f.Project, _, _ = names.CutFileID(rest)
	}
	return f
}

// lastChange is when a note last told of something new.
func (f facts) lastChange() time.Time {
	if f.Created.After(f.Updated) {
		return f.Created
	}
	return f.Updated
}

// linkTexts are the wikilinks that stand in properties.
type linkTexts struct{ project, parent, session string }

// properties writes facts as frontmatter. Links are given ready, for only the
// caller knows where notes lie; an empty one is left out.
func (f facts) properties(links linkTexts) []vault.Property {
	p := []vault.Property{
		{Key: "id", Value: f.ID}, {Key: "type", Value: f.Type}, {Key: "title", Value: f.Title},
	}
	text := func(key, value string) {
		if value != "" {
			p = append(p, vault.Property{Key: key, Value: value})
		}
	}
	list := func(key string, value []string) {
		if len(value) > 0 {
			p = append(p, vault.Property{Key: key, Value: value})
		}
	}
	number := func(key string, value int) {
		if value > 0 {
			p = append(p, vault.Property{Key: key, Value: value})
		}
	}
	moment := func(key string, t time.Time) {
		if !t.IsZero() {
			p = append(p, vault.Property{Key: key, Value: t.UTC().Truncate(time.Second)})
		}
	}
	flag := func(key string, set bool) {
		if set {
			p = append(p, vault.Property{Key: key, Value: true})
		}
	}
	list("aliases", aliasesOf(f))
	list("tags", []string{"agents/" + f.Type})
	moment("created", f.Created)
	moment("updated", f.Updated)
	text("summary", f.Summary)
	text("agent", f.Agent)
	text("kind", f.Kind)
	text("session", links.session)
	text("project", links.project)
	text("project_key", f.Project)
	text("repository", f.Repository)
	text("branch", f.Branch)
	text("parent", links.parent)
	text("parent_id", f.Parent)
	list("also", f.Also)
	list("folder_keys", f.Folders)
	flag("archived", f.Archived)
	flag("pinned", f.Pinned)
	list("models", f.Models)
	number("turn_count", f.Turns)
	number("checkpoint_count", f.Checkpoints)
	number("session_count", f.Sessions)
	number("open_count", f.Open)
	list("days", f.Days)
	list("files", f.Files)
	number("files_more", f.MoreFiles)
	list("refs", f.Refs)
	list("sources", f.Sources)
	return p
}

// aliasesOf are the names besides its file's by which a note is to be found.
func aliasesOf(f facts) []string {
	switch f.Type {
	case names.TypeHome, names.TypeThreads, names.TypeDay: // called by their titles
		return nil
	case names.TypeProject:
		if pr := identity.ProjectFromKey(f.Project); pr.Owner != "" {
			return []string{pr.Repo, pr.Owner + "/" + pr.Repo}
		}
		return nil
	case names.TypeFile:
		if i := strings.LastIndexByte(f.Title, '/'); i >= 0 && i+1 < len(f.Title) {
			return []string{f.Title, f.Title[i+1:]}
		}
	}
	if f.Title == "" {
		return nil
	}
	return []string{f.Title}
}

// factsOf reads facts back from a note.
func factsOf(n vault.Note) facts {
	f := facts{ID: n.ID}
	for _, p := range n.Props {
		f.take(p)
	}
	f.Boxes = ownBoxes(f.Type, n.Boxes)
	return f
}

// take reads one property; a value of another type than ours counts as absent.
func (f *facts) take(p vault.Property) {
	switch p.Key {
	case "type":
		f.Type = asText(p.Value)
	case "title":
		f.Title = asText(p.Value)
	case "summary":
		f.Summary = asText(p.Value)
	case "agent":
		f.Agent = asText(p.Value)
	case "kind":
		f.Kind = asText(p.Value)
	case "project_key":
		f.Project = asText(p.Value)
	case "repository":
		f.Repository = asText(p.Value)
	case "branch":
		f.Branch = asText(p.Value)
	case "parent_id":
		f.Parent = asText(p.Value)
	case "created":
		f.Created = asTime(p.Value)
	case "updated":
		f.Updated = asTime(p.Value)
	default:
		f.takeMore(p)
	}
}

func (f *facts) takeMore(p vault.Property) {
	switch p.Key {
	case "also":
		f.Also = asList(p.Value)
	case "folder_keys":
		f.Folders = asList(p.Value)
	case "archived":
		f.Archived, _ = p.Value.(bool)
	case "pinned":
		f.Pinned, _ = p.Value.(bool)
	case "models":
		f.Models = asList(p.Value)
	case "days":
		f.Days = asList(p.Value)
	case "files":
		f.Files = asList(p.Value)
	case "refs":
		f.Refs = asList(p.Value)
	case "sources":
		f.Sources = asList(p.Value)
	case "turn_count":
		f.Turns, _ = p.Value.(int)
	case "checkpoint_count":
		f.Checkpoints, _ = p.Value.(int)
	case "session_count":
		f.Sessions, _ = p.Value.(int)
	case "open_count":
		f.Open, _ = p.Value.(int)
	case "files_more":
		f.MoreFiles, _ = p.Value.(int)
	}
}

// asText takes what a person may have typed where we wrote a text: a number or
// a date without quotes is still that text.
func asText(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case int:
		return strconv.Itoa(v)
	case time.Time:
		return v.Format(time.DateOnly)
	}
	return ""
}

// asTime takes what a person may have typed where we wrote a time.
func asTime(v any) time.Time {
	t, _ := v.(time.Time)
	return sources.OnCalendar(t)
}

func asList(v any) []string {
	switch v := v.(type) {
	case []string:
		return v
	case string:
		return []string{v}
	}
	return nil
}

// ownBoxes keeps the boxes that mean something to other pages.
func ownBoxes(typ string, boxes []vault.Box) []vault.Box {
	if typ != names.TypeSession {
		return nil
	}
	var out []vault.Box
	for _, b := range boxes {
		if b.Section == sectionOpen || b.Section == sectionDone {
			out = append(out, b)
		}
	}
	return out
}

// Sections of a session note whose boxes are facts.
const (
	sectionOpen = "Open"
	sectionDone = "Done"
)

func (f facts) encode() ([]byte, error) {
	b, err := json.Marshal(f)
	if err != nil {
		return nil, fmt.Errorf("encode facts of %q: %w", f.ID, err)
	}
	return b, nil
}

func decodeFacts(b []byte) (facts, error) {
	var f facts
	if len(b) == 0 {
		return f, nil
	}
	if err := json.Unmarshal(b, &f); err != nil {
		return f, fmt.Errorf("decode facts: %w", err)
	}
	return f, nil
}

// grounds are the keys of a shelf's note by which its folders are found again in
// the project of a repository.
func (f facts) grounds() []string {
	if !identity.IsRepository(f.Project) {
		return nil
	}
	var out []string
	for _, key := range f.Folders {
		out = append(out, "ground:"+key)
	}
	return out
}

// keys index a note in the ledger.
func (f facts) keys() []string {
	if f.Type == names.TypeDay || f.Type == names.TypeWeek {
		return []string{"page:" + f.ID}
	}
	if f.Type == names.TypeMemory {
		return f.grounds()
	}
	if f.Type != names.TypeSession {
		return nil
	}
	out := make([]string, 0, len(f.Days)+1)
	for _, d := range f.Days {
		out = append(out, "day:"+d)
	}
	if f.Parent != "" {
		out = append(out, "fork:"+f.Parent)
	}
	for _, id := range f.Also {
		out = append(out, "also:"+id)
	}
	for _, key := range f.Folders {
		out = append(out, "folder:"+key)
	}
	return out
}
