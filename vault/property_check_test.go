package vault

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/vault/note"
)

// check holds the note against what its user did and what its source says. It
// knows nothing of merging: a line of ours may be missing, or be left over,
// only where the user changed something between its neighbours.
func (l *life) check() error {
	s := l.text()
	if strings.HasPrefix(s, "\uFEFF") != l.user.bom {
		return fmt.Errorf("the byte order mark came or went")
	}
	n := note.Parse("", []byte(s))
	if n.Broken != "" {
		return fmt.Errorf("broken: %s", n.Broken)
	}
	lines := strings.SplitAfter(s, "\n")
	for line := range l.user.wrote {
		if c := count(lines, line); c != 1 {
			return fmt.Errorf("%q, written by the user, stands there %d times", line, c)
		}
	}
	doc := note.ParseDocument([]byte(s))
	if err := l.checkRegion("body", doc.Body, l.source.body); err != nil {
		return err
	}
	if doc.Nav != nil {
		if err := l.checkRegion("nav", doc.Nav, l.source.nav); err != nil {
			return err
		}
	}
	return l.checkProps(n, s)
}

func count(lines []string, line string) (n int) {
	for _, l := range lines {
		if l == line {
			n++
		}
	}
	return n
}

// standing is what is in a region, in order: numbers of ours, 0 for a line
// of the user.
func standing(text string) (out []int) {
	for line := range strings.Lines(text) {
		if n, ok := ourLine(line); ok {
			out = append(out, n)
		} else if strings.HasPrefix(line, "mine") {
			out = append(out, 0)
		}
	}
	return out
}

func (l *life) checkRegion(name string, r *note.Region, want fixture) error {
	have := standing(r.Text)
	rank, seen := math.Inf(-1), map[int]bool{}
	for _, n := range have {
		if n == 0 {
			continue
		}
		if seen[n] || l.user.cut[n] || want.rank[n] < rank {
			return fmt.Errorf("%s: line %d of ours is doubled, out of order, or back though the user took it out", name, n)
		}
		seen[n], rank = true, want.rank[n]
	}
	if l.lost || strings.TrimSpace(r.Text) == "" {
		return nil
	}
	for _, n := range want.lines {
		if !seen[n] && !l.user.cut[n] && !l.userChanged(have, want, n) {
			return fmt.Errorf("%s: line %d of ours has not arrived", name, n)
		}
		if !seen[n] && !l.user.cut[n] && l.last.RejectedHash == "" {
			return fmt.Errorf("%s: line %d of ours was refused without a word", name, n)
		}
	}
	for _, n := range have {
		if n != 0 && !slices.Contains(want.lines, n) && !l.userChanged(have, want, n) {
			return fmt.Errorf("%s: line %d is left over", name, n)
		}
	}
	return nil
}

// userChanged reports whether the user changed something between the nearest lines of
// ours before and after line n that stand where they should.
func (l *life) userChanged(have []int, want fixture, n int) bool {
	lo, hi := math.Inf(-1), math.Inf(1)
	from, to := -1, len(have)
	for i, m := range have {
		if m == 0 || m == n || !slices.Contains(want.lines, m) {
			continue
		}
		if want.rank[m] < want.rank[n] {
			lo, from = want.rank[m], i
		} else {
			hi, to = want.rank[m], i
			break
		}
	}
	for i := from + 1; i < to; i++ {
		if have[i] == 0 {
			return true
		}
	}
	for m := range l.user.cut {
		if rank, ok := want.rank[m]; ok && lo < rank && rank < hi {
			return true
		}
	}
	return false
}

func (l *life) checkProps(n Note, s string) error {
	u, values := l.user, map[string]any{}
	for _, p := range n.Props {
		values[p.Key] = p.Value
	}
	for key, line := range u.keys {
		_, there := values[key]
		if line == "" && there || line != "" && !strings.Contains(strings.ReplaceAll(s, "\r\n", "\n"), "\n"+line+"\n") {
			return fmt.Errorf("the user's %s, %q, is gone or back", key, line)
		}
	}
	for key, want := range l.source.props {
		if _, theirs := u.keys[key]; !theirs && key != "tags" && !reflect.DeepEqual(values[key], want) {
			return fmt.Errorf("%s is %v, want %v", key, values[key], want)
		}
	}
	tags, _ := values["tags"].([]string)
	for tag := range u.tags {
		if !slices.Contains(tags, tag) {
			return fmt.Errorf("the user's tag %s is gone", tag)
		}
	}
	for _, tag := range tags {
		switch ours := slices.Contains(l.source.props["tags"].([]string), tag); {
		case count(tags, tag) > 1:
			return fmt.Errorf("tag %s is doubled", tag)
		case u.tagsCut[tag]:
			return fmt.Errorf("tag %s is back though the user took it out", tag)
		case !ours && !u.tags[tag]:
			return fmt.Errorf("tag %s is left over", tag)
		}
	}
	return l.checkTags(tags)
}

// checkTags: what we tag arrives unless the user took it out.
func (l *life) checkTags(tags []string) error {
	for _, tag := range l.source.props["tags"].([]string) {
		if !slices.Contains(tags, tag) && !l.user.tagsCut[tag] {
			return fmt.Errorf("our tag %s has not arrived", tag)
		}
	}
	return nil
}
