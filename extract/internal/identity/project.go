package identity

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"github.com/sessionloom/sessionloom/extract/internal/texts"
	"github.com/sessionloom/sessionloom/sources"
)

// Project is a project of sessions: a repository on a forge if its remote is known, else a folder. Everything
// but the forge of a company's own host is a pure function of Key.
type Project struct {
	Key    string // host/owner/repo, folder/<base>-<8 hex> or none
	Name   string // displayed name: "widget (octo-org)", "latency (3fa2)"
	Folder string // legal folder name on every system and in Obsidian
	Host   string // empty for a folder
	Owner  string // may hold slashes: groups, an organisation with its project
	Repo   string
	forge  *forge // nil: unknown
}

// KeyLoose is the key of sessions without a project.
const KeyLoose = "none"

// ProjectOf returns the project of a place: the remote, else the workspace of several folders, else the
// folder (git root before working folder), else none. A clone and a worktree of one repository give the same
// project, on every machine.
func ProjectOf(p sources.Place) Project {
	if r, ok := parseRemote(p.Repository, p.Host, p.HostType); ok {
		pr := ProjectFromKey(r.host + "/" + r.owner + "/" + r.repo)
		if pr.forge == nil {
			pr.forge = forgeOfType[strings.ToLower(p.HostType)]
		}
		return pr
	}
	if isWorkspace(p) {
		plain := plainFolder(UnifyPath(p.Workspace))
		base := strings.TrimSuffix(path.Base(plain), ".code-workspace")
		return ProjectFromKey("folder/" + slugBase(base) + "-" + texts.Digest(plain, 8))
	}
	if folder := WorkFolder(p); folder != "" {
		return ProjectFromKey(folderKey(plainFolder(mainTree(folder))))
	}
	return ProjectFromKey(KeyLoose)
}

// isWorkspace reports whether a place is several folders, without a common remote.
func isWorkspace(p sources.Place) bool {
	_, remote := parseRemote(p.Repository, p.Host, p.HostType)
	workspace := UnifyPath(p.Workspace)
	return !remote && isAbsolute(workspace) && (!IsUntitled(workspace) || len(p.Folders) > 0 && WorkFolder(p) == "")
}

// IsUntitled reports whether an editor made a workspace and nobody saved it: it has folders, but no name.
func IsUntitled(workspace string) bool {
	return path.Base(workspace) == "workspace.json" && path.Base(path.Dir(path.Dir(workspace))) == "Workspaces"
}

// ProjectFromKey returns the project with a key, from a note's facts or for another repository that a ref
// names.
func ProjectFromKey(key string) Project {
	const nameLoose = "Loose sessions" // name of all of them together
	p := Project{Key: key}
	switch head, rest, _ := strings.Cut(key, "/"); {
	case key == KeyLoose || rest == "":
		p.Key, p.Name, p.Folder = KeyLoose, nameLoose, nameLoose
	case head == "folder":
		base, hash := rest, ""
		if i := strings.LastIndexByte(rest, '-'); i >= 0 {
			base, hash = rest[:i], rest[i+1:]
		}
		p.Name = base + " (" + hash[:min(4, len(hash))] + ")"
		p.Folder = folderName(p.Name, key)
	default:
		p.Host = head
		if i := strings.LastIndexByte(rest, '/'); i >= 0 {
			p.Owner, p.Repo = rest[:i], rest[i+1:]
		} else {
			p.Repo = rest
		}
		p.forge = forgeOfHost(p.Host)
		shown := p.Host + " "
		if p.Host == hostGitHub { // the default
			shown = ""
		}
		p.Name = p.Repo + " (" + strings.TrimSpace(shown+p.Owner) + ")"
		p.Folder = folderName(strings.ReplaceAll(p.Name, "/", " "), key)
	}
	return p
}

// Matches reports whether a glob of --project matches the key, owner/repo, the repository's or folder's own
// name or the shown name, ignoring case. A malformed glob matches nothing.
func (p Project) Matches(glob string) bool {
	glob = strings.ToLower(glob)
	own, _, _ := strings.Cut(p.Name, " (")
	for _, s := range []string{p.Key, p.Owner + "/" + p.Repo, own, p.Name} {
		if ok, err := path.Match(glob, strings.ToLower(s)); err == nil && ok {
			return true
		}
	}
	return false
}

// folderName makes a name legal as a folder on Windows, macOS, Linux and in Obsidian. If that loses
// something, part of the key's hash keeps projects apart.
func folderName(name, key string) string {
	const limit = 100 // bytes; notes below it still get names of a useful length
	legal := norm.NFC.String(strings.Trim(strings.Map(onlyWords(" -_.()+,@"), norm.NFC.String(name)), " ."))
	if len(legal) > limit {
		legal = texts.CutRunes(legal, limit)
	}
	own := legal == name && loneSpelling(legal)
	if strings.HasPrefix(key, "folder/") {
		own = legal == norm.NFC.String(name) // it ends in part of a hash already
	}
	if own && !reservedName(legal) {
		return legal
	}
	if reservedName(legal) { // reserved even before a dot
		legal = strings.ReplaceAll(legal, ".", "-")
	}
	if inner, ok := strings.CutSuffix(legal, ")"); ok && strings.Contains(inner, "(") {
		return inner + " " + texts.Digest(key, 4) + ")"
	}
	return strings.TrimSpace(legal) + " (" + texts.Digest(key, 4) + ")"
}

// loneSpelling reports whether a name is the canonical one of all names, in any case and form, that some file
// system treats as equal.
func loneSpelling(name string) bool {
	if texts.IsASCII(name) {
		return name == strings.ToLower(name)
	}
	unified := strings.ToLower(strings.ToUpper(norm.NFD.String(name)))
	return norm.NFC.String(cases.Fold().String(unified)) == name
}

// reservedName reports whether Windows treats a name as a device.
func reservedName(name string) bool {
	stem, _, _ := strings.Cut(strings.ToUpper(name), ".")
	stem = strings.TrimSpace(stem)
	return slices.Contains([]string{"CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"}, stem) ||
		len(stem) == 4 && (strings.HasPrefix(stem, "COM") || strings.HasPrefix(stem, "LPT")) && stem[3] >= '0' && stem[3] <= '9'
}

// ShortName returns the name of a project without its owner.
func ShortName(key string) string {
	p := ProjectFromKey(key)
	return cmp.Or(p.Repo, p.Name)
}

// Joins maps the keys of projects to the project that the user joined them with, following chains to the end.
type Joins map[string]string

// Project returns the joined project of a key, or the key.
func (j Joins) Project(key string) string { return cmp.Or(j[key], key) }

// String returns a line for each join, sorted.
func (j Joins) String() string {
	var b strings.Builder
	for _, key := range slices.Sorted(maps.Keys(j)) {
		fmt.Fprintf(&b, "%s %s\n", key, j[key])
	}
	return b.String()
}

// ParseJoins reads the user's joins of projects, by keys, ids of pages or names. known are the keys of all
// projects. Each impossible join is left out and returns an error.
func ParseJoins(said map[string]string, known []string) (Joins, []error) {
	next, joins := map[string]string{}, Joins{}
	var wrong []error
	for _, to := range slices.Sorted(maps.Values(said)) { // no session need know the repository
		to = strings.TrimPrefix(to, idOfPage)
		if r, ok := parseRemote(to, "", ""); ok && to == r.host+"/"+r.owner+"/"+r.repo && !slices.Contains(known, to) {
			known = append(known, to)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(said)) {
		from, err := projectSaid(name, known)
		to, unknown := projectSaid(said[name], known)
		if err = cmp.Or(err, unknown); err == nil && cmp.Or(next[from], to) != to {
			err = fmt.Errorf("%q is joined to %q and to %q", from, next[from], to)
		}
		if err != nil {
			wrong = append(wrong, err)
			continue
		}
		next[from] = to
	}
	for _, from := range slices.Sorted(maps.Keys(next)) {
		to := next[from]
		for range next {
			to = cmp.Or(next[to], to)
		}
		if next[to] != "" { // a circle
			wrong = append(wrong, fmt.Errorf("%q is joined in a circle", from))
			continue
		}
		joins[from] = to
	}
	return joins, wrong
}

const idOfPage = "project:"

// projectSaid returns the key that a user means, also by the id of a page.
func projectSaid(name string, known []string) (string, error) {
	return ProjectNamed(strings.TrimPrefix(name, idOfPage), known)
}

// ProjectNamed returns a project by its key, or by a unique name, in lists of keys: the first list with a
// match counts.
func ProjectNamed(name string, lists ...[]string) (string, error) {
	for _, known := range lists {
		found := called(name, known)
		if len(found) > 1 {
			return "", fmt.Errorf("several projects are called %q: %s", name, strings.Join(found, ", "))
		}
		if len(found) > 0 {
			return found[0], nil
		}
	}
	return "", fmt.Errorf("no project has the key or name %q", name)
}

func called(name string, known []string) (keys []string) {
	if slices.Contains(known, name) {
		return []string{name}
	}
	for _, key := range known {
		if p := ProjectFromKey(key); name != "" && slices.Contains([]string{p.Name, p.Folder, p.Repo}, name) {
			keys = append(keys, key)
		}
	}
	return keys
}
