package main

import (
	"os"
	"path/filepath"

	"github.com/sessionloom/sessionloom/extract"
)

// ignoreFile is the name of the file that has the sessions of a folder left out.
// That it is there says so; nobody opens it.
const ignoreFile = ".sessionloomignore"

// ignored tells whether a folder holds that file.
func ignored(folder string) bool {
	_, err := os.Lstat(filepath.Join(folder, ignoreFile))
	return err == nil
}

func leftOutBy(f extract.IgnoredFolder, home string) string {
	return count(f.Sessions, "session") + " left out, for " + tilde(filepath.Join(f.Folder, ignoreFile), home) + " says so"
}
