package content

import (
	"strings"

	"github.com/sessionloom/sessionloom/extract/internal/texts"
	"github.com/sessionloom/sessionloom/sources"
)

// maxShortCommand is the size in bytes of a command as it stands for its description.
const maxShortCommand = 200

// ShortCommands takes away the details of calls that are nothing but the command in one line, and
// gives what makes them anew: a secret is known by the lines around it, so the whole command is
// masked and shortened afterwards.
func ShortCommands(s *sources.Session) (again func()) {
	var short []*sources.Tool
	for i := range s.Turns {
		for k := range s.Turns[i].Tools {
			if t := &s.Turns[i].Tools[k]; t.Command != "" && IsShortCommand(t.Detail, t.Command) {
				t.Detail = ""
				short = append(short, t)
			}
		}
	}
	return func() {
		for _, t := range short {
			t.Detail = texts.CutWords(texts.OneLine(sources.Tilde(t.Command)), maxShortCommand)
		}
	}
}

// IsShortCommand tells a description that only repeats how its command begins.
func IsShortCommand(description, command string) bool {
	begin := strings.TrimSuffix(description, "…")
	return begin == "" || strings.HasPrefix(texts.OneLine(sources.Tilde(command)), begin)
}
