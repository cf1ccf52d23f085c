package sidecars

import (
	"encoding/base64"
	"path"
	"reflect"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/decode"
	"github.com/sessionloom/sessionloom/sources/pattern"
	"github.com/sessionloom/sessionloom/sources/vscode/internal/chat"
)

// MaxMemory bounds a file of the memory tool, in bytes.
const MaxMemory = 1 << 20

// otherID is an id that is no UUID, such as "chat-3". A shorter one may be a word
// that happens to decode.
var otherID = pattern.Lazy(`^[A-Za-z0-9][A-Za-z0-9._:-]{5,127}$`)

// Segment decodes the name of a folder of the memory tool to the id of a session:
// standard or URL base64, padded or not, or a plain UUID. UUIDs are given in
// lower case. What does not decode is memory of the repository.
func Segment(name string) (id string, ok bool) {
	if id = sources.FoldUUID(name); sources.IsUUID(id) {
		return id, true
	}
	text := strings.TrimRight(name, "=_") // the padding is written as _, as all that is odd in a file name
	for _, code := range []*base64.Encoding{base64.RawURLEncoding, base64.RawStdEncoding} {
		raw, err := code.DecodeString(text)
		if err == nil && otherID().Match(raw) {
			return sources.FoldUUID(string(raw)), true
		}
	}
	return "", false
}

// Memory completes a file of the memory tool, which may have any name: a plan.md is a
// plan, all else memory, in markdown.
func Memory(a *sources.Artifact) {
	if strings.EqualFold(path.Base(a.Name), "plan.md") {
		a.Kind = sources.Plan
	} else if a.Left == "" {
		a.Text = readable(a.Text, path.Ext(a.Name))
	}
}

// memoryEntry is what the memory tool writes.
type memoryEntry struct {
	Subject   string `json:"subject"`
	Fact      string `json:"fact"`
	Citations struct {
		One string   `as:"text"`
		All []string `as:"list"`
	} `json:"citations"`
	Reason   string `json:"reason"`
	Category string `json:"category"`
	other    bool   // it has further members
}

// ReadJSON implements decode.Reader.
func (e *memoryEntry) ReadJSON(d *decode.Decoder) (fits bool, err error) {
	type object memoryEntry
	return true, d.Members(func(name string) error {
		e.other = e.other || decode.MemberType(reflect.TypeFor[object](), name) == nil
		return d.Member((*object)(e), name)
	})
}

// readable makes markdown of a memory: entries as the memory tool writes them
// become paragraphs, other JSON a block of code, the rest is markdown already.
func readable(text, ext string) string {
	trimmed := strings.TrimSpace(text)
	if !strings.HasPrefix(trimmed, "{") && !strings.HasPrefix(trimmed, "[") {
		return text
	}
	if entries, ok := entriesOf(trimmed); ok {
		var out []string
		for _, e := range entries {
			out = append(out, e.markdown())
		}
		return strings.Join(out, "\n\n") + "\n"
	}
	switch strings.ToLower(ext) {
	case ".json", ".jsonl":
		fence := strings.Repeat("`", max(3, chat.Backticks(trimmed)+1))
		return fence + "json\n" + trimmed + "\n" + fence + "\n"
	}
	return text
}

// entriesOf reads entries, one or several, in an array or one after the other. ok
// is false for anything else, and where not all of it would be shown.
func entriesOf(text string) (all []memoryEntry, ok bool) {
	d := decode.New(strings.NewReader(text))
	for kind := d.PeekKind(); kind != 0; kind = d.PeekKind() {
		list := make([]memoryEntry, 1)
		var err error
		if kind == '[' {
			err = d.Read(&list)
		} else {
			err = d.Read(&list[0])
		}
		if err != nil {
			return nil, false
		}
		all = append(all, list...)
	}
	other := slices.ContainsFunc(all, func(e memoryEntry) bool { return e.other || e.Fact == "" })
	return all, len(all) > 0 && !other && len(d.Misfits) == 0 && d.AtEnd()
}

// markdown writes an entry: its subject, the fact, and what else is told of it.
func (e *memoryEntry) markdown() string {
	var b strings.Builder
	if subject := strings.Join(strings.Fields(e.Subject), " "); subject != "" {
		b.WriteString("**" + subject + "**\n\n")
	}
	b.WriteString(strings.TrimSpace(e.Fact))
	lead := "\n\n"
	for _, more := range [][2]string{
		{"citations", e.Citations.One + strings.Join(e.Citations.All, ", ")},
		{"reason", e.Reason},
		{"category", e.Category},
	} {
		if text := strings.Join(strings.Fields(more[1]), " "); text != "" {
			b.WriteString(lead + "- " + more[0] + ": " + text)
			lead = "\n"
		}
	}
	return b.String()
}
