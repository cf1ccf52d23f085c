package identity

import (
	"path"
	"strings"
)

// Folders in which agents and editors keep the working trees that they make, within the main one
// or beside it.
var treeFolders = []string{"/.claude/worktrees/", "/.worktrees/", ".worktrees/"}

// mainTree returns the folder of the main working tree that the name of a folder tells: what lies
// in a second working tree lies at the same place in the main one. Another folder is returned as
// it is.
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

// treeNames returns the names by which the main working tree of a plain folder may be known, where
// that lies in a folder of an agent's home for working trees of all repositories, such as
// ~/.codex/worktrees/1f3a/widget and ~/.cursor/worktrees/widget/1f3a; nil: it lies in none.
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

// byName are the projects of folders by their last element, of those names alone that a working
// tree is looked for by.
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

// ofTree returns the project of the only main working tree that a folder may belong to, empty
// where there is none, or several.
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
