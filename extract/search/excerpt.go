package search

import (
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
)

// Excerpt is the place in a session that answers a question: a line of text with the searched words.
type Excerpt struct {
	Field Field  `json:"field"`
	Text  string `json:"text"`
	Marks []Mark `json:"marks,omitempty"`
	Turn  int    `json:"turn"` // index, or -1
	Name  string `json:"name,omitempty"`

	written float64 // share of the terms found as typed
}

// Mark is a searched word: bytes of the text.
type Mark struct{ From, To int }

// tells returns the weight of an excerpt for its session: the weight of its field, and of words found as
// typed.
func (e Excerpt) tells() float64 {
	const other, most = 0.5, 16 // how much other forms of a word count; limit of a field's weight
	return (other + (1-other)*e.written) * (1 + weights[e.Field]/most)
}

// InSession returns the place in a session that answers a question; ok is false if there is none.
func (q Query) InSession(s *sources.Session) (e Excerpt, ok bool) {
	all := passages(s)
	if slices.Contains(q.in, Decision) {
		all = append(all, decided(s)...)
	}
	return q.best(all)
}

// InText is the same for the text of a note.
func (q Query) InText(title, text string) (e Excerpt, ok bool) {
	return q.best(textPassages(title, text))
}

// best returns the passage with most of the terms, then the one in the weightier field, then the first. ok is
// false without a match.
func (q Query) best(all []passage) (e Excerpt, ok bool) {
	most, weight := 0, 0.0
	for _, p := range all {
		if !q.asks(p.field) {
			continue
		}
		marks, terms, written := q.find(p)
		w := weights[p.field]
		if p.field == Decision {
			w = weights[Prompt]
		}
		if terms > most || terms == most && terms > 0 && w > weight {
			most, weight, ok = terms, w, true
			e = cut(p.text, marks)
			e.Field, e.Turn, e.Name, e.written = p.field, p.turn, p.name, float64(written)/float64(len(q.all))
		}
	}
	return e, ok
}

func (q Query) asks(f Field) bool {
	if len(q.in) > 0 {
		return slices.Contains(q.in, f)
	}
	if f == Branch || f == Agent {
		return slices.ContainsFunc(q.all, func(c choice) bool {
			return slices.ContainsFunc(c, func(t term) bool { return slices.Contains(t.in, f) })
		})
	}
	return f != Decision
}

// find returns where the terms of a query are in a passage, in order, how many are found, and how many as
// typed.
func (q Query) find(p passage) (marks []Mark, terms, written int) {
	words := wordsOf(p.text)
	for _, c := range q.all {
		found, same := false, false
		for _, t := range c {
			if len(t.in) > 0 && !slices.Contains(t.in, p.field) {
				continue
			}
			some := t.inWords(words)
			if len(some) == 0 && q.asksNames(t) {
				some = t.inName(p.text)
			}
			found = found || len(some) > 0
			same = same || len(some) > 0 && t.isWritten(p.text, some)
			marks = append(marks, some...)
		}
		if found {
			terms++
		}
		if same {
			written++
		}
	}
	slices.SortFunc(marks, func(a, b Mark) int { return a.From - b.From })
	return marks, terms, written
}

func (t term) isWritten(text string, places []Mark) bool {
	return t.prefix || slices.ContainsFunc(places, func(m Mark) bool { return strings.EqualFold(text[m.From:m.To], t.raw) })
}

// inWords returns where the words of a term follow each other.
func (t term) inWords(words []word) (marks []Mark) {
	n := len(t.words)
	for i := 0; i+n <= len(words); i++ {
		fits := true
		for k := 0; k < n && fits; k++ {
			have, want := words[i+k].text, t.words[k]
			fits = have == want || t.prefix && k == n-1 && strings.HasPrefix(have, want) || !t.exact && !t.prefix && alike(have, want)
		}
		if fits {
			marks = append(marks, Mark{words[i].from, words[i+n-1].to})
		}
	}
	return marks
}

// inName returns where a term is within a name.
func (t term) inName(text string) (marks []Mark) {
	low, raw := strings.ToLower(text), strings.ToLower(t.raw)
	if len(low) != len(text) { // a letter became longer, so the offset is unknown
		return nil
	}
	for at := 0; ; {
		i := strings.Index(low[at:], raw)
		if i < 0 {
			return marks
		}
		marks = append(marks, Mark{at + i, at + i + len(raw)})
		at += i + len(raw)
	}
}

// Limits of an excerpt in bytes.
const (
	excerptSize  = 200
	excerptAhead = 60 // before the first searched word
)

// cut returns the part of a text with most marks, cut between words.
func cut(text string, marks []Mark) (e Excerpt) {
	first, most := 0, 0
	for i, m := range marks {
		n := 0
		for _, o := range marks[i:] {
			if o.To <= m.From-excerptAhead+excerptSize {
				n++
			}
		}
		if n > most {
			first, most = i, n
		}
	}
	from, to := 0, len(text)
	if len(text) > excerptSize && len(marks) > 0 {
		from = blankBefore(text, max(0, marks[first].From-excerptAhead))
		to = blankBefore(text, min(len(text), from+excerptSize))
		if to <= marks[first].To {
			to = min(len(text), marks[first].To)
		}
	} else if len(text) > excerptSize {
		to = blankBefore(text, excerptSize)
	}
	var b strings.Builder
	if from > 0 {
		b.WriteString("… ")
	}
	at, blank := from, true
	write := func(s string) {
		for _, r := range s {
			if r == '\n' || r == '\r' || r == '\t' || r == ' ' {
				if !blank {
					b.WriteByte(' ')
				}
				blank = true
				continue
			}
			b.WriteRune(r)
			blank = false
		}
	}
	for _, m := range marks {
		if m.From < at || m.To > to {
			continue
		}
		write(text[at:m.From])
		mark := Mark{From: b.Len()}
		write(text[m.From:m.To])
		mark.To = b.Len()
		e.Marks = append(e.Marks, mark)
		at = m.To
	}
	write(text[at:to])
	e.Text = strings.TrimRight(b.String(), " ")
	if to < len(text) {
		e.Text += " …"
	}
	return e
}

// blankBefore returns the index after the last blank before at, or at itself if none is near.
func blankBefore(text string, at int) int {
	if at == 0 || at == len(text) {
		return at
	}
	const near = 24
	if i := strings.LastIndexAny(text[max(0, at-near):at], " \n\t"); i >= 0 {
		return max(0, at-near) + i + 1
	}
	for at > 0 && text[at]&0xc0 == 0x80 { // not within a letter
		at--
	}
	return at
}
