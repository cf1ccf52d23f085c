package discover

import (
	"io"
	"os"
	"path/filepath"
	"strings"
)

// Repository returns the root of the main working tree of a folder, and the URL of its remote, both "" if
// there is none. It only reads git's files and follows no link.
func Repository(folder string) (root, remote string) {
	for at := filepath.Clean(folder); ; at = filepath.Dir(at) {
		git := filepath.Join(at, ".git")
		info, err := os.Lstat(git)
		switch {
		case err == nil && info.IsDir():
			return at, remoteIn(readSmall(filepath.Join(git, "config")))
		case err == nil && info.Mode().IsRegular():
			return ofTree(at, readSmall(git))
		case at == filepath.Dir(at):
			return "", ""
		}
	}
}

func ofTree(at, gitFile string) (root, remote string) {
	dir, ok := strings.CutPrefix(strings.TrimSpace(gitFile), "gitdir: ")
	if !ok {
		return "", ""
	}
	dir = below(at, dir)
	common := below(dir, strings.TrimSpace(readSmall(filepath.Join(dir, "commondir"))))
	if isFar(common) {
		return "", ""
	}
	remote = remoteIn(readSmall(filepath.Join(common, "config")))
	if filepath.Base(common) == ".git" {
		at = filepath.Dir(common)
	}
	return at, remote
}

// below returns the target of a path that is stored in a file of a folder; "" is that folder.
func below(folder, path string) string {
	path = filepath.FromSlash(path)
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(folder, path)
}

func isFar(path string) bool { return strings.HasPrefix(filepath.ToSlash(path), "//") }

func remoteIn(config string) string {
	urls, name := map[string]string{}, ""
	for line := range strings.Lines(config) {
		line = strings.TrimSpace(line)
		if section, ok := strings.CutPrefix(line, "["); ok {
			name, _ = strings.CutPrefix(strings.TrimSuffix(section, "]"), `remote "`)
			if name == strings.TrimSuffix(section, "]") {
				name = ""
			}
			name = strings.TrimSuffix(name, `"`)
			continue
		}
		key, value, _ := strings.Cut(line, "=")
		if name != "" && strings.EqualFold(strings.TrimSpace(key), "url") && urls[name] == "" {
			urls[name] = strings.Trim(strings.TrimSpace(value), `"`)
		}
	}
	if len(urls) == 1 {
		for _, url := range urls {
			return url
		}
	}
	return urls["origin"]
}

// readSmall returns the text of a small plain file, or "".
func readSmall(path string) string {
	const most = 1 << 20
	if isFar(path) {
		return ""
	}
	if info, err := os.Lstat(path); err != nil || !info.Mode().IsRegular() || info.Size() > most {
		return ""
	}
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, most))
	if err != nil {
		return ""
	}
	return string(text)
}
