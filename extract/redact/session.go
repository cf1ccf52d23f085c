package redact

import "github.com/sessionloom/sessionloom/sources"

// Session masks every text of s in place and counts the secrets by rule; counts
// may be nil. Ids of sessions and turns are masked by who keeps them, words of our
// own are no text. After an error nothing of s may be kept.
func (m *Masker) Session(s *sources.Session, counts map[string]int) (err error) {
	mask := func(text *string, offsets []int) {
		if err == nil && *text != "" {
			*text, err = m.mask(*text, offsets, counts)
		}
	}
	s.Texts(func(kind string, text *string) {
		if kind != sources.Answer {
			mask(text, nil)
		}
	})
	for i := range s.Turns { // the places of calls move with the answer
		t := &s.Turns[i]
		offsets := make([]int, len(t.Tools))
		for i := range t.Tools {
			offsets[i] = t.Tools[i].After
		}
		mask(&t.Assistant, offsets)
		for i := range t.Tools {
			t.Tools[i].After = offsets[i]
		}
	}
	return err
}
