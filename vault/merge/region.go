package merge

import (
	"bytes"
	"slices"
	"strings"

	"github.com/aymanbagabas/go-udiff"

	"github.com/sessionloom/sessionloom/vault/note"
)

type mergedRegion struct {
	text string
	// base is what the closing line gets the hash of, and what the next merge
	// starts from; nil: both stay as they are.
	base     *string
	merged   bool       // something of ours got in beside edits of the user
	unbased  bool       // refused as a whole, for nobody knows what it was made from
	rejected []conflict // what of ours was not taken
	unmerged string     // text, had nothing been refused
}

// mergeRegion alone decides what a region says: ours where the user left our last render alone or
// wrote the same, else both together as far as their base is known. An emptied region stays empty.
// Boxes of ours keep the marks that their user gave them; those of ticks get theirs.
func mergeRegion(r *note.Region, base *string, ours string, ticks note.Ticks) mergedRegion {
	marks := note.TicksIn(r.Text)
	m := mergeUnticked(marks.Open().Set(r.Text), r.End.Sum, base, ours)
	if len(ticks) > 0 && marks == nil {
		marks = note.Ticks{}
	}
	for id, tick := range ticks {
		if was, known := marks[id]; !known || was.IsOpen() {
			marks[id] = tick
		}
	}
	m.text, m.unmerged = marks.Set(m.text), marks.Set(m.unmerged)
	return m
}

// mergeUnticked merges texts in which none of our boxes is ticked.
func mergeUnticked(theirs, sum string, base *string, ours string) mergedRegion {
	switch {
	case theirs == ours || note.Hash([]byte(theirs)) == sum:
		return mergedRegion{text: ours, base: &ours, unmerged: ours}
	case note.Hash([]byte(ours)) == sum: // there is nothing new from us
		return mergedRegion{text: theirs, base: &ours, unmerged: theirs}
	}
	if empty := note.PadRegion(""); sum == note.Hash([]byte(empty)) {
		base = &empty
	} else if strings.TrimSpace(theirs) == "" {
		return mergedRegion{text: theirs, unmerged: theirs}
	}
	if base != nil && note.Hash([]byte(*base)) != sum {
		// A run was interrupted before it remembered the base that its merge made of this one.
		base = baseTaken(*base, theirs, ours, sum)
	}
	if base == nil {
		return mergedRegion{text: theirs, unbased: true, rejected: []conflict{{theirs: theirs, ours: ours}}, unmerged: ours}
	}
	m := threeWay(*base, theirs, ours)
	return mergedRegion{text: m.text, base: &m.base, merged: m.text != theirs, rejected: m.rejected, unmerged: m.unmerged}
}

// Bounds of what baseTaken tries: changes in doubt, and bytes in all.
const (
	maxDoubts = 12
	maxTrials = 64 << 20
)

// baseTaken finds the base with a hash that an unremembered merge made of an older one: the old base
// with our changes that were taken. Those in doubt are tried both ways.
func baseTaken(old, theirs, ours, sum string) *string {
	m := mergeOnce(old, theirs, ours)
	var edits, doubts []udiff.Edit
	for _, e := range diffLines(old, ours) {
		if slices.ContainsFunc(m.rejected, func(c conflict) bool { return c.at <= e.Start && e.End <= c.at+len(c.base) }) {
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
		slices.SortStableFunc(tried, byPlace)
		if base := apply(old, 0, len(old), tried); note.Hash([]byte(base)) == sum {
			return &base
		}
	}
	return nil
}

// regionEdits makes a region say another text. In an edited one only lines that differ change.
func regionEdits(r *note.Region, raw []byte, name, text string, base *string) []note.Edit {
	same := base == nil || note.Hash([]byte(*base)) == r.End.Sum
	if text == r.Text && same {
		return nil
	}
	if r.Untouched() {
		sum := note.Hash([]byte(text))
		if base != nil {
			sum = note.Hash([]byte(*base))
		}
		return []note.Edit{{Start: r.Begin.End, End: r.End.End, Text: text + note.Closing(name, sum)}}
	}
	edits := rawEdits(raw, r.Begin.End, r.Text, text)
	if !same {
		edits = append(edits, note.Edit{Start: r.End.Start, End: r.End.End, Text: note.Closing(name, note.Hash([]byte(*base)))})
	}
	return edits
}

// rawEdits returns the edits that turn a raw text, from an offset on, into another.
func rawEdits(raw []byte, start int, from, to string) (edits []note.Edit) {
	at := rawOffsets{raw: raw, at: start}
	for _, e := range diffLines(from, to) {
		edits = append(edits, note.Edit{Start: at.of(e.Start), End: at.of(e.End), Text: e.New})
	}
	return edits
}

// rawOffsets finds line starts of a text with LF line ends in its raw form, in order.
type rawOffsets struct {
	raw    []byte
	at, lf int
}

func (o *rawOffsets) of(lf int) int {
	for o.lf < lf {
		next := note.NextLine(o.raw, o.at)
		o.lf += next - o.at
		if bytes.HasSuffix(o.raw[o.at:next], []byte("\r\n")) {
			o.lf--
		}
		o.at = next
	}
	return o.at
}

// rejections has a hash for what was refused of each region, and of the properties.
type rejections []string

func (r *rejections) add(parts ...string) {
	*r = append(*r, note.Hash([]byte(strings.Join(parts, "\x00"))))
}

// addConflicts hashes what we changed alone: how far a conflict reaches depends on the user.
func (r *rejections) addConflicts(region string, conflicts []conflict) {
	if len(conflicts) == 0 {
		return
	}
	parts := []string{region}
	for _, c := range conflicts {
		for _, e := range diffLines(c.base, c.ours) {
			parts = append(parts, c.base[e.Start:e.End], e.New)
		}
	}
	r.add(parts...)
}

func (r *rejections) addProps(keys []string, ours []note.Property) {
	parts := []string{"properties"}
	for _, p := range ours {
		if slices.Contains(keys, p.Key) {
			parts = append(append(parts, p.Key), note.Entries(p.Key, p.Value)...)
		}
	}
	r.add(parts...)
}
