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
