package catalog

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/sessionloom/sessionloom/extract/internal/identity"
	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/extract/redact"
	"github.com/sessionloom/sessionloom/sources"
)

// NameError means that a name matches nothing or is ambiguous.
type NameError struct {
	Name  string
	Of    string  // kind of thing that was searched: session, note
	Found []Entry // matches; empty: nothing has the name
	Known []Entry // candidates, if nothing has the name
}

// Error returns the message without the list.
func (e *NameError) Error() string {
	if len(e.Found) == 0 {
		return fmt.Sprintf("no %s is called %q", e.Of, e.Name)
	}
	return fmt.Sprintf("%q stands for %d %ss", e.Name, len(e.Found), e.Of)
}

// Session returns the one session with a name: its id or the beginning of it, the path or name of its note,
// its title. It returns a [*NameError] if there is none, or several.
func (c *Catalog) Session(name string) (Entry, error) {
	all := c.Sessions()
	if home := c.ledger.CanonicalID(strings.TrimPrefix(name, "session:")); home != name {
		if i := slices.IndexFunc(all, func(e Entry) bool { return e.Session == home }); i >= 0 {
			return all[i], nil
		}
	}
	return only(name, "session", all)
}

// Resumable is [Catalog.Session], but the name of a project stands for its last changed session.
func (c *Catalog) Resumable(name string) (Entry, error) {
	all := c.Sessions()
	exact := oneOf(all, func(e Entry) bool { return e.Session == name || e.ID == name || strings.EqualFold(e.Title, name) })
	for _, pr := range c.OfType(names.TypeProject) {
		if len(exact) > 0 || !isProject(pr.Project, name) && !endsPath(names.TrimMD(name), names.TrimMD(pr.Path)) {
			continue
		}
		for _, e := range all { // latest first
			if e.Project == pr.Project {
				return e, nil
			}
		}
	}
	return c.Session(name)
}

// Note returns the one note in the managed folder with a name: its id, the beginning of its session's id, its
// path, file name or title. It returns a [*NameError] if there is none, or several.
func (c *Catalog) Note(name string) (Entry, error) { return only(name, "note", c.Notes()) }

// Forgettable returns the session or project with a name. It returns a [*NameError] if there is none or
// several.
func (c *Catalog) Forgettable(name string) (Entry, error) {
	return only(name, "session or project", append(c.Sessions(), c.OfType(names.TypeProject)...))
}

// Restorable returns the one deleted note with a name. The beginning of a session's id stands for all its
// notes: the entry then has the bare id. It returns a [*NameError] if there is none, or several.
func (c *Catalog) Restorable(name string) (Entry, error) {
	deleted := c.Deleted()
	var sessions []Entry
	for _, e := range deleted {
		if e.Session != "" && !slices.ContainsFunc(sessions, func(s Entry) bool { return s.Session == e.Session }) {
			sessions = append(sessions, Entry{ID: e.Session, Type: names.TypeSession, Session: e.Session, Title: e.Title})
		}
	}
	if found := oneOf(sessions, func(e Entry) bool { return begins(name, e.Session) }); len(found) > 0 {
		return only(name, "deleted session", found)
	}
	return only(name, "deleted note", deleted)
}

func only(name, of string, all []Entry) (Entry, error) {
	found := Match(name, all)
	if len(found) == 0 {
		return Entry{}, &NameError{Name: name, Of: of, Known: all}
	}
	if len(found) > 1 {
		return Entry{}, &NameError{Name: name, Of: of, Found: shortened(found, all)}
	}
	return found[0], nil
}

// shortened returns entries with the unique beginnings of their ids.
func shortened(some, all []Entry) []Entry {
	for i := range some {
		e := &some[i]
		n := strings.IndexByte(e.ID, ':') + 1 + shortID
		for _, other := range all {
			if other.ID != e.ID {
				n = max(n, common(other.ID, e.ID)+1)
			}
		}
		if !e.IsSession() && n < len(e.ID) {
			e.short = e.ID[:n]
		}
	}
	return some
}

// Match returns the entries that match a name exactly, else by the beginning of an id, else by the beginning
// of a word in the title.
func Match(name string, all []Entry) []Entry {
	if found := named(name, all); len(found) > 0 {
		return found
	}
	lower := strings.ToLower(name)
	return oneOf(all, func(e Entry) bool { return len(lower) > 2 && holdsWord(strings.ToLower(e.Title), lower) })
}

// holdsWord reports whether a text contains another at the start of a word.
func holdsWord(text, part string) bool {
	for at := 0; ; {
		i := strings.Index(text[at:], part)
		if i < 0 {
			return false
		}
		before, _ := utf8.DecodeLastRuneInString(text[:at+i])
		first, size := utf8.DecodeRuneInString(part)
		if at+i == 0 || first > unicode.MaxLatin1 || !unicode.IsLetter(before) && !unicode.IsDigit(before) {
			return true
		}
		at += i + size
	}
}

// named returns the entries with a name, or with an id that begins with it.
func named(name string, all []Entry) []Entry {
	lower := strings.ToLower(name)
	file := names.TrimMD(name)
	for _, matches := range []func(Entry) bool{
		func(e Entry) bool {
			return e.ID == name || e.ID == "day:"+name || e.ID == "week:"+name || e.IsSession() && e.Session == lower
		},
		func(e Entry) bool { return e.Path != "" && names.TrimMD(e.Path) == file },
		func(e Entry) bool { return endsPath(file, names.TrimMD(e.Path)) },
		func(e Entry) bool { return strings.EqualFold(e.Title, name) },
		func(e Entry) bool { return e.Type == names.TypeProject && isProject(e.Project, name) },
		func(e Entry) bool { return e.IsSession() && begins(lower, e.Session) },
		func(e Entry) bool { return begins(name, e.ID) },
	} {
		if found := oneOf(all, matches); len(found) > 0 {
			return found
		}
	}
	return nil
}

// endsPath reports whether a name is a file's, with or without folders above it.
func endsPath(name, file string) bool {
	above := len(file) - len(name)
	return above >= 0 && strings.EqualFold(file[above:], name) && (above == 0 || file[above-1] == '/')
}

func oneOf(all []Entry, matches func(Entry) bool) (found []Entry) {
	for _, e := range all {
		if matches(e) {
			found = append(found, e)
		}
	}
	return found
}

// begins reports whether a name of two letters or more is the beginning of an id.
func begins(name, id string) bool {
	return len(name) > 1 && strings.HasPrefix(id, strings.TrimPrefix(name, "session:"))
}

// isProject reports whether a name is a project's, with or without "project:".
func isProject(key, name string) bool {
	name = strings.TrimPrefix(name, "project:")
	pr := identity.ProjectFromKey(key)
	return key == name || strings.EqualFold(pr.Name, name) || strings.EqualFold(identity.ShortName(key), name)
}

// Project returns the key of the one project with a name: its key, name, a pattern that matches only it, the
// id, path or title of its page; else a name of one of its sessions or notes. It returns a [*NameError] if
// there is none, or several.
func (c *Catalog) Project(name string) (key string, err error) {
	var all []Entry
	for _, key := range c.ledger.Projects() {
		all = append(all, c.projectEntry(key))
	}
	found := Match(name, all)
	if len(found) == 0 {
		found = oneOf(all, func(e Entry) bool { return identity.ProjectFromKey(e.Project).Matches(name) })
	}
	if len(found) == 0 {
		found = c.projectsOf(named(name, append(c.Sessions(), c.Notes()...)))
	}
	if len(found) != 1 {
		return "", &NameError{Name: name, Of: "project", Found: found}
	}
	return found[0].Project, nil
}

func (c *Catalog) projectsOf(some []Entry) (out []Entry) {
	for _, e := range some {
		if e.Project != "" && !slices.ContainsFunc(out, func(o Entry) bool { return o.Project == e.Project }) {
			out = append(out, c.projectEntry(e.Project))
		}
	}
	return out
}

func (c *Catalog) projectEntry(key string) Entry {
	if row, known := c.ledger.Note(names.ProjectID(key)); known {
		return c.entry(row)
	}
	shown := redact.Number(identity.ProjectFromKey(key).Name)[0]
	return Entry{ID: names.ProjectID(key), Type: names.TypeProject, Title: shown, Project: key, Name: nameOf(key)}
}

// Here returns the key of a folder's project on this machine, as for a session that begins there. root and
// remote describe its repository, see [identity.InRepository]; a folder without one belongs to the nearest
// folder above in which sessions worked. It is "" if no session did.
func (c *Catalog) Here(folder, root, remote string) string {
	records := c.ledger.Sessions()
	place, inRepository := identity.InRepository(sources.Place{Cwd: folder}, folder, root, remote)
	for {
		at := identity.EvidenceOf(place)
		all := make([]identity.Located, len(records))
		for i, r := range records {
			if r.OwnProject == at.OwnProject && r.Project != "" && r.Project != identity.KeyLoose {
				return r.Project
			}
			all[i] = identity.Located{FolderEvidence: identity.FolderEvidence{OwnProject: r.Project, Folder: r.Folder, IsGitRoot: r.IsGitRoot}, Updated: r.Updated}
		}
		key := identity.InferProjects(all, nil).Project(identity.Located{FolderEvidence: at, IsConversation: true})
		if slices.Contains(c.ledger.Projects(), key) && key != identity.KeyLoose {
			return key
		}
		above := path.Dir(identity.UnifyPath(place.Cwd))
		if inRepository || above == place.Cwd || identity.IsJunkFolder(above) {
			return ""
		}
		place.Cwd = above
	}
}
