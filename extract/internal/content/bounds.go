package content

import (
	"strings"

	"github.com/sessionloom/sessionloom/extract/internal/texts"
	"github.com/sessionloom/sessionloom/extract/redact"
	"github.com/sessionloom/sessionloom/sources"
)

// maxLine is the most that is kept of a text of one line (a title, name, path or
// label), in bytes. What was said has no such bound.
const maxLine = 1000

// Bound shortens the fields of one line in what was read of a session. Those by
// which something is known end in a digest then, so that two stay two.
func Bound(s *sources.Session) {
	s.Texts(func(kind string, text *string) {
		switch {
		case len(*text) <= maxLine:
		case kind == sources.Line:
			*text = texts.Cut(*text, maxLine)
		case kind == sources.Name:
			*text = strings.TrimSpace(texts.CutRunes(*text, maxLine-32)) + "…" + texts.Digest(redact.Number(*text)[0], 16)
		}
	})
}
