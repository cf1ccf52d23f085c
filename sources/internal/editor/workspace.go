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

// maxText bounds the files read here, in bytes: some hold settings too.
const maxText = 4 << 20

// ReadWorkspace reads a workspace.json, and the .code-workspace it names if that
// lies on this machine; one that is gone or broken leaves its folders out. It gives
// where sessions of the storage worked: a folder, the single folder of a workspace,
// or a workspace. A remote folder is a path on the remote machine.
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

// WorkspacePlace is the place of a workspace file, with its folders where it lies here.
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

// FolderPlace is the place of a folder that is open in a window.
func FolderPlace(u URI) sources.Place {
	if u.Scheme == "vscode-vfs" { // a repository that is opened without a clone
		host, _, _ := strings.Cut(u.Authority, "+")
		if name := strings.Split(strings.Trim(u.Path, "/"), "/"); host == "github" && len(name) >= 2 {
			return sources.Place{Repository: name[0] + "/" + name[1], Host: "github.com", HostType: "github"}
		}
	}
	return sources.Place{Cwd: folder(u)}
}

// folder is the path without a slash at its end, which says nothing.
func folder(u URI) string {
	p := u.File()
	if short := strings.TrimRight(p, "/"); short != "" && !strings.HasSuffix(short, ":") {
		return short
	}
	return p
}

// foldersOf reads the folders of a workspace file on this machine: no server is asked.
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

// plainJSON takes comments and trailing commas, as people write them into settings, out of JSON.
func plainJSON(text string) string {
	text = comments().ReplaceAllStringFunc(text, func(found string) string {
		if found[0] == '"' {
			return found
		}
		return ""
	})
	return lastComma().ReplaceAllStringFunc(text, func(found string) string { return strings.TrimPrefix(found, ",") })
}

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
