// Package editor reads addresses and workspace files as VS Code and its forks write them.
package editor

import (
	"cmp"
	"net/url"
	"path"
	"strings"
	"unicode/utf8"

	"github.com/sessionloom/sessionloom/sources/internal/decode"
	"github.com/sessionloom/sessionloom/sources/pattern"
)

// URI is an address that VS Code writes for a file or folder; the zero value means none.
type URI struct {
	Scheme    string `json:"scheme"`    // file, vscode-remote, untitled, https, …
	Authority string `json:"authority"` // ssh-remote+host, wsl+ubuntu, a server of Windows; in lower case for WSL
	Path      string `json:"path"`      // slashes; a drive as "/c:/…", its letter in lower case
	Query     string `json:"query"`
	Fragment  string `json:"fragment"`

	written string // a web page, as written
}

// Components is an address as VS Code writes it today: an object of its parts.
type Components URI

// parts are the parts of an address. A drive's letter or words with a colon are not a scheme.
var parts = pattern.Lazy(`(?s)^([A-Za-z][A-Za-z0-9+.-]+):(?://([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$`)

// ParseURI reads an address: percent-encoded, or a path of any operating system. ok is false for a text
// without scheme, leading slash or drive.
func ParseURI(s string) (u URI, ok bool) {
	s = strings.TrimSpace(s)
	m := parts().FindStringSubmatch(s)
	if m == nil { // a path, or a drive
		if p := strings.ReplaceAll(s, `\`, "/"); startsWithDrive(p) || strings.HasPrefix(s, `\`) {
			s = p
		}
		if !strings.HasPrefix(s, "/") && !startsWithDrive(s) {
			return URI{}, false
		}
		return clean(URI{Scheme: "file", Path: s}), true
	}
	u = clean(URI{Scheme: strings.ToLower(m[1]), Authority: unescaped(m[2]), Path: unescaped(m[3]),
		Query: unescaped(m[4]), Fragment: unescaped(m[5])})
	if u.IsWeb() && strings.HasPrefix(s, u.Scheme+"://") && !strings.ContainsAny(s, " \t\r\n<>") {
		u.written = s
	}
	return u, true
}

// unescaped decodes percent-encoding; anything else, or bytes that are not text, stays.
func unescaped(s string) string {
	if text, err := url.PathUnescape(s); err == nil && utf8.ValidString(text) {
		return text
	}
	return s
}

// ReadJSON reads an address from JSON: UriComponents, or a string.
func (u *URI) ReadJSON(d *decode.Decoder) (fits bool, err error) {
	switch d.PeekKind() {
	case '"':
		tok, err := d.ReadToken()
		if err != nil {
			return false, err
		}
		*u, _ = ParseURI(tok.String())
		return true, nil
	case '{':
		var c Components
		err = d.Read(&c)
		*u = c.URI()
		return true, err
	}
	return false, d.SkipValue()
}

// URI returns the address.
func (c Components) URI() URI {
	if c.Path == "" {
		return URI{}
	}
	c.Scheme = cmp.Or(strings.ToLower(c.Scheme), "file")
	return clean(URI(c))
}

// IsSet reports whether there is an address.
func (u URI) IsSet() bool { return u.Scheme != "" }

// IsWeb reports whether the address is a web page's.
func (u URI) IsWeb() bool { return u.Scheme == "http" || u.Scheme == "https" }

// Link returns the address of a page so that it can be followed.
func (u URI) Link() string {
	if u.written != "" {
		return u.written
	}
	out := url.URL{Scheme: u.Scheme, Host: u.Authority, Path: u.Path, Fragment: u.Fragment,
		RawQuery: strings.NewReplacer(" ", "%20", "<", "%3C", ">", "%3E", "\n", "").Replace(u.Query)}
	return out.String()
}

func clean(u URI) URI {
	if startsWithDrive(u.Path) { // C:/x
		u.Path = "/" + u.Path
	}
	if u.drive() {
		u.Path = "/" + strings.ToLower(u.Path[1:2]) + u.Path[2:]
	}
	if server, ok := strings.CutPrefix(u.Path, "//"); ok && u.Scheme == "file" && u.Authority == "" {
		name, rest, _ := strings.Cut(server, "/")
		u.Authority, u.Path = name, "/"+rest
	}
	if strings.HasPrefix(strings.ToLower(u.Authority), "wsl+") { // one file may hold both spellings
		u.Authority = strings.ToLower(u.Authority)
	}
	return u
}

// startsWithDrive reports whether a path begins with a drive, "c:" or "c:/x", and not with a name with a colon.
func startsWithDrive(p string) bool {
	return len(p) > 1 && p[1] == ':' && 'a' <= p[0]|0x20 && p[0]|0x20 <= 'z' && (len(p) == 2 || p[2] == '/')
}

func (u URI) drive() bool { return u.Path != "" && u.Path[0] == '/' && startsWithDrive(u.Path[1:]) }

// IsWindows reports whether the path is on a drive or server of Windows.
func (u URI) IsWindows() bool { return u.drive() || u.Scheme == "file" && u.Authority != "" }

// IsFile reports whether the address is a file's, on this machine or another.
func (u URI) IsFile() bool {
	switch u.Scheme {
	case "file", "vscode-remote", "vscode-local", "vscode-notebook-cell", "vscode-userdata":
		return u.Path != ""
	}
	return false
}

// File returns the path on its machine, with slashes: "/home/dev/x", "c:/Users/dev/x",
// "//server/share/x"; empty for other addresses.
func (u URI) File() string {
	switch {
	case !u.IsFile():
		return ""
	case u.Scheme == "file" && u.Authority != "":
		return "//" + u.Authority + u.Path
	case u.drive():
		return u.Path[1:]
	}
	return u.Path
}

// FileOf returns the path of an address or a path; empty for other addresses.
func FileOf(s string) string {
	if s = strings.TrimSpace(s); s == "" || strings.ContainsAny(s, "\r\n") {
		return ""
	}
	if u, ok := ParseURI(s); ok {
		return u.File()
	}
	return s
}

// Base returns the last element of the path.
func (u URI) Base() string {
	if strings.Trim(u.Path, "/") == "" {
		return ""
	}
	return path.Base(u.Path)
}

// String returns a readable form without encoding.
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
