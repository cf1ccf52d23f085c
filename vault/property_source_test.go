package vault

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"
)

// source is what our text is rendered from. Every line of it is distinguished from every
// other one by its number, and no line ever changes its place, so that whoever
// looks at a note knows what became of it without comparing texts.
type source struct {
	r     *rand.Rand
	loose bool // blank lines stand between the others
	next  int
	body  fixture
	nav   fixture
	props map[string]any // of ours; a missing key is not written
}

// fixture is a text that grows: numbers of lines, with a rank that tells the order
// of all lines that ever were.
type fixture struct {
	lines []int
	rank  map[int]float64
}

func newSource(r *rand.Rand, loose bool) *source {
	return &source{r: r, loose: loose, body: fixture{rank: map[int]float64{}}, nav: fixture{rank: map[int]float64{}},
		props: map[string]any{"title": "Title 0", "turn_count": 1, "files": []string{"f0.go"}, "tags": []string{"agents/session"},
			"aliases": []string{"Title 0"}, "updated": time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)}}
}

func (s *source) grow() string {
	text := &s.body
	if s.r.IntN(4) == 0 {
		text = &s.nav
	}
	switch n := s.r.IntN(10); {
	case n < 4:
		return "ours: more" + s.insert(text, len(text.lines), 1+s.r.IntN(3))
	case n < 6:
		return "ours: inserted" + s.insert(text, s.r.IntN(len(text.lines)+1), 1+s.r.IntN(2))
	case n < 7 && len(text.lines) > 1:
		at := s.r.IntN(len(text.lines))
		what := fmt.Sprintf("ours: without %d", text.lines[at])
		text.lines = slices.Delete(text.lines, at, at+1)
		return what
	case n < 8 && len(text.lines) > 0:
		at := s.r.IntN(len(text.lines))
		was := text.lines[at]
		text.lines = slices.Delete(text.lines, at, at+1)
		what := fmt.Sprintf("ours: %d becomes", was) + s.insert(text, at, 1)
		text.rank[s.next] = text.rank[was] // a line that the source gave up since may stand behind it
		return what
	}
	return s.growProps()
}

func (s *source) insert(text *fixture, at, n int) (what string) {
	for range n {
		lo, hi := 0.0, 0.0
		if at > 0 {
			lo = text.rank[text.lines[at-1]]
		}
		for _, rank := range text.rank { // behind what stood there once, too
			hi = max(hi, rank)
		}
		hi++
		if at < len(text.lines) {
			hi = text.rank[text.lines[at]]
		}
		s.next++
		text.rank[s.next] = lo + (hi-lo)*(0.4+0.2*s.r.Float64())
		text.lines = slices.Insert(text.lines, at, s.next)
		what += fmt.Sprintf(" %d", s.next)
		at++
	}
	return what
}

func (s *source) growProps() string {
	s.next++
	switch s.r.IntN(6) {
	case 0:
		s.props["title"] = fmt.Sprintf("Title %d", s.next)
		s.props["aliases"] = []string{s.props["title"].(string)}
	case 1:
		s.props["turn_count"] = s.next
	case 2:
		s.props["files"] = []string{fmt.Sprintf("f%d.go", s.next), "main.go"}
	case 3:
		s.props["tags"] = []string{"agents/session", fmt.Sprintf("agents/t%d", s.next%3)}
	case 4:
		s.props["branch"] = fmt.Sprintf("b%d", s.next)
		if s.next%2 == 0 {
			delete(s.props, "branch")
		}
	default:
		s.props["updated"] = time.Date(2026, 1, 2, 3, 4, s.next%60, 0, time.UTC)
	}
	return "ours: properties"
}

func (s *source) draft() Draft {
	d := Draft{ID: "session:1", Path: "projects/w/s.md", Props: []Property{{Key: "id", Value: "session:1"}}, Body: text(s.render(s.body)), Nav: text(s.render(s.nav))}
	for _, key := range []string{"title", "aliases", "tags", "updated", "turn_count", "branch", "files"} {
		if v, ok := s.props[key]; ok {
			d.Props = append(d.Props, Property{Key: key, Value: v})
		}
	}
	return d
}

func (s *source) render(text fixture) string {
	var b strings.Builder
	for _, n := range text.lines {
		fmt.Fprintf(&b, "ours %d\n", n)
		if s.loose {
			b.WriteString("\n")
		}
	}
	return b.String()
}
