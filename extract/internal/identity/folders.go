package identity

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/extract/internal/texts"
	"github.com/sessionloom/sessionloom/sources"
)

// FolderEvidence is a session's folder, for comparison with other sessions.
type FolderEvidence struct {
	OwnProject       string // key of the project by its place alone, or ""
	Folder           string // relative to the home folder; "" if unknown, or several
	IsGitRoot        bool   // Folder is the root of a repository
	WorkspaceFolders []string
}

// EvidenceOf returns the folders of a place.
func EvidenceOf(place sources.Place) FolderEvidence {
	e := FolderEvidence{OwnProject: ProjectOf(place).Key}
	if isWorkspace(place) {
		for _, f := range place.Folders {
			if f = UnifyPath(f); !IsJunkFolder(f) {
				e.WorkspaceFolders = append(e.WorkspaceFolders, plainFolder(mainTree(f)))
			}
		}
		return e
	}
	if f := WorkFolder(place); f != "" {
		e.Folder, e.IsGitRoot = plainFolder(mainTree(f)), f == UnifyPath(place.GitRoot)
	}
	return e
}

// InRepository returns a place with the repository of a folder in it, by the root of its main working tree
// and the URL of its remote; ok is false if it is in none. A home may be a repository, but folders in it may
// not belong to it.
func InRepository(p sources.Place, folder, root, remote string) (in sources.Place, ok bool) {
	if root == "" || root != folder && IsJunkFolder(UnifyPath(root)) {
		return p, false
	}
	p.GitRoot, p.Repository = root, remote
	return p, true
}

// plainFolder returns a unified folder for comparison: relative to the home folder, so that it is equal on
// two machines and hides the user's name, and in lower case if case means nothing there.
func plainFolder(f string) string {
	rel := f
	if rest, ok := splitHome(f); ok {
		rel = "~/" + rest
	}
	if isWindowsPath(f) {
		rel = strings.ToLower(rel)
	}
	return rel
}

// FromHome returns a folder relative to its user's home folder, "~/src/widget".
func FromHome(folder string) string {
	if rest, ok := splitHome(UnifyPath(folder)); ok {
		return strings.TrimSuffix("~/"+rest, "/")
	}
	return folder
}

func folderKey(plain string) string {
	return "folder/" + slugBase(path.Base(plain)) + "-" + texts.Digest(plain, 8)
}

// IsRepository reports whether a project belongs to a remote.
func IsRepository(key string) bool {
	return key != "" && key != KeyLoose && !strings.HasPrefix(key, "folder/")
}

// Located is a session whose project is to be found, with the evidence.
type Located struct {
	FolderEvidence
	IsConversation bool   // it is not a collection of memories
	Updated        string // a sortable time
	NoteProject    string // key of the project of its note, or ""
}

// FolderMapping maps folders to projects. Sessions that know a remote themselves take precedence over
// sessions whose note is in the project of a repository, which knew the remote once.
type FolderMapping struct {
	byEvidence, byNote map[string]folderProject
	joins              Joins
	folders            map[string]FolderEvidence  // folders of projects without a remote, by key, for joins
	trees              map[string]map[string]bool // projects by the names of their folders, see treeNames
}

// folderProject is the project of one folder, with the time of the evidence.
type folderProject struct {
	project, updated string
	isRoot           bool     // folders below belong to it too
	all              []string // projects according to all sessions
}

// InferProjects builds the mapping from all sessions, in any order, and the user's joins: a session of a
// project joined to a remote's project counts as if it knew the remote.
func InferProjects(all []Located, joins Joins) FolderMapping {
	m := FolderMapping{byEvidence: map[string]folderProject{}, byNote: map[string]folderProject{}, joins: joins, folders: map[string]FolderEvidence{}}
	add := func(to map[string]folderProject, s Located, project string) {
		have, known := to[s.Folder]
		if !known || cmp.Or(strings.Compare(have.updated, s.Updated), strings.Compare(project, have.project)) <= 0 {
			have.project, have.updated = project, s.Updated
		}
		have.isRoot = have.isRoot || s.IsGitRoot
		have.all = append(have.all, project)
		to[s.Folder] = have
	}
	for _, s := range all {
		if s.Folder == "" {
			continue
		}
		if own := joins.Project(s.OwnProject); IsRepository(own) {
			add(m.byEvidence, s, own)
		}
		if len(joins) > 0 {
			key := folderKey(s.Folder)
			m.folders[key] = FolderEvidence{Folder: s.Folder, IsGitRoot: s.IsGitRoot || m.folders[key].IsGitRoot}
		}
	}
	for _, s := range all {
		noted := joins.Project(s.NoteProject)
		told := findFolder(m.byEvidence, s.Folder, s.IsGitRoot) // a note that follows from it proves nothing else
		if s.Folder != "" && !IsRepository(joins.Project(s.OwnProject)) && IsRepository(noted) && !slices.Contains(told.all, noted) {
			add(m.byNote, s, noted)
		}
	}
	m.trees = m.byNames(all)
	return m
}

// joined returns a session as if it had worked in the project that its own is joined to.
func (m FolderMapping) joined(s Located) Located {
	key, is := m.joins[s.OwnProject]
	if !is {
		s.NoteProject = m.joins.Project(s.NoteProject)
		return s
	}
	s.OwnProject, s.NoteProject = key, ""
	if at, known := m.folders[key]; known {
		s.Folder, s.IsGitRoot = at.Folder, at.IsGitRoot
	}
	return s
}

// findFolder returns the entry of a folder or, unless it is a root itself, of the nearest root above; nothing
// if unknown.
func findFolder(in map[string]folderProject, folder string, isRoot bool) folderProject {
	if known, ok := in[folder]; ok || isRoot || folder == "" {
		return known
	}
	for i := strings.LastIndexByte(folder, '/'); i > 0; i = strings.LastIndexByte(folder[:i], '/') {
		if known, ok := in[folder[:i]]; ok && known.isRoot {
			return known
		}
	}
	return folderProject{}
}

// Project returns the project of a session. If its note is in the project of a repository that no other
// session knows, it stays there; a session without any place stays where its note is.
func (m FolderMapping) Project(s Located) string {
	s = m.joined(s)
	if s.OwnProject == "" || IsRepository(s.OwnProject) {
		return s.OwnProject
	}
	if s.OwnProject == KeyLoose && s.IsConversation && s.NoteProject != "" {
		return s.NoteProject
	}
	told := findFolder(m.byEvidence, s.Folder, s.IsGitRoot)
	if IsRepository(s.NoteProject) && !slices.Contains(told.all, s.NoteProject) {
		return s.NoteProject
	}
	return cmp.Or(told.project, findFolder(m.byNote, s.Folder, s.IsGitRoot).project, m.ofTree(s.Folder), s.OwnProject)
}

// WorkspaceProjects returns the projects of the folders of a workspace, sorted.
func (m FolderMapping) WorkspaceProjects(folders []string) []string {
	var keys []string
	for _, folder := range folders {
		keys = append(keys, m.Project(Located{FolderEvidence: FolderEvidence{OwnProject: folderKey(folder), Folder: folder}}))
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}

// Folders for working trees made by agents and editors, within the main one or beside it.
var treeFolders = []string{"/.claude/worktrees/", "/.worktrees/", ".worktrees/"}

// mainTree returns the folder of the main working tree in the name of a folder: a path in a second working
// tree is the same in the main one. Another folder is returned as it is.
func mainTree(folder string) string {
	for _, in := range treeFolders {
		main, below, ok := strings.Cut(folder+"/", in)
		if _, ok2 := splitHome(main); !ok || main == "" || ok2 && path.Base(main) == main {
			continue
		}
		_, rest, _ := strings.Cut(below, "/")
		if main = strings.TrimSuffix(main+"/"+rest, "/"); !IsJunkFolder(main) {
			return main
		}
	}
	return folder
}

// treeNames returns possible names of the main working tree of a plain folder that is in an agent's home for
// working trees of all repositories, such as ~/.codex/worktrees/1f3a/widget and
// ~/.cursor/worktrees/widget/1f3a; nil: it is in none.
func treeNames(folder string) []string {
	agent, below, ok := strings.Cut(folder, "/worktrees/")
	if !ok || !strings.HasPrefix(path.Base(agent), ".") {
		return nil
	}
	first, rest, _ := strings.Cut(below, "/")
	second, _, _ := strings.Cut(rest, "/")
	if second == "" {
		return nil
	}
	return []string{second, first}
}

// byNames maps the names that working trees are searched by to the projects of folders with that last
// element.
func (m FolderMapping) byNames(all []Located) map[string]map[string]bool {
	found := map[string]map[string]bool{}
	for _, s := range all {
		for _, name := range treeNames(s.Folder) {
			found[name] = map[string]bool{}
		}
	}
	if len(found) == 0 {
		return nil
	}
	for _, s := range all {
		if projects := found[path.Base(s.Folder)]; projects != nil && treeNames(s.Folder) == nil && s.OwnProject != "" && s.OwnProject != KeyLoose {
			projects[m.Project(s)] = true
		}
	}
	return found
}

// ofTree returns the project of the only possible main working tree of a folder; "" if there is none, or
// several.
func (m FolderMapping) ofTree(folder string) string {
	for _, name := range treeNames(folder) {
		if projects := m.trees[name]; len(projects) == 1 {
			for project := range projects {
				return project
			}
		}
	}
	return ""
}
