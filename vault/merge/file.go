package merge

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/sessionloom/sessionloom/vault/note"
)

// FilePlan is what a file that is no note is to hold.
type FilePlan struct {
	Text    []byte
	Refused string // why nothing of ours gets in, in plain words; empty: all of it does
	Base    string // what of ours stands there
}

// NewFile is the text of a new file: ours behind a line with its hash.
func NewFile(ours string) []byte { return []byte(hashHeader(ours) + ours) }

// File brings what is new of ours into a file that holds a text already. base is
// ours as it was last written, empty where that is unknown. A file that its user changed
// is theirs.
func File(was []byte, ours, base string) FilePlan {
	plain := string(note.ToLF(bytes.TrimPrefix(was, note.ByteOrderMark)))
	mark, version, sum, theirs := cutHashHeader(plain)
	switch {
	case version > note.Version:
		return FilePlan{Text: was, Refused: "it was written by a newer version", Base: base}
	case theirs == ours, base == ours, note.Hash([]byte(ours)) == sum: // nothing is new
		return FilePlan{Text: was, Base: ours}
	case (base == "" || theirs != base) && note.Hash([]byte(theirs)) != sum:
		return FilePlan{Text: was, Refused: "it was edited: delete it and restore it to have what is new", Base: base}
	case mark != "":
		mark = hashHeader(ours)
	}
	return FilePlan{Text: spelledLike(was, mark+ours), Base: ours}
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
