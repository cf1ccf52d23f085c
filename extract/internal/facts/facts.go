// Package facts holds the data of notes that pages may use: their frontmatter and task boxes, as in the
// vault, whoever wrote them, and the index of a project made of them.
//
// Pages that list notes are made only of facts, so that a ticked box, a lost ledger and another machine are
// not special cases. One pure function, [Dependents], returns what shows a change. A day or week shows the
// items that its sessions left open on their last day and nobody closed since. The score of a hot file uses a
// session's last activity as the time of its edits, as facts have no other.
package facts

import (
	"cmp"
	jsonv1 "encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/sessionloom/sessionloom/extract/internal/identity"
	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/extract/internal/texts"
	"github.com/sessionloom/sessionloom/vault"
)

// Facts are the data of a note that other pages may use: its frontmatter and its task boxes, as in the vault,
// whoever wrote them.
type Facts struct {
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
	Kind       string `json:"kind,omitempty"`   // kind of a memory note

	Own      string   `json:"own,omitempty"`         // the id when we wrote the note, see OwnOf
	Untitled string   `json:"untitled,omitempty"`    // the name until its session has a title, see names.GivenName
	Aliases  []string `json:"also,omitempty"`        // other ids of the session
	Folders  []string `json:"folder_keys,omitempty"` // projects of a workspace's folders; for shared memory, of its collections' folders
	Joined   []string `json:"joined,omitempty"`      // projects without joining; for shared memory, of all that hold its text
	Archived bool     `json:"archived,omitempty"`
	Pinned   bool     `json:"pinned,omitempty"`

	Models    []string `json:"models,omitempty"`
	Rows      []Row    `json:"rows,omitempty"` // in order, see arrange
	Days      []string `json:"-"`              // found in the rows, sorted
	Files     []string `json:"-"`              // found in the rows, sorted
	MoreFiles int      `json:"files_more,omitempty"`
	Refs      []string `json:"refs,omitempty"`
	Sources   []string `json:"sources,omitempty"`

	Turns       int `json:"turns,omitempty"`
	Checkpoints int `json:"checkpoints,omitempty"`
	Sessions    int `json:"sessions,omitempty"` // number on a project's or file's page
	Open        int `json:"open,omitempty"`     // number of a project or session

	Boxes []vault.Box `json:"boxes,omitempty"`
}

// OwnOf returns the mark for an id in a note's comment. A copy to which its user gives another id belongs to the user.
func OwnOf(id string) string { return texts.Digest(id, 8) }

// Session returns the id of a note's session, or "" for pages.
func (f Facts) Session() string {
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

// Named returns facts with type and project from the id, if the frontmatter is broken and has none.
func (f Facts) Named() Facts {
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
	case names.TypeIssue, names.TypePR:
		issue, _ := names.IssueFromID(f.ID)
		f.Project = issue.Project
	}
	return f
}

// LastChange returns when something new was last added to a note.
func (f Facts) LastChange() time.Time {
	if f.Created.After(f.Updated) {
		return f.Created
	}
	return f.Updated
}

// LastDay returns the day on which a session ended, with its items left open; "" for a note without days.
func (f Facts) LastDay() string {
	if len(f.Days) == 0 {
		return ""
	}
	return slices.Max(f.Days)
}

// Unticked counts the open boxes of a session's note.
func (f Facts) Unticked() (n int) {
	for _, b := range f.Boxes {
		if b.Section == SectionOpen && !b.Ticked {
			n++
		}
	}
	return n
}

func aliasesOf(f Facts) []string {
	switch f.Type {
	case names.TypeHome, names.TypeThreads, names.TypeDay: // named by their titles
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
	if issue, ok := names.IssueFromID(f.ID); ok {
		if full := issue.ValueIn(""); full != issue.Number {
			return []string{full, f.Title} // the changeable part comes last, as in a new one
		}
	}
	return []string{f.Title}
}

// OwnBoxes returns the boxes that other pages use: those of a session's open items, and ticked ones on a
// list. A generated box is known by its id.
func OwnBoxes(typ string, boxes []vault.Box) []vault.Box {
	var out []vault.Box
	for _, b := range boxes {
		of := typ == names.TypeSession && (b.Section == SectionOpen || b.ID != "")
		ticked := (typ == names.TypeThreads || typ == names.TypeProject) && b.ID != "" && b.Ticked
		if !of && !ticked {
			continue
		}
		if b.ID != "" {
			b.Text, b.Section = "", ""
		}
		if of {
			b.Section = SectionOpen
		}
		out = append(out, b)
	}
	return out
}

// SectionOpen is the section of a session's note whose boxes are facts.
const SectionOpen = "Open"

// Encode packs facts for the state.
func (f Facts) Encode() ([]byte, error) {
	b, err := jsonv1.Marshal(f)
	if err != nil {
		return nil, fmt.Errorf("encode facts of %q: %w", f.ID, err)
	}
	return b, nil
}

// Decode unpacks the result of Encode, or nothing. Invalid data goes to harmed: the state is damaged.
func Decode(b []byte, harmed func(error) error) (f Facts) {
	decode(b, &f, harmed)
	f.find()
	return f
}

// TitleIn returns the title in the result of Encode, as Decode would.
func TitleIn(b []byte, harmed func(error) error) string {
	var f struct {
		Title string `json:"title"`
	}
	decode(b, &f, harmed)
	return f.Title
}

func decode(b []byte, into any, harmed func(error) error) {
	if err := json.Unmarshal(b, into); err != nil && len(b) > 0 {
		_ = harmed(fmt.Errorf("decode facts: %w", err))
	}
}

// Keys returns the keys of a note in the index.
func (f Facts) Keys() (keys []string) {
	add := func(kind string, of ...string) {
		for _, v := range of {
			keys = append(keys, kind+v)
		}
	}
	switch f.Type {
	case names.TypeDay, names.TypeWeek:
		add("page:", f.ID)
	case names.TypeMemory: // shared memory: its folders are found again through the project of a repository
		for _, folder := range f.Folders {
			if project := f.projectOf(folder); identity.IsRepository(project) {
				add("folder_key:", folder+" "+project)
			}
		}
		add("joined:", f.Joined...)
	case names.TypeSession:
		add("day:", f.Days...)
		if f.Parent != "" {
			add("fork:", f.Parent)
		}
		add("also:", f.Aliases...)
		add("folder:", f.Folders...)
		for _, i := range f.Issues() {
			add("", i.Key())
		}
		add("joined:", f.Joined...)
		add("", f.endKeys()...)
	}
	return keys
}

// projectOf returns the project of a memory's folder without joining.
func (f Facts) projectOf(folder string) string {
	if slices.Contains(f.Joined, folder) {
		return folder
	}
	for _, project := range f.Joined {
		if identity.IsRepository(project) {
			return project
		}
	}
	return f.Project
}

// OlderFirst orders facts by their first time, then by id.
func OlderFirst(a, b Facts) int {
	return cmp.Or(a.Created.Compare(b.Created), cmp.Compare(a.ID, b.ID))
}

// Span returns the first and the last time in a list of facts.
func Span(list []Facts) (first, last time.Time) {
	for _, f := range list {
		if first.IsZero() || !f.Created.IsZero() && f.Created.Before(first) {
			first = f.Created
		}
		if u := f.LastChange(); u.After(last) {
			last = u
		}
	}
	return first, last
}
