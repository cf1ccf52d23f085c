package merge

import (
	"bytes"
	"path"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/sessionloom/sessionloom/vault/note"
)

// FilePlan is the planned content of a file that is not a note.
type FilePlan struct {
	Text     []byte
	Rejected string // why nothing of ours gets in, in plain words; empty: all of it does
	Merged   bool   // its user changed it, too
	Base     string // what the next merge starts from
}

// NewFile is what a new file is to hold: ours behind a line with its hash.
func NewFile(path, ours string) FilePlan {
	return FilePlan{Text: []byte(headerOf(path).with(ours, ours)), Base: baseOf(path, ours)}
}

func baseOf(path, ours string) string {
	if isCanvas(path) {
		return ""
	}
	return ours
}

const fileVersion = 1

// File merges our new text into a file. base is ours as last written, empty if unknown. An
// edited canvas is its user's and stays.
func File(path string, was []byte, ours, base string) FilePlan {
	plain, header := plainFile(was), headerOf(path)
	version, sum, theirs := header.cut(plain)
	known := base
	if known == "" && note.Hash([]byte(theirs)) == sum {
		known = theirs
	}
	keep := func(reason string) FilePlan { return FilePlan{Text: was, Rejected: reason, Base: base} }
	switch {
	case version > fileVersion:
		return keep("it was written by a newer version")
	case theirs == ours:
		known = ours // nothing can conflict
	case known == "" && isCanvas(path):
		return FilePlan{Text: was}
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
	text := m.text
	if sum != "" {
		text = header.with(text, ours)
	}
	if text == plain {
		return FilePlan{Text: was, Base: baseOf(path, ours)}
	}
	return FilePlan{Text: renewed(was, plain, text), Merged: theirs != known, Base: baseOf(path, ours)}
}

// plainFile is a text without a byte order mark, with LF line ends.
func plainFile(text []byte) string {
	return string(note.ToLF(bytes.TrimPrefix(text, note.ByteOrderMark)))
}

func isCanvas(p string) bool { return path.Ext(p) == ".canvas" }

type header struct {
	start, end string
	instead    string // of this the line stands in the place
}

// headerOf is that of a kind of file. A canvas has it under a key that readers pass over.
func headerOf(path string) header {
	if isCanvas(path) {
		return header{`{"sessionloom":"v=`, `",`, "{\n"}
	}
	return header{start: "# sessionloom:file v="}
}

func (h header) with(text, ours string) string {
	line := h.start + strconv.Itoa(fileVersion) + " sha256=" + note.Hash([]byte(ours)) + h.end + "\n"
	return line + strings.TrimPrefix(text, h.instead)
}

// cut takes our line off a text; without one sum is empty.
func (h header) cut(text string) (version int, sum, rest string) {
	line, rest, _ := strings.Cut(text, "\n")
	fields, ok := strings.CutPrefix(line, h.start)
	fields, ends := strings.CutSuffix(fields, h.end)
	number, sum, found := strings.Cut(fields, " sha256=")
	version, err := strconv.Atoi(number)
	if sum = strings.TrimSpace(sum); !ok || !ends || !found || err != nil || sum == "" {
		return 0, "", text
	}
	return version, sum, h.instead + rest
}

// HashHeader is the hash in our first line of a file; empty: it has none.
func HashHeader(path string, text []byte) string {
	_, sum, _ := headerOf(path).cut(plainFile(text))
	return sum
}

// IsAsWritten reports whether a file that is kept up to date is as we wrote it.
func IsAsWritten(path string, text []byte) bool {
	_, sum, rest := headerOf(path).cut(plainFile(text))
	return sum != "" && sum == note.Hash([]byte(rest))
}

// renewed replaces the text of a file. Lines that stay keep their line ends.
func renewed(was []byte, plain, text string) []byte {
	at := len(was) - len(bytes.TrimPrefix(was, note.ByteOrderMark))
	return note.Splice(was, note.LineEnd(was), rawEdits(was, at, plain, text))
}

// WellFormed reports whether Obsidian can read a file: a base as YAML with unequal views.
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
