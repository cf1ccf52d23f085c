package merge

import (
	"bytes"
	"path"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/sessionloom/sessionloom/vault/note"
)

// FilePlan is what a file that is no note is to hold.
type FilePlan struct {
	Text     []byte
	Rejected string // why nothing of ours gets in, in plain words; empty: all of it does
	Merged   bool   // its user changed it, too
	Base     string // what the next merge starts from
}

// NewFile is the text of a new file: ours behind a line with its hash.
func NewFile(ours string) []byte { return []byte(hashHeader(ours) + ours) }

// File brings what is new of ours into a file that holds a text already. base is
// ours as it was last written, empty where that is unknown.
func File(path string, was []byte, ours, base string) FilePlan {
	plain := string(note.ToLF(bytes.TrimPrefix(was, note.ByteOrderMark)))
	mark, version, sum, theirs := cutHashHeader(plain)
	known := base
	if known == "" && note.Hash([]byte(theirs)) == sum {
		known = theirs
	}
	keep := func(reason string) FilePlan { return FilePlan{Text: was, Rejected: reason, Base: base} }
	switch {
	case version > note.Version:
		return keep("it was written by a newer version")
	case theirs == ours:
		known = ours // nothing can conflict
	case known == "":
		return keep("it is not as it was written, and what was written is not known")
	case !WellFormed(path, theirs):
		return keep("it cannot be read")
	}
	m := threeWay(known, theirs, ours)
	if len(m.rejected) > 0 {
		return keep("edited where there is something new")
	}
	if !WellFormed(path, m.text) {
		return keep("edited in a way that cannot be joined with what is new")
	}
	if mark != "" {
		mark = hashHeader(ours)
	}
	if mark+m.text == plain {
		return FilePlan{Text: was, Base: ours}
	}
	return FilePlan{Text: renewed(was, plain, mark+m.text), Merged: theirs != known, Base: ours}
}

const hashHeaderStart = "# sessionloom:file v="

// hashHeader is the first line of a file that is kept up to date.
func hashHeader(text string) string {
	return hashHeaderStart + strconv.Itoa(note.Version) + " sha256=" + note.Hash([]byte(text)) + "\n"
}

// HashHeader is the hash in the first line of ours of a file that is kept up to date,
// empty where there is none.
func HashHeader(text []byte) string {
	_, _, sum, _ := cutHashHeader(string(note.ToLF(bytes.TrimPrefix(text, note.ByteOrderMark))))
	return sum
}

// cutHashHeader takes the first line of ours off a text. One that nobody could have
// written is left in, as any comment of the user's.
func cutHashHeader(text string) (line string, version int, sum, rest string) {
	line, rest, _ = strings.Cut(text, "\n")
	fields, ok := strings.CutPrefix(line, hashHeaderStart)
	number, sum, found := strings.Cut(fields, " sha256=")
	version, err := strconv.Atoi(number)
	if !ok || !found || err != nil {
		return "", 0, "", text
	}
	return line + "\n", version, strings.TrimSpace(sum), rest
}

// renewed makes a file say another text than its plain one. Lines that stay keep
// their line ends, others get those of the first.
func renewed(was []byte, plain, text string) []byte {
	at := len(was) - len(bytes.TrimPrefix(was, note.ByteOrderMark))
	return note.Splice(was, note.LineEnd(was), rawEdits(was, at, plain, text))
}

// WellFormed tells whether a file can be read by Obsidian: that of a base as YAML
// with one view of a name.
func WellFormed(p, text string) bool {
	if path.Ext(p) != ".base" {
		return true
	}
	var base struct {
		Views []struct {
			Name string `yaml:"name"`
		} `yaml:"views"`
	}
	var whole map[string]any
	if yaml.Unmarshal([]byte(text), &whole) != nil || yaml.Unmarshal([]byte(text), &base) != nil {
		return false
	}
	names := map[string]bool{}
	for _, view := range base.Views {
		if names[view.Name] {
			return false
		}
		names[view.Name] = true
	}
	return true
}
