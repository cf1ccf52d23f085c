package ingest

import (
	"github.com/sessionloom/sessionloom/extract/internal/content"
	"github.com/sessionloom/sessionloom/sources"
)

// Masker takes secrets out of texts. After an error nothing of a text may be kept.
type Masker interface {
	Session(s *sources.Session, counts map[string]int) error
	Text(s string) (string, error)
}

// Mask takes the secrets out of what was read and counts them by rule. Fields of
// one line are shortened afterwards, so that no cut hides a part of a secret.
func Mask(m Masker, s *sources.Session, counts map[string]int) error {
	defer content.Bound(s)
	return m.Session(s, counts)
}

// keepOnCalendar leaves out the times of a session that no page can show.
func keepOnCalendar(s *sources.Session) {
	s.Created, s.Updated = sources.OnCalendar(s.Created), sources.OnCalendar(s.Updated)
	for i := range s.Turns {
		t := &s.Turns[i]
		t.At, t.End = sources.OnCalendar(t.At), sources.OnCalendar(t.End)
	}
	for i := range s.Checkpoints {
		s.Checkpoints[i].At = sources.OnCalendar(s.Checkpoints[i].At)
	}
	for i := range s.Artifacts {
		s.Artifacts[i].At = sources.OnCalendar(s.Artifacts[i].At)
	}
	for i := range s.Todos {
		s.Todos[i].At = sources.OnCalendar(s.Todos[i].At)
	}
	for i := range s.Files {
		s.Files[i].At = sources.OnCalendar(s.Files[i].At)
	}
}
