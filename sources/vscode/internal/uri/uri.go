// Package uri reads the addresses VS Code writes for files and folders
// (formats of VS Code's UriComponents and of its resource strings).
package uri

import (
	"net/url"
	"path"
	"strings"

	"github.com/sessionloom/sessionloom/sources/vscode/internal/tree"
)

// URI is an address, decoded.
type URI struct {
	Scheme    string // file, vscode-remote, untitled, https, …
	Authority string // ssh-remote+host, wsl+ubuntu, a server of Windows; WSL's in lower case
	Path      string // slashes; a drive as "/c:/…", its letter in lower case
	Query     string
	Fragment  string
}

// Parse reads an address as a string: percent-encoded, or a plain path of any
// operating system. ok is false for an empty one and one without scheme and
// leading slash or drive.
func Parse(s string) (u URI, ok bool) {
	s = strings.TrimSpace(s)
	if s == "" {
		return URI{}, false
	}
	scheme, rest, found := strings.Cut(s, ":")
	if !found || len(scheme) == 1 || strings.ContainsAny(scheme, `/\`) { // a path, or a drive
		p := strings.ReplaceAll(s, `\`, "/")
		if !strings.HasPrefix(p, "/") && !(len(scheme) == 1 && found) {
			return URI{}, false
		}
		return clean(URI{Scheme: "file", Path: p}), true
	}
	u.Scheme = strings.ToLower(scheme)
	rest, u.Fragment, _ = strings.Cut(rest, "#")
	rest, u.Query, _ = strings.Cut(rest, "?")
	if after, ok := strings.CutPrefix(rest, "//"); ok {
		i := strings.IndexByte(after, '/')
		if i < 0 {
			i = len(after)
		}
		u.Authority, rest = after[:i], after[i:]
	}
	u.Path = rest
	for _, field := range []*string{&u.Authority, &u.Path, &u.Query, &u.Fragment} {
		if plain, err := url.PathUnescape(*field); err == nil {
			*field = plain
		}
	}
	return clean(u), true
}

// Of reads an address as it stands in JSON: UriComponents of any age, or a
// string. Missing parts come from `external`, then `fsPath`.
func Of(n *tree.Node) (u URI, ok bool) {
	if n.Kind() == tree.String {
		return Parse(n.Text())
	}
	if n.Kind() != tree.Object {
		return URI{}, false
	}
	u = URI{Scheme: strings.ToLower(n.Get("scheme").Text()), Authority: n.Get("authority").Text(), Path: n.Get("path").Text(),
		Query: n.Get("query").Text(), Fragment: n.Get("fragment").Text()}
	if u.Path == "" {
		if e, ok := Parse(n.Get("external").Text()); ok {
			return e, true
		}
		if u.Path = n.Get("fsPath").Text(); u.Path == "" {
			return URI{}, false
		}
		u.Path = strings.ReplaceAll(u.Path, `\`, "/")
	}
	if u.Scheme == "" {
		u.Scheme = "file"
	}
	return clean(u), true
}

func clean(u URI) URI {
	if len(u.Path) > 1 && u.Path[1] == ':' { // C:/x
		u.Path = "/" + u.Path
	}
	if len(u.Path) > 2 && u.Path[0] == '/' && u.Path[2] == ':' {
		u.Path = "/" + strings.ToLower(u.Path[1:2]) + u.Path[2:]
	}
	if strings.HasPrefix(strings.ToLower(u.Authority), "wsl+") { // both spellings stand in one file
		u.Authority = strings.ToLower(u.Authority)
	}
	return u
}

// IsFile tells whether the address names something on a file system, here or on
// a remote machine.
func (u URI) IsFile() bool {
	switch u.Scheme {
	case "file", "vscode-remote", "vscode-notebook-cell", "vscode-userdata":
		return u.Path != ""
	}
	return false
}

// File is the path on the machine where the file lies, of its operating system
// but with slashes: "/home/dev/x", "c:/Users/dev/x", "//server/share/x". It is
// empty for what is no file.
func (u URI) File() string {
	switch {
	case !u.IsFile():
		return ""
	case u.Scheme == "file" && u.Authority != "":
		return "//" + u.Authority + u.Path
	case len(u.Path) > 2 && u.Path[2] == ':':
		return u.Path[1:]
	}
	return u.Path
}

// Base is the last element of the path.
func (u URI) Base() string {
	if strings.Trim(u.Path, "/") == "" {
		return ""
	}
	return path.Base(u.Path)
}

// String is a readable form, nothing encoded.
func (u URI) String() string {
	s := u.Scheme + ":"
	if u.Authority != "" || u.Scheme == "file" || u.Scheme == "vscode-remote" {
		s += "//" + u.Authority
	}
	s += u.Path
	if u.Query != "" {
		s += "?" + u.Query
	}
	if u.Fragment != "" {
		s += "#" + u.Fragment
	}
	return s
}
