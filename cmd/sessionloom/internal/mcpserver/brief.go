package mcpserver

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/sessionloom/sessionloom/extract/catalog"
	"github.com/sessionloom/sessionloom/extract/search"
)

// projectBrief is what brief prints.
func (a *asker) projectBrief(k known, in projectIn) (string, error) {
	key, err := k.projectSeen(in.Project)
	if err != nil {
		return "", err
	}
	since := in.Since
	if since == "" {
		since = "14d"
	}
	history, err := k.History(a.cmd, since, "now", time.Now())
	if err != nil {
		return "", err
	}
	return quoted + "\n" + strings.Join(history.Project(key).Lines(bounded(in.Tokens)), "\n") + "\n", nil
}

// Bounds of what an error is searched by.
const (
	errorWords = 8
	fixTurns   = 3 // turns behind the error in which the fix is looked for
)

// findFix looks for the error as it is, then for its words that tell most.
func (k known) findFix(in fixIn) (string, error) {
	limit := limited(in.Limit, 5, 10)
	var hits []catalog.Hit
	for _, q := range errorQueries(in.Error) {
		var err error
		if hits, _, err = k.find(q, "", "", limit); err != nil {
			return "", err
		}
		if len(hits) > 0 {
			break
		}
	}
	if len(hits) == 0 {
		return "No session is known in which this error occurred. Fewer words of it may find more with search_history.", nil
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s%d sessions in which it occurred, and what followed.\n", quoted, len(hits))
	for _, h := range hits {
		b.WriteString("\n" + k.head(h.Entry, h.At) + "\n" + quote(string(h.Excerpt.Field)+": "+h.Excerpt.Text))
		b.WriteString(k.followed(h))
	}
	return b.String(), nil
}

// followed is what was done in the turn of a hit and the next ones, and what came of it.
func (k known) followed(h catalog.Hit) string {
	c := k.Conversation(h.Entry, k.Zone)
	if h.Excerpt.Turn < 0 || h.Excerpt.Turn >= len(c.Turns) {
		return outcomeOf(h.Entry)
	}
	var b strings.Builder
	for i := h.Excerpt.Turn; i < min(len(c.Turns), h.Excerpt.Turn+fixTurns); i++ {
		t := c.Turns[i]
		if i > h.Excerpt.Turn {
			b.WriteString("then asked:\n" + quote(short(t.Prompt)))
		}
		t.Commands = t.Commands[max(0, len(t.Commands)-5):]
		b.WriteString(done(t) + "answer:\n" + quote(short(t.Answer)))
	}
	return b.String() + outcomeOf(h.Entry)
}

func outcomeOf(e catalog.Entry) string {
	if e.Outcome == "" {
		return ""
	}
	return "outcome:\n" + quote(short(e.Outcome))
}

// errorQueries are questions for an error text: its last line as a phrase, its first one, then
// its longest words, ever fewer.
func errorQueries(text string) (out []string) {
	var lines []string
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	phrase := func(line string) {
		if q := `"` + strings.ReplaceAll(line, `"`, " ") + `"`; !slices.Contains(out, q) && valid(q) {
			out = append(out, q)
		}
	}
	if len(lines) > 0 {
		phrase(lines[len(lines)-1])
		phrase(lines[0])
	}
	words := strings.FieldsFunc(text, func(r rune) bool {
		return r != '_' && r != '.' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
	words = slices.DeleteFunc(words, func(w string) bool {
		return len(w) < 3 || strings.Trim(w, "0123456789.") == "" || strings.HasPrefix(w, "0x")
	})
	slices.SortStableFunc(words, func(a, b string) int { return len(b) - len(a) })
	words = slices.Compact(words)
	for n := min(len(words), errorWords); n > 0; n /= 2 {
		var q []string
		for _, w := range words[:n] {
			q = append(q, `"`+w+`"`)
		}
		if one := strings.Join(q, " "); valid(one) {
			out = append(out, one)
		}
	}
	return out
}

func valid(query string) bool {
	_, err := search.Parse(query)
	return err == nil
}
