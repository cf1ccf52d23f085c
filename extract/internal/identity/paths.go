package identity

import (
	"path"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/sessionloom/sessionloom/extract/internal/texts"
	"github.com/sessionloom/sessionloom/extract/redact"
	"github.com/sessionloom/sessionloom/sources"
)

// WorkFolder is the folder a session worked in, unified: the git root before
// the working folder, each only where it can be a project. Empty: neither.
func WorkFolder(p sources.Place) string {
	for _, s := range []string{p.GitRoot, p.Cwd} {
		if f := UnifyPath(s); !IsJunkFolder(f) {
			return f
		}
	}
	return ""
}

// UnifyPath brings a recorded path of any operating system into one form:
// slashes, no dots, drives as "c:/", WSL's and Git's spellings of a drive
// likewise, no "/private" of macOS. A relative path stays relative.
func UnifyPath(s string) string {
	p := strings.ReplaceAll(strings.TrimSpace(s), `\`, "/")
	if p == "" {
		return ""
	}
	if scheme, rest, ok := strings.Cut(p, "://"); ok && len(scheme) > 1 {
		if i := strings.IndexByte(rest, '/'); i >= 0 {
			p = rest[i:]
			if len(p) > 2 && isDrive(p[1:]) { // file:///C:/x
				p = p[1:]
			}
		}
	}
	p = strings.TrimPrefix(p, "//?/")
	if strings.HasPrefix(p, "//") {
		server, rest, _ := strings.Cut(p[2:], "/")
		if lower := strings.ToLower(server); lower != "wsl$" && lower != "wsl.localhost" {
			return "//" + path.Clean(server+"/"+rest)
		}
		_, rest, _ = strings.Cut(rest, "/") // the distribution
		p = "/" + rest
	}
	p = path.Clean(p)
	for _, mount := range []string{"/mnt/", "/cygdrive/"} {
		if rest, ok := strings.CutPrefix(p, mount); ok && isMountedDrive(rest) {
			p = rest[:1] + ":/" + strings.TrimPrefix(rest[1:], "/")
		}
	}
	if len(p) > 3 && strings.HasPrefix(strings.ToLower(p[2:]), "/users/") && isMountedDrive(p[1:]) {
		p = p[1:2] + ":" + p[2:] // /c/Users/x of Git for Windows
	}
	if isDrive(p) {
		return strings.ToLower(p[:1]) + ":" + path.Clean("/"+p[2:])
	}
	if strings.HasPrefix(p, "/private/tmp") || strings.HasPrefix(p, "/private/var") {
		return strings.TrimPrefix(p, "/private")
	}
	return p
}

func isDrive(p string) bool {
	return len(p) >= 2 && p[1] == ':' && isASCIILetter(p[0])
}

func isMountedDrive(p string) bool {
	return p != "" && isASCIILetter(p[0]) && (len(p) == 1 || p[1] == '/')
}

func isASCIILetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// isWindowsPath tells whether case means nothing in a unified path.
func isWindowsPath(p string) bool { return isDrive(p) || strings.HasPrefix(p, "//") }

func isAbsolute(p string) bool { return strings.HasPrefix(p, "/") || isDrive(p) }

// splitHome splits a unified path after the home folder it lies in: ok is false
// where it lies in none, and rest is empty for the home folder itself.
func splitHome(p string) (rest string, ok bool) {
	switch {
	case p == "/root":
		return "", true
	case strings.HasPrefix(p, "/root/"):
		return p[len("/root/"):], true
	}
	q := p
	switch {
	case isDrive(p):
		q = p[2:]
	case strings.HasPrefix(p, "//"):
		if _, after, found := strings.Cut(p[2:], "/"); found {
			q = "/" + after
		}
	}
	q = strings.TrimPrefix(q, "/var") // /var/home of image-based systems
	for _, base := range []string{"/home/", "/users/"} {
		if len(q) > len(base) && strings.EqualFold(q[:len(base)], base) {
			_, rest, _ := strings.Cut(q[len(base):], "/")
			return rest, true
		}
	}
	return "", false
}

// homeRelative replaces the home folder of a unified path by "~", so that a
// folder is the same on two machines and no name of a user gets into a key.
func homeRelative(p string) string {
	if rest, ok := splitHome(p); ok {
		return "~/" + rest
	}
	return p
}

// IsJunkFolder tells whether a unified folder cannot be a project: no absolute
// path, a bare home, a root, or a folder of the system in which editors and
// shells start when they were told nothing.
func IsJunkFolder(p string) bool {
	if !isAbsolute(p) {
		return true
	}
	if rest, ok := splitHome(p); ok {
		rest = strings.ToLower(rest)
		return rest == "" || rest == "appdata/local/temp" || strings.HasPrefix(rest, "appdata/local/programs")
	}
	if strings.HasPrefix(p, "//") {
		return strings.Count(p, "/") < 3
	}
	q := p
	if isDrive(p) {
		q = strings.ToLower(p[2:])
		for _, system := range []string{"/windows", "/program files", "/program files (x86)"} {
			if q == system || strings.HasPrefix(q, system+"/") {
				return true
			}
		}
	}
	switch strings.ToLower(q) {
	case "/", "/home", "/users", "/var/home", "/tmp", "/var/tmp", "/var", "/usr", "/usr/bin", "/usr/local",
		"/etc", "/bin", "/opt", "/mnt", "/mnt/wsl", "/media", "/srv", "/applications", "/system", "/volumes", "/temp":
		return true
	}
	return false
}

// slugBase makes the last element of a folder fit for a key: letters, digits,
// "." and "_", all else "-".
func slugBase(base string) string {
	const limit = 40 // bytes
	slug := strings.Map(func(r rune) rune {
		if texts.IsWordRune(r) || r == '.' || r == '_' {
			return r
		}
		return '-'
	}, norm.NFC.String(redact.Strip(base)))
	for strings.Contains(slug, "--") {
		slug = strings.ReplaceAll(slug, "--", "-")
	}
	slug = strings.Trim(texts.CutRunes(slug, limit), "-. ")
	if slug == "" {
		return "folder"
	}
	return slug
}

// legalRune keeps what every file system and Obsidian allow in a name.
func legalRune(r rune) rune {
	if texts.IsWordRune(r) || strings.ContainsRune(" -_.()+,@", r) {
		return r
	}
	return '-'
}
