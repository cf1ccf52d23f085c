package words

import (
	"crypto/sha256"
	"encoding/hex"
	"path/filepath"
	"regexp"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/sessionloom/sessionloom/sources"
)

// codes are what a terminal takes for colours, cursor moves and titles.
var codes = regexp.MustCompile("(?:\x1b\\[|\u009b)[0-?]*[ -/]*[@-~]?|\x1b[]PX^_][^\x07\x1b\n]*(?:\x07|\x1b\\\\)|\x1b[ -/]*[0-~]?")

// OneLine gives text as one line of at most limit bytes, cut between words where
// there are any: half a word may be half a secret, which nobody finds. What a
// terminal hides goes without a trace, so that it does not make two words of one.
func OneLine(text string, limit int) string {
	text = text[:min(len(text), 16*limit)]
	if strings.ContainsAny(text, "\x1b\u009b") {
		text = codes.ReplaceAllString(text, "")
	}
	text = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' && r != '\r' && r != '\t' || r == 0x2028 || r == 0x2029 {
			return -1
		}
		return r
	}, text)
	words := strings.FieldsFunc(text, func(r rune) bool { return unicode.IsSpace(r) || r == utf8.RuneError })
	line := strings.Join(words, " ")
	if len(line) <= limit {
		return line
	}
	const more = "…"
	cut := limit - len(more)
	if i := strings.LastIndexByte(line[:cut+1], ' '); i > 0 {
		return line[:i] + more
	}
	for !utf8.RuneStart(line[cut]) {
		cut--
	}
	return line[:cut] + more
}

// PatchFile is a file that a patch names, with what is done to it: one of the kinds
// of file touches.
type PatchFile struct{ Path, Kind string }

// PatchFiles reads the file headers of a patch, at most limit of them; a negative
// limit means all. A move gives
// the old path as deleted and the new one as renamed. Text that is no patch
// names none.
func PatchFiles(text string, limit int) []PatchFile {
	var out []PatchFile
	for line := range strings.Lines(text) {
		header, ok := strings.CutPrefix(strings.TrimRight(line, " \t\r\n"), "*** ")
		if !ok || len(out) == limit {
			continue
		}
		verb, path, _ := strings.Cut(header, ": ")
		if path = strings.TrimSpace(path); path == "" {
			continue
		}
		switch verb {
		case "Add File":
			out = append(out, PatchFile{path, sources.Created})
		case "Update File":
			out = append(out, PatchFile{path, sources.Edited})
		case "Delete File":
			out = append(out, PatchFile{path, sources.Deleted})
		case "Move to":
			if n := len(out); n > 0 && out[n-1].Kind == sources.Edited {
				out[n-1].Kind = sources.Deleted
			}
			out = append(out, PatchFile{path, sources.Renamed})
		}
	}
	return out
}

// PathTag names a path in keys without telling an absolute one: relative to the
// user's home folder where it lies below it, the same on every machine, else by
// a name and a hash.
func PathTag(path, home, name string) string {
	if home != "" {
		if rel, err := filepath.Rel(home, path); err == nil && filepath.IsLocal(rel) {
			return "~/" + filepath.ToSlash(rel)
		}
	}
	sum := sha256.Sum256([]byte(filepath.ToSlash(path)))
	return name + "-" + hex.EncodeToString(sum[:4])
}

// layouts are in UTC where no zone is given (formats/copilot-cli.md, section 1).
var layouts = [...]string{time.RFC3339Nano, "2006-01-02 15:04:05.999999999", "2006-01-02T15:04:05.999999999"}

// Time gives the zero time for what is none, and for a year that no calendar of
// a note has, where an offset may lead.
func Time(s string) time.Time {
	for _, layout := range layouts {
		if t, err := time.Parse(layout, strings.TrimSpace(s)); err == nil {
			return sources.OnCalendar(t)
		}
	}
	return time.Time{}
}

// SetUpdated dates a session by its newest turn, checkpoint or todo, where nothing
// better is known.
func SetUpdated(s *sources.Session) {
	if !s.Updated.IsZero() {
		return
	}
	newer := func(t time.Time) {
		if t.After(s.Updated) {
			s.Updated = t
		}
	}
	for _, t := range s.Turns {
		newer(t.At)
		newer(t.End)
	}
	for _, c := range s.Checkpoints {
		newer(c.At)
	}
	for _, t := range s.Todos {
		newer(t.At)
	}
}
