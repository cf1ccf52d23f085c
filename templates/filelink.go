package templates

import (
	"net/url"
	"path"
	"regexp"
	"strings"
)

// maxRewritten is the longest line in which links to files are written out;
// in longer ones they are only escaped.
const maxRewritten = 64 << 10

// fileLinkForm is a link with a plain text or one code span as its label.
var fileLinkForm = regexp.MustCompile("^\\[([^\\[\\]`\\\\<>]{0,200}|`[^`\\\\]{1,200}`)\\]\\(<?([^()<>\\s\"`\\\\]{1,1000})>?\\)")

// fileLink takes a link to a file, which leads nowhere from a note: its text is
// shown, and the file where that does not name it.
func (l *line) fileLink() bool {
	if len(l.src) > maxRewritten {
		return false
	}
	m := fileLinkForm.FindStringSubmatch(l.src[l.i:])
	if m == nil {
		return false
	}
	file, ok := linkedFile(m[2])
	if !ok {
		return false
	}
	shown, label := code(file), strings.TrimSpace(m[1])
	switch plain := strings.Trim(label, "`"); {
	case plain == "":
	case plain == file, plain == strings.SplitN(path.Base(file), ":", 2)[0]:
		shown = code(plain)
	default:
		shown = label + " (" + shown + ")"
	}
	l.src = l.src[:l.i] + shown + l.src[l.i+len(m[0]):]
	l.ticks = ticks{}
	return true
}

// linkedFile reads the target of a link: a relative path as it is, else the
// file's name, with the line it points to.
func linkedFile(target string) (string, bool) {
	target, fragment, _ := strings.Cut(target, "#")
	scheme, rest, found := strings.Cut(target, "://")
	switch {
	case found && (scheme == "file" || strings.HasPrefix(scheme, "vscode")):
		target = "/" + rest
	case strings.ContainsAny(target, ":?") || strings.HasPrefix(target, "//"):
		return "", false
	}
	if plain, err := url.PathUnescape(target); err == nil {
		target = plain
	}
	if strings.HasPrefix(target, "/") {
		target = path.Base(target)
	}
	if target == "" || target == "/" || target == "." {
		return "", false
	}
	if lines := strings.NewReplacer("L", "").Replace(fragment); lines != "" && strings.Trim(lines, "0123456789-") == "" {
		target += ":" + lines
	}
	return target, true
}
