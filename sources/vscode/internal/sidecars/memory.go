package sidecars

import (
	"encoding/base64"
	"path"
	"regexp"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/files"
)

// maxMemory bounds a file of the memory tool, in bytes.
const maxMemory = 1 << 20

// otherID is an id that is no UUID, such as "chat-3". A shorter one may be a word
// that happens to decode.
var otherID = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._:-]{5,127}$`)

// Segment decodes the name of a folder of the memory tool to the id of a session:
// standard or URL base64, padded or not, or a plain UUID. UUIDs are given in
// lower case. What does not decode is memory of the repository
// (formats/vscode-copilot-chat.md, sections 5.2 and 8).
func Segment(name string) (id string, ok bool) {
	if id = sources.FoldUUID(name); sources.IsUUID(id) {
		return id, true
	}
	// The padding is written as _, as all that is odd in a file name.
	for _, text := range []string{name, strings.TrimRight(name, "="), trimPadding(name)} {
		for _, code := range []*base64.Encoding{base64.RawURLEncoding, base64.RawStdEncoding} {
			raw, err := code.DecodeString(text)
			if err == nil && otherID.Match(raw) {
				return sources.FoldUUID(string(raw)), true
			}
		}
	}
	return "", false
}

func trimPadding(name string) string {
	for range 2 {
		name = strings.TrimSuffix(name, "_")
	}
	return name
}

// Memory reads a file of the memory tool, which may have any name: a plan.md is a
// plan, all else memory. name is its path within the folder, with slashes. What
// is larger than 1 MiB or no text is told by Left. The second result is the
// number of bytes read.
func Memory(file, name string) (sources.Artifact, int64, error) {
	a := sources.Artifact{Kind: sources.Memory, Name: strings.ToValidUTF8(name, "\ufffd")}
	if strings.EqualFold(path.Base(name), "plan.md") {
		a.Kind = sources.Plan
	}
	t, err := files.ReadText(file, maxMemory)
	if err != nil {
		return a, t.Read, err
	}
	a.Text, a.Size, a.Left = t.Body, t.Size, t.Left
	if a.Kind == sources.Memory && t.Left == "" {
		a.Text = readable(t.Body, path.Ext(name))
	}
	return a, t.Read, nil
}
