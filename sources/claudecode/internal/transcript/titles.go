package transcript

import (
	"cmp"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
)

// titles are what a transcript calls the session, and others.
type titles struct {
	custom, model string
	leaves        []string          // lines of other transcripts, in order
	of            map[string]string // titles of the sessions that hold them
}

// leaf takes in the title of the session that holds a line, almost never this one.
func (t *titles) leaf(uuid, title string) {
	if title = strings.TrimSpace(title); uuid == "" || title == "" {
		return
	}
	if t.of[uuid] == "" {
		t.leaves = append(t.leaves, uuid)
	}
	t.of[uuid] = title
}

// name gives the title of the session.
func (t *titles) name(s *sources.Session) {
	custom, model := strings.TrimSpace(t.custom), strings.TrimSpace(t.model)
	if s.Title = cmp.Or(custom, model); custom != "" {
		s.TitleFrom = sources.TrustUser
	} else if model != "" {
		s.TitleFrom = sources.TrustNamed
	}
}
