// Package cursor reads the history of Cursor: what the IDE keeps in the database of its user
// folder, the transcripts that IDE and CLI write below ~/.cursor, and the stores of the CLI.
// One uuid is one session in all of them. The formats change about twice a year and have no
// contract, so they are read leniently: what is unknown is counted, what is damaged is told,
// and the rest is read.
//
// The databases hold tokens of the account and keys of chats. Rows are asked for by the names of
// known keys, never all of a table, and of a value the declared fields alone are kept. Settings,
// logs, credentials, checkpoints and copies of files are never opened.
package cursor

import (
	"os"
	"path/filepath"
	"slices"

	"github.com/sessionloom/sessionloom/sources/internal/files"
	"github.com/sessionloom/sessionloom/sources/internal/homes"
)

// Config says where to look and how much to take. The zero value looks nowhere.
type Config struct {
	homes.Config // of homes with the layout of ~/.cursor
	Users        Users
}

// Users are the user folders of the IDE to read.
type Users struct {
	Dirs     []string // as given by the user
	Defaults bool     // also read the one that Cursor uses by itself
	GOOS     string   // operating system the default place is that of
}

// lister begins a listing.
func lister() files.Lister { return files.Lister{Source: agentName, Program: programName} }

// homes finds the homes to read, in order of preference, each once. Beside the home that a
// variable names, the IDE goes on to write to the usual one.
func (c Config) homes() (all []*home) {
	folders := c.Folders(agentName)
	if c.Defaults {
		for _, more := range []string{below(c.Env("XDG_CONFIG_HOME"), "cursor"), below(c.Home, ".cursor")} {
			if _, err := os.Stat(more); more != "" && err == nil {
				folders = append(folders, more)
			}
		}
	}
	seen := map[string]bool{} // folders and what is in them, by real paths
	for path := range homes.Paths(folders, seen) {
		h := &home{Home: homes.Home{Lister: lister()}, found: map[string]*candidate{}}
		h.Open(path, c.Home, seen, map[string]*string{"projects": &h.projects, "chats": &h.chats})
		all = append(all, h)
	}
	return all
}

// users finds the user folders to read, each once. Of the default places the first is told
// even where it is not there.
func (c Config) users() (all []*user) {
	var folders []string
	for _, dir := range c.Users.Dirs {
		folders = append(folders, userIn(dir))
	}
	for i, dir := range c.usual() {
		if _, err := os.Stat(dir); err == nil || i == 0 {
			folders = append(folders, dir)
		}
	}
	seen := map[string]bool{}
	for path := range homes.Paths(folders, seen) {
		u := &user{Home: homes.Home{Lister: lister()}}
		u.Open(path, c.Home, seen, map[string]*string{"globalStorage": &u.global, "workspaceStorage": &u.workspaces})
		all = append(all, u)
	}
	return all
}

// userIn is the user folder where that, or the one above it, was given.
func userIn(dir string) string {
	inner := filepath.Join(dir, "User")
	if _, err := os.Stat(inner); err == nil {
		return inner
	}
	return dir
}

// usual are the places of the user folder, none where they are not asked for.
func (c Config) usual() (all []string) {
	if !c.Users.Defaults {
		return nil
	}
	var bases []string
	switch c.Users.GOOS {
	case "windows":
		bases = []string{c.Env("APPDATA"), below(c.Home, "AppData", "Roaming")}
	case "darwin":
		bases = []string{below(c.Home, "Library", "Application Support")}
	default:
		bases = []string{c.Env("XDG_CONFIG_HOME"), below(c.Home, ".config")}
	}
	for _, base := range bases {
		if filepath.IsAbs(base) {
			all = append(all, filepath.Join(base, "Cursor", "User"))
		}
	}
	return slices.Compact(all)
}

// below is a path in a folder, empty where the folder is not known.
func below(dir string, elem ...string) string {
	if dir == "" {
		return ""
	}
	return filepath.Join(append([]string{dir}, elem...)...)
}
