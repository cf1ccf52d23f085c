package present

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/homepath"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/runlog"
	"github.com/sessionloom/sessionloom/extract"
	"github.com/sessionloom/sessionloom/extract/catalog"
)

// Inventory is what `sources --json` prints (schema 1).
type Inventory struct {
	Schema   int               `json:"schema"`
	Sources  []SourceRoot      `json:"sources"`
	Missing  []catalog.Missing `json:"without_note"` // sessions, according to the last run
	Problems []extract.Problem `json:"problems"`

	Failed bool `json:"-"` // something was found and could not be examined
}

// SourceRoot is one root of a source.
type SourceRoot struct {
	Name   string    `json:"name"`
	Root   string    `json:"root"`
	Found  bool      `json:"found"`
	Why    string    `json:"why,omitempty"` // why it was not found or is skipped
	Items  int       `json:"items"`
	Bytes  int64     `json:"bytes"`
	Newest time.Time `json:"newest,omitzero"` // modification time
	// Expiring counts what the agent is going to delete; see status.
	Expiring  int       `json:"expiring"`
	KeptDays  int       `json:"kept_days,omitempty"` // days after which the agent deletes unused data
	FirstLoss time.Time `json:"first_loss,omitzero"` // when the first part of it may be deleted, if known
	Notes     []string  `json:"notes,omitempty"`
	// Unknown counts event types and part kinds unknown to the readers, as often as they occurred in runs.
	Unknown map[string]int `json:"unknown"`
	// Details are the source's own words: titles of sessions that only an index has, masked.
	Details []string `json:"details,omitempty"`
}

// Items returns the number of items of all sources.
func (inv *Inventory) Items() (n int) {
	for _, s := range inv.Sources {
		n += s.Items
	}
	return n
}

// AddMet adds the unknown kinds of records of earlier runs.
func (inv *Inventory) AddMet(all []runlog.UnknownKinds) {
	for _, u := range all {
		if at := inv.Root(u.Source, u.Root); at != nil && u.Kinds != nil {
			at.Unknown = u.Kinds
		}
	}
}

// Root returns one of the places that were looked at.
func (inv *Inventory) Root(source, path string) *SourceRoot {
	for i := range inv.Sources {
		if at := &inv.Sources[i]; at.Name == source && at.Root == path {
			return at
		}
	}
	return nil
}

// Table returns the inventory: the roots of each source, a line or two for each.
func (inv *Inventory) Table(home string) []string {
	var lines []string
	last := ""
	for _, s := range inv.Sources {
		if s.Name != last {
			lines, last = append(lines, s.Name), s.Name
		}
		lines = append(lines, row(homepath.Tilde(s.Root, home), s.Words())...)
		for _, n := range s.Notes {
			lines = append(lines, Wrap(n, 6)...)
		}
		if s.KeptDays > 0 && s.Items > 0 {
			lines = append(lines, Wrap("deleted by the agent when it was not used for "+Count(s.KeptDays, "day"), 6)...)
		}
		if s.Expiring > 0 {
			lines = append(lines, Wrap(Count(s.Expiring, "item")+" expiring, which status tells of", 6)...)
		}
		if unknown := tally(s.Unknown); unknown != "" {
			lines = append(lines, Wrap("unknown kinds: "+unknown, 6)...)
		}
		for _, d := range s.Details {
			item := Wrap(d, 8)
			item[0] = "      - " + strings.TrimLeft(item[0], " ")
			lines = append(lines, item...)
		}
	}
	if len(lines) == 0 {
		return []string{"no place to look at: every source is switched off"}
	}
	return lines
}

// Words describes what was found there.
func (s SourceRoot) Words() string {
	if !s.Found {
		return cmp.Or(s.Why, "not found")
	}
	text := Count(s.Items, "item") + ", " + bytesize(s.Bytes)
	if !s.Newest.IsZero() {
		text += ", newest " + s.Newest.Format("2006-01-02")
	}
	if s.Why != "" {
		text += ": " + s.Why
	}
	return text
}

// Diagnosis says in one line what was found, which version wrote it, and what the agent deletes.
func (s SourceRoot) Diagnosis(home string, now time.Time) string {
	words := []string{s.Name + " in " + homepath.Tilde(s.Root, home) + ": " + s.Words()}
	for _, line := range s.Details {
		if strings.HasPrefix(line, "written by ") {
			words = append(words, line)
		}
	}
	if s.KeptDays > 0 {
		words = append(words, "the agent deletes what was not used for "+Count(s.KeptDays, "day"))
	}
	if s.FirstLoss.IsZero() {
		return strings.Join(words, ", ")
	}
	loss := "the first of it may go today"
	if days := int(s.FirstLoss.Sub(now).Hours() / 24); days > 0 {
		loss = "the first of it in " + Count(days, "day")
	}
	return strings.Join(append(words, loss), ", ")
}

// Brief lists where history was found, a line for each place.
func (inv *Inventory) Brief(home string) []string {
	var lines []string
	for _, at := range inv.Sources {
		if at.Items > 0 {
			lines = append(lines, fmt.Sprintf("found %s in %s: %s", at.Name, homepath.Tilde(at.Root, home), at.Words()))
		}
	}
	if len(lines) == 0 {
		return []string{"found no history yet; sessionloom sources tells where it looks"}
	}
	return lines
}

// Welcome returns the greeting for new users; vaults are those of Obsidian.
func (inv *Inventory) Welcome(vaults []string) []string {
	var found []string
	items := map[string]int{}
	for _, at := range inv.Sources {
		items[at.Name] += at.Items
	}
	for _, name := range slices.Sorted(maps.Keys(items)) {
		if items[name] > 0 {
			found = append(found, name+" "+Count(items[name], "item"))
		}
	}
	return []string{
		"sessionloom writes the history of coding agents into an Obsidian vault, as linked notes.",
		"found: " + cmp.Or(strings.Join(found, ", "), "no history yet") + "; vaults: " + cmp.Or(strings.Join(vaults, ", "), "none"),
		"next: sessionloom init",
	}
}
