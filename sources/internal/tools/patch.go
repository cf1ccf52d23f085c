package tools

import (
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/decode"
)

// Patch is a patch, of which the files it names are kept, or another text, of which the
// beginning is.
type Patch struct {
	Files []File
	Text  string
}

// ReadJSON implements decode.Reader.
func (p *Patch) ReadJSON(d *decode.Decoder) (fits bool, err error) {
	if d.PeekKind() != '"' {
		return false, d.SkipValue()
	}
	var text string
	err = d.Read(&text)
	*p = patchOf(text)
	return true, err
}

// File is a file, with what is done to it: one of the kinds of file touches.
type File struct{ Path, Kind string }

// Sizes of what is kept of a patch.
const (
	maxFiles = 200
	maxText  = 2 << 10 // bytes
)

// PatchFiles are the files that a patch names, none of what is no patch.
func PatchFiles(text string) []File { return patchOf(text).Files }

// patchOf reads the file headers of a patch. A move gives the old path as deleted and the new
// one as renamed. Text that is no patch names none.
func patchOf(text string) Patch {
	var out []File
	for line := range strings.Lines(text) {
		header, ok := strings.CutPrefix(strings.TrimRight(line, " \t\r\n"), "*** ")
		if !ok || len(out) >= maxFiles {
			continue
		}
		verb, path, _ := strings.Cut(header, ": ")
		if path = decode.Cut(strings.TrimSpace(path), maxText); path == "" {
			continue
		}
		switch verb {
		case "Add File":
			out = append(out, File{path, sources.Created})
		case "Update File":
			out = append(out, File{path, sources.Edited})
		case "Delete File":
			out = append(out, File{path, sources.Deleted})
		case "Move to":
			if n := len(out); n > 0 && out[n-1].Kind == sources.Edited {
				out[n-1].Kind = sources.Deleted
			}
			out = append(out, File{path, sources.Renamed})
		}
	}
	if len(out) > 0 {
		return Patch{Files: out}
	}
	return Patch{Text: decode.Cut(text, maxText)}
}
