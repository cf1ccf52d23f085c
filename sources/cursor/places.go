// Package cursor reads the history of Cursor: what the IDE keeps in the database of its user folder, the transcripts that IDE
// and CLI write below ~/.cursor, and the stores of the CLI. One uuid is one session in all of them. The formats change about
// twice a year and have no contract, so they are read leniently: what is unknown is counted, what is damaged is told, and the
// rest is read.
//
// The databases hold tokens of the account and keys of chats. Rows are asked for by the names of known keys, never all of a
// table, and of a value the declared fields alone are kept. Settings, logs, credentials, checkpoints and copies of files are
// never opened.
package cursor

import (
	"os"
	"path/filepath"

	"github.com/sessionloom/sessionloom/sources/internal/editor"
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

// homes finds the homes to read, in order of preference, each once. Beside the home that a variable names, the IDE goes on to
// write to the usual one.
func (c Config) homes() (all []*home) {
	folders := c.Folders(agentName)
	if c.Defaults {
		for _, at := range [][2]string{{c.Env("XDG_CONFIG_HOME"), "cursor"}, {c.Home, ".cursor"}} {
			if dir := filepath.Join(at[0], at[1]); at[0] != "" && isThere(dir) {
				folders = append(folders, dir)
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

// users finds the user folders to read, each once. Of the default places the first is told even where it is not there.
func (c Config) users() (all []*user) {
	var folders []string
	for _, dir := range c.Users.Dirs {
		folders = append(folders, editor.UserFolder(dir))
	}
	if c.Users.Defaults {
		for i, base := range editor.AppFolders(c.Users.GOOS, c.Home, c.Env) {
			if dir := filepath.Join(base, "Cursor", "User"); i == 0 || isThere(dir) {
				folders = append(folders, dir)
			}
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

func isThere(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
