package places

import (
	"os"
	"path/filepath"
	"strings"
)

// apps are the editions and forks by the name of their folder, the commonest
// first (formats/vscode-copilot-chat.md, section 3.3).
var apps = []string{
	"Code", "Code - Insiders", "Code - Exploration", "Code - OSS", "code-oss-dev",
	"VSCodium", "VSCodium - Insiders", "Cursor", "Windsurf", "Windsurf - Next",
	"Trae", "Kiro", "Positron", "Antigravity",
}

// servers are the remote halves by the name of their folder in the home folder,
// with the edition whose windows they serve.
var servers = []struct{ folder, client string }{
	{".vscode-server", "Code"},
	{".vscode-server-insiders", "Code - Insiders"},
	{".vscode-server-exploration", "Code - Exploration"},
	{".vscode-server-oss", "Code - OSS"},
	{".vscode-remote", "Code"}, // Codespaces
	{".vscodium-server", "VSCodium"},
	{".vscodium-server-insiders", "VSCodium - Insiders"},
	{".cursor-server", "Cursor"},
	{".windsurf-server", "Windsurf"},
	{".windsurf-server-next", "Windsurf - Next"},
	{".trae-server", "Trae"},
	{".kiro-server", "Kiro"},
	{".positron-server", "Positron"},
	{".antigravity-server", "Antigravity"},
	{".openvscode-server", ""},
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

// codeServer is the name and folder of a server that has no half elsewhere.
const codeServer = "code-server"

// place is a user folder to look at.
type place struct {
	path string
	// guess is a place outside the user's own folders: it counts only if it can be
	// read, and where anybody may write only if it is ours.
	guess, ours bool
}

// defaults are the user folders of all editions, the present one of Code first.
func (c Config) defaults() []place {
	var d []place
	add := func(elem ...string) { d = append(d, place{path: filepath.Join(elem...)}) }
	if p := c.dir("VSCODE_PORTABLE"); p != "" {
		add(p, "user-data", "User")
	}
	for _, base := range c.appData() {
		for _, app := range apps {
			add(base, app, "User")
		}
	}
	if c.GOOS == "linux" && c.Home != "" {
		for _, f := range flatpaks {
			add(c.Home, ".var", "app", f.id, "config", f.app, "User")
		}
	}
	if p := c.dir("VSCODE_AGENT_FOLDER"); p != "" {
		add(p, "data", "User")
	}
	if c.Home != "" {
		for _, s := range servers {
			add(c.Home, s.folder, "data", "User")
		}
	}
	for _, base := range c.shareData() {
		add(base, codeServer, "User")
	}
	return append(d, c.outside()...)
}

// appData are the folders that hold one folder per edition.
func (c Config) appData() []string {
	var bases []string
	if p := c.dir("VSCODE_APPDATA"); p != "" {
		bases = append(bases, p)
	}
	switch c.GOOS {
	case "windows":
		if p := c.dir("APPDATA"); p != "" {
			return append(bases, p)
		}
		return append(bases, c.home("AppData", "Roaming")...)
	case "darwin":
		return append(bases, c.home("Library", "Application Support")...)
	}
	if p := c.dir("XDG_CONFIG_HOME"); p != "" {
		bases = append(bases, p)
	}
	return append(bases, c.home(".config")...)
}

// shareData are the folders that hold code-server's.
func (c Config) shareData() []string {
	var bases []string
	if p := c.dir("XDG_DATA_HOME"); p != "" {
		bases = append(bases, p)
	}
	bases = append(bases, c.home(".local", "share")...)
	if c.GOOS == "darwin" {
		bases = append(bases, c.home("Library", "Application Support")...)
	}
	return bases
}

// outside are places that are not in the home folder: servers of a user whose
// home folder cannot be written, and in WSL the editions on the Windows side.
func (c Config) outside() []place {
	if c.GOOS == "windows" {
		return nil
	}
	var d []place
	for _, s := range servers {
		d = append(d, place{path: c.system("tmp", s.folder, "data", "User"), guess: true, ours: true})
	}
	if c.GOOS != "linux" || !c.wsl() {
		return d
	}
	users := c.system("mnt", "c", "Users")
	entries, _ := os.ReadDir(users) // no drive C is no loss
	for _, e := range entries {
		for _, app := range apps {
			d = append(d, place{path: filepath.Join(users, e.Name(), "AppData", "Roaming", app, "User"), guess: true})
		}
	}
	return d
}

func (c Config) wsl() bool {
	if c.env("WSL_DISTRO_NAME") != "" {
		return true
	}
	version, err := os.ReadFile(c.system("proc", "version"))
	return err == nil && strings.Contains(strings.ToLower(string(version)), "microsoft")
}

func (c Config) env(name string) string {
	if c.Env == nil {
		return ""
	}
	return c.Env(name)
}

// dir is a folder named by a variable; a relative one depends on where a program
// was started and says nothing.
func (c Config) dir(name string) string {
	if p := c.env(name); filepath.IsAbs(p) {
		return p
	}
	return ""
}

// home is a folder below the home folder, if that is known.
func (c Config) home(elem ...string) []string {
	if c.Home == "" {
		return nil
	}
	return []string{filepath.Join(c.Home, filepath.Join(elem...))}
}

func (c Config) system(elem ...string) string {
	base := c.System
	if base == "" {
		base = string(filepath.Separator)
	}
	return filepath.Join(base, filepath.Join(elem...))
}

// edition tells from its path whose user folder it is: "…/Code/User", a server's
// "…/.vscode-server/data/User", a portable install's "…/data/user-data/User", or
// one that was given another name.
func edition(user string) (name string, server bool) {
	if filepath.Base(user) != "User" {
		return filepath.Base(user), false
	}
	dir := filepath.Dir(user)
	above := filepath.Dir(dir)
	switch base := filepath.Base(dir); {
	case base == "user-data" && filepath.Base(above) == "data":
		return filepath.Base(filepath.Dir(above)), false
	case base == "user-data":
		return filepath.Base(above), false
	case base == "data" && filepath.Dir(above) != above:
		return strings.TrimPrefix(filepath.Base(above), "."), true
	default:
		return base, base == codeServer
	}
}

// clientOf is the edition whose windows a server serves, empty if it is unknown.
func clientOf(server string) string {
	for _, s := range servers {
		if s.folder == "."+server {
			return s.client
		}
	}
	return ""
}
