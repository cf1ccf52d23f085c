package places

import (
	"os"
	"path/filepath"
	"strings"
)

// apps are the editions and forks by the name of their folder, the commonest
// first.
var apps = []string{
	"Code", "Code - Insiders", "Code - Exploration", "Code - OSS", "code-oss-dev",
	"VSCodium", "VSCodium - Insiders", "Cursor", "Windsurf", "Windsurf - Next",
	"Trae", "Kiro", "Positron", "Antigravity",
}

// servers are the remote halves by the name of their folder in the home folder.
var servers = []string{
	".vscode-server", ".vscode-server-insiders", ".vscode-server-exploration", ".vscode-server-oss", ".vscode-remote",
	".vscodium-server", ".vscodium-server-insiders", ".cursor-server", ".windsurf-server", ".windsurf-server-next",
	".trae-server", ".kiro-server", ".positron-server", ".antigravity-server", ".openvscode-server",
}

// flatpaks are the packaged editions, which keep their settings in a folder of
// their own.
var flatpaks = []struct{ id, app string }{
	{"com.visualstudio.code", "Code"},
	{"com.visualstudio.code.insiders", "Code - Insiders"},
	{"com.visualstudio.code-oss", "Code - OSS"},
	{"com.vscodium.codium", "VSCodium"},
	{"com.vscodium.codium-insiders", "VSCodium - Insiders"},
}

// defaults are the user folders of all editions, the present one of Code first.
func (c Config) defaults() []string {
	var all []string
	add := func(base string, elem ...string) {
		if base != "" {
			all = append(all, filepath.Join(base, filepath.Join(elem...), "User"))
		}
	}
	add(c.dir("VSCODE_PORTABLE"), "user-data")
	for _, base := range append([]string{c.dir("VSCODE_APPDATA")}, c.appData()...) {
		for _, app := range apps {
			add(base, app)
		}
	}
	if c.GOOS == "linux" {
		for _, f := range flatpaks {
			add(c.Home, ".var", "app", f.id, "config", f.app)
		}
	}
	add(c.dir("VSCODE_AGENT_FOLDER"), "data")
	for _, server := range servers {
		add(c.Home, server, "data")
	}
	add(c.dir("XDG_DATA_HOME"), "code-server")
	add(c.home(".local", "share"), "code-server")
	if c.GOOS == "darwin" {
		add(c.home("Library", "Application Support"), "code-server")
	}
	return all
}

// appData are the folders that hold one folder per edition.
func (c Config) appData() []string {
	switch c.GOOS {
	case "windows":
		if p := c.dir("APPDATA"); p != "" {
			return []string{p}
		}
		return []string{c.home("AppData", "Roaming")}
	case "darwin":
		return []string{c.home("Library", "Application Support")}
	}
	return []string{c.dir("XDG_CONFIG_HOME"), c.home(".config")}
}

// windows are the user folders on the Windows side, seen from WSL. They may be
// those of other people: they count only if they can be read.
func (c Config) windows() []string {
	if c.GOOS != "linux" {
		return nil
	}
	drives := c.Drives
	if drives == "" {
		drives = "/mnt"
	}
	users := filepath.Join(drives, "c", "Users")
	entries, _ := os.ReadDir(users) // no drive C is no loss
	var all []string
	for _, e := range entries {
		for _, app := range apps {
			all = append(all, filepath.Join(users, e.Name(), "AppData", "Roaming", app, "User"))
		}
	}
	return all
}

// dir is a folder named by a variable; a relative one depends on where a program
// was started and says nothing.
func (c Config) dir(name string) string {
	if c.Env == nil || !filepath.IsAbs(c.Env(name)) {
		return ""
	}
	return c.Env(name)
}

// home is a folder below the home folder, empty if that is not known.
func (c Config) home(elem ...string) string {
	if c.Home == "" {
		return ""
	}
	return filepath.Join(c.Home, filepath.Join(elem...))
}

// edition tells from its path whose user folder it is: "…/Code/User", a server's
// "…/.vscode-server/data/User", a portable install's "…/data/user-data/User", or
// one that was given another name.
func edition(user string) string {
	dir := filepath.Dir(user)
	if filepath.Base(user) != "User" {
		dir = user
	} else if base := filepath.Base(dir); base == "user-data" || base == "data" {
		if dir = filepath.Dir(dir); base == "user-data" && filepath.Base(dir) == "data" {
			dir = filepath.Dir(dir)
		}
	}
	return strings.TrimPrefix(filepath.Base(dir), ".")
}
