package editor

import (
	"cmp"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/decode"
	"github.com/sessionloom/sessionloom/sources/internal/files"
	"github.com/sessionloom/sessionloom/sources/pattern"
)

// maxText limits the files read here, in bytes: some also hold settings.
const maxText = 4 << 20

// ReadWorkspace reads a workspace.json, and the .code-workspace it names if that is on this machine; if
// it is gone or broken, the folders are left out. It returns where sessions of the storage worked: a
// folder, the single folder of a workspace, or a workspace. A remote folder is a path on the remote
// machine.
func ReadWorkspace(file string) (sources.Place, error) {
	var said struct {
		Folder    URI `json:"folder"`
		Workspace struct {
			Components
			Text       string `as:"text"`
			ConfigPath URI    `json:"configPath"`
		} `json:"workspace"`
		Configuration URI `json:"configuration"`
	}
	damaged, err := decode.File(file, maxText, &said)
	if damaged {
		err = fmt.Errorf("read %q: it is damaged", file)
	}
	if err != nil {
		return sources.Place{}, err
	}
	if said.Folder.IsSet() {
		return FolderPlace(said.Folder), nil
	}
	named, _ := ParseURI(said.Workspace.Text)
	for _, at := range []URI{named, said.Workspace.URI(), said.Workspace.ConfigPath, said.Configuration} {
		if at.IsSet() {
			return WorkspacePlace(at), nil
		}
	}
	return sources.Place{}, nil
}

// WorkspacePlace returns the place of a workspace file, with its folders if it is on this machine.
func WorkspacePlace(file URI) sources.Place {
	folders := foldersOf(file)
	if len(folders) == 1 {
		return FolderPlace(folders[0])
	}
	p := sources.Place{Workspace: file.File()}
	for _, f := range folders {
		if dir := folder(f); dir != "" {
			p.Folders = append(p.Folders, dir)
		}
	}
	return p
}

// FolderPlace returns the place of a folder that is open in a window.
func FolderPlace(u URI) sources.Place {
	if u.Scheme == "vscode-vfs" { // a repository opened without a clone
		host, _, _ := strings.Cut(u.Authority, "+")
		if name := strings.Split(strings.Trim(u.Path, "/"), "/"); host == "github" && len(name) >= 2 {
			return sources.Place{Repository: name[0] + "/" + name[1], Host: "github.com", HostType: "github"}
		}
	}
	return sources.Place{Cwd: folder(u)}
}

// folder returns the path without a trailing slash.
func folder(u URI) string {
	p := u.File()
	if short := strings.TrimRight(p, "/"); short != "" && !strings.HasSuffix(short, ":") {
		return short
	}
	return p
}

// foldersOf reads the folders of a workspace file on this machine. It asks no server.
func foldersOf(file URI) []URI {
	local := filepath.FromSlash(file.File())
	if file.Scheme != "file" || file.Authority != "" || file.IsWindows() != (runtime.GOOS == "windows") {
		return nil
	}
	if real, err := filepath.EvalSymlinks(local); err == nil {
		local = real
	}
	text, err := files.ReadText(local, maxText)
	if err != nil || text.Left != "" {
		return nil
	}
	var said struct {
		Folders []struct {
			URI  URI    `json:"uri"`
			Path string `json:"path"`
		} `json:"folders"`
	}
	if decode.Text(plainJSON(text.Body), &said) != nil {
		return nil
	}
	var all []URI
	for _, item := range said.Folders {
		u, ok := item.URI, item.URI.IsSet()
		if !ok {
			u, ok = resolve(file, item.Path)
		}
		if ok && !slices.Contains(all, u) {
			all = append(all, u)
		}
	}
	return all
}

func resolve(file URI, p string) (URI, bool) {
	if p == "" {
		return URI{}, false
	}
	if file.IsWindows() {
		p = strings.ReplaceAll(p, `\`, "/")
	}
	if path.IsAbs(p) || file.IsWindows() && len(p) > 1 && p[1] == ':' {
		return ParseURI(p)
	}
	file.Path = path.Join(path.Dir(file.Path), p)
	return file, true
}

var (
	comments  = pattern.Lazy(`"(?:[^"\\]|\\.)*"|//[^\n]*|(?s:/\*.*?\*/)`)
	lastComma = pattern.Lazy(`"(?:[^"\\]|\\.)*"|,\s*[}\]]`)
)

// plainJSON removes comments and trailing commas, as people write them in settings, from JSON.
func plainJSON(text string) string {
	text = comments().ReplaceAllStringFunc(text, func(found string) string {
		if found[0] == '"' {
			return found
		}
		return ""
	})
	return lastComma().ReplaceAllStringFunc(text, func(found string) string { return strings.TrimPrefix(found, ",") })
}

// AppFolders returns the folders for programs' settings on an operating system, in order of preference.
// A relative path in a variable is ignored, as it depends on where a program was started.
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

// UserFolder returns the user folder that was given, or that is above or in the given folder; else the given one.
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
	return around[1+slices.IndexFunc(around[1:], IsDir)] // a folder in which nothing was stored yet, or the given one
}

// IsUserFolder reports whether a folder stores something as a user folder does.
func IsUserFolder(dir string) bool {
	return IsDir(filepath.Join(dir, "workspaceStorage")) || IsDir(filepath.Join(dir, "globalStorage"))
}

// IsDir reports whether a path leads to a folder.
func IsDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
