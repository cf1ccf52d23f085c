package vault

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/aymanbagabas/go-udiff"
)

// settled is what a region is to say.
type settled struct {
	text string
	// base is what the begin line gets the hash of, and what the next merge
	// starts from; nil: both stay as they are.
	base    *string
	merged  bool    // something of ours got in beside edits of the user
	unbased bool    // refused as a whole, for nobody knows what it was made from
	refused []clash // what of ours was not taken
	wanted  string  // text, had nothing been refused
}

// settle decides what a region says: ours where the user left alone what we
// rendered last (known by its hash) or wrote the same; else both together, as
// far as it is known what theirs was made from. It is the only place where this
// is decided. A region that was emptied is to be empty.
func (r *region) settle(base *string, ours string) settled {
	switch {
	case r.text == ours || r.untouched():
		return settled{text: ours, base: &ours, wanted: ours}
	case textHash([]byte(ours)) == r.begin.sum: // there is nothing new from us
		return settled{text: r.text, base: &ours, wanted: r.text}
	}
	if empty := frame(""); r.begin.sum == textHash([]byte(empty)) {
		base = &empty
	} else if strings.TrimSpace(r.text) == "" {
		return settled{text: r.text, wanted: r.text}
	}
	if base = r.base(base, ours); base == nil {
		return settled{text: r.text, unbased: true, refused: []clash{{theirs: r.text, ours: ours}}, wanted: ours}
	}
	m := merge3(*base, r.text, ours)
	return settled{text: m.text, base: &m.base, merged: m.text != r.text, refused: m.refused, wanted: m.wanted}
}

// base is the text with the hash in the begin line, nil where nobody knows it:
// the one remembered, or, where a run was interrupted before it remembered, the
// one that its merge must have made of it.
func (r *region) base(known *string, ours string) *string {
	if known == nil || textHash([]byte(*known)) == r.begin.sum {
		return known
	}
	return baseTaken(*known, r.text, ours, r.begin.sum)
}

// Bounds of what baseTaken tries: changes in doubt, and bytes in all.
const (
	maxDoubts = 12
	maxTrials = 64 << 20
)

// baseTaken finds the base with a hash that a merge made of an older one, when
// theirs is what came of that merge: the old base with our changes that were
// taken. Those where theirs says something else may have been refused: each is
// tried as taken and as not.
func baseTaken(old, theirs, ours, sum string) *string {
	m, _ := mergeOnce(old, theirs, ours, false)
	var edits, doubts []udiff.Edit
	for _, e := range lineEdits(old, ours) {
		if slices.ContainsFunc(m.refused, func(c clash) bool { return c.at <= e.Start && e.End <= c.at+len(c.base) }) {
			doubts = append(doubts, e)
		} else {
			edits = append(edits, e)
		}
	}
	if len(doubts) > maxDoubts || len(ours)<<len(doubts) > maxTrials {
		return nil
	}
	for taken := range 1 << len(doubts) {
		tried := slices.Clone(edits)
		for i, e := range doubts {
			if taken&(1<<i) != 0 {
				tried = append(tried, e)
			}
		}
		slices.SortStableFunc(tried, func(a, b udiff.Edit) int { return cmp.Or(a.Start-b.Start, a.End-b.End) })
		if base := apply(old, 0, len(old), tried); textHash([]byte(base)) == sum {
			return &base
		}
	}
	return nil
}

// renewal are the edits that make a region of a note say another text. Of a
// region the user changed only the lines that differ are touched: the others
// keep their line ends.
func (r *region) renewal(raw []byte, name, text string, base *string) []edit {
	same := base == nil || textHash([]byte(*base)) == r.begin.sum
	if text == r.text && same {
		return nil
	}
	if r.untouched() {
		return []edit{{start: r.begin.start, end: r.end.start, text: string(appendOpened(nil, name, text))}}
	}
	var edits []edit
	if !same {
		edits = append(edits, edit{start: r.begin.start, end: r.begin.end, text: string(appendBegin(nil, name, *base))})
	}
	at := rawOffsets{raw: raw, at: r.begin.end}
	for _, e := range lineEdits(r.text, text) {
		edits = append(edits, edit{start: at.of(e.Start), end: at.of(e.End), text: e.New})
	}
	return edits
}

// rawOffsets finds in a raw text the starts of lines known by their offset in
// its form with LF line ends. They are asked for in order.
type rawOffsets struct {
	raw    []byte
	at, lf int
}

func (o *rawOffsets) of(lf int) int {
	for o.lf < lf {
		next := nextLine(o.raw, o.at)
		o.lf += next - o.at
		if bytes.HasSuffix(o.raw[o.at:next], []byte("\r\n")) {
			o.lf--
		}
		o.at = next
	}
	return o.at
}
