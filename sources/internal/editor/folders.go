package editor

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
)

// AppFolders are where programs keep their settings on an operating system, each in a folder of its own, in order of preference.
// A relative path in a variable depends on where a program was started and says nothing.
func AppFolders(goos, home string, env func(string) string) (all []string) {
	below := func(name string) string {
		if home == "" {
			return ""
		}
		return filepath.Join(home, filepath.FromSlash(name))
	}
	switch goos {
	case "windows":
		all = []string{cmp.Or(env("APPDATA"), below("AppData/Roaming"))}
	case "darwin":
		all = []string{below("Library/Application Support")}
	default:
		all = []string{env("XDG_CONFIG_HOME"), below(".config")}
	}
	return slices.Compact(slices.DeleteFunc(all, func(dir string) bool { return !filepath.IsAbs(dir) }))
}

// UserFolder finds the user folder when that, a folder above it or one in it was given; else it is what was given.
func UserFolder(path string) string {
	if base := filepath.Base(path); base == "workspaceStorage" || base == "globalStorage" {
		return filepath.Dir(path)
	}
	around := []string{path}
	for _, sub := range []string{"User", "data/User", "user-data/User", "data/user-data/User"} {
		around = append(around, filepath.Join(path, filepath.FromSlash(sub)))
	}
	if i := slices.IndexFunc(around, IsUserFolder); i >= 0 {
		return around[i]
	}
	return around[1+slices.IndexFunc(around[1:], IsDir)] // one in which nothing was stored yet, or what was given
}

// IsUserFolder reports whether something is stored in a folder as in one of a user.
func IsUserFolder(dir string) bool {
	return IsDir(filepath.Join(dir, "workspaceStorage")) || IsDir(filepath.Join(dir, "globalStorage"))
}

// IsDir reports whether a path leads to a folder.
func IsDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
