package content

import (
	"strings"

	"github.com/sessionloom/sessionloom/sources"
)

// FirstPrompt is the first thing a person said in a session: in a fork what is
// its own goes before what it has from its parent.
func FirstPrompt(turns []sources.Turn) (inherited string) {
	for _, t := range turns {
		switch {
		case strings.TrimSpace(t.User) == "":
		case !t.Inherited:
			return t.User
		case inherited == "":
			inherited = t.User
		}
	}
	return inherited
}

// PromptCount counts what the person typed: a turn may begin before the record.
func PromptCount(turns []sources.Turn) (n int) {
	for _, t := range turns {
		if strings.TrimSpace(t.User) != "" {
			n++
		}
	}
	return n
}
