package mcpserver

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/exit"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/present"
	"github.com/sessionloom/sessionloom/extract/catalog"
	"github.com/sessionloom/sessionloom/extract/search"
)

// projectBrief is what brief prints.
func (a *asker) projectBrief(k known, in projectIn) (string, error) {
	key, err := k.projectSeen(in.Project)
	if err != nil {
		return "", err
	}
	since := cmp.Or(in.Since, "14d")
	if _, err := k.moment(since); err != nil {
		return "", err
	}
	history, err := k.History(a.cmd, since, "now", time.Now())
	if err != nil {
		return "", err
	}
	return quoted + "get_session reads a session by its id.\n\n" + quote(strings.Join(history.Project(key).Lines(bounded(in.Tokens)), "\n")), nil
}

// Bounds of what an error is searched by.
const (
	mostErrorWords  = 8
	leastErrorWords = 3 // of one that has as many
	fixTurns        = 3 // turns behind the error in which the fix is looked for
)

// findFix looks for the error as it is, then for its words that tell most.
func (k known) findFix(in fixIn) (string, error) {
	if strings.TrimSpace(in.Error) == "" {
		return "", exit.Usage("give it as it was printed", "no text of an error was given")
	}
	for _, q := range errorQueries(in.Error) {
		hits, _, err := k.find(q.text, "", "", limited(in.Limit, 5, 10))
		if err != nil {
			return "", err
		}
		if len(hits) == 0 {
			continue
		}
		var b strings.Builder
		b.WriteString(quoted)
		if q.words == nil {
			fmt.Fprintf(&b, "%s with this text, and what followed.\n", present.Count(len(hits), "session"))
		} else {
			fmt.Fprintf(&b, "The error itself is not known. %s with the words %s, and what followed.\n", present.Count(len(hits), "session"), oneLine(strings.Join(q.words, ", ")))
		}
		for _, h := range hits {
			b.WriteString("\n" + k.head(h.Entry, h.At) + "\n" + quote(string(h.Excerpt.Field)+": "+h.Excerpt.Text))
			b.WriteString(k.followed(h))
		}
		return b.String(), nil
	}
	return "No session is known in which this error occurred. Fewer words of it may find more with search_history.", nil
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

// errorQuery asks for a line of an error, or for some of its words.
type errorQuery struct {
	text  string
	words []string // none: for the line
}

// errorQueries are questions for an error text: its last line as a phrase, its first one, then
// its longest words, ever fewer, and at last each of its identifiers.
func errorQueries(text string) (out []errorQuery) {
	ask := func(q errorQuery) {
		if _, err := search.Parse(q.text); err == nil && !slices.ContainsFunc(out, func(o errorQuery) bool { return o.text == q.text }) {
			out = append(out, q)
		}
	}
	lines := strings.FieldsFunc(text, func(r rune) bool { return r == '\n' || r == '\r' })
	lines = slices.DeleteFunc(lines, func(line string) bool { return strings.TrimSpace(line) == "" })
	if n := len(lines); n > 0 {
		ask(errorQuery{text: inQuotes(lines[n-1])})
		ask(errorQuery{text: inQuotes(lines[0])})
	}
	words := tellingWords(text)
	for n := min(len(words), mostErrorWords); n > 0 && n >= min(leastErrorWords, len(words)); n /= 2 {
		var all []string
		for _, w := range words[:n] {
			all = append(all, inQuotes(w))
		}
		ask(errorQuery{strings.Join(all, " "), words[:n]})
	}
	for _, w := range words[:min(len(words), mostErrorWords)] {
		if isIdentifier(w) {
			ask(errorQuery{inQuotes(w), []string{w}})
		}
	}
	return out
}

// isIdentifier tells a name of a program's text from a word: it has a capital letter behind a
// small one, or what joins words.
func isIdentifier(word string) bool {
	small := false
	for i, r := range word {
		if small && unicode.IsUpper(r) || i > 0 && i < len(word)-1 && (r == '_' || r == '.') {
			return true
		}
		small = unicode.IsLower(r)
	}
	return false
}

func inQuotes(text string) string {
	return `"` + strings.TrimSpace(strings.ReplaceAll(text, `"`, " ")) + `"`
}

// tellingWords are words and identifiers without numbers, the longest first.
func tellingWords(text string) []string {
	words := strings.FieldsFunc(text, func(r rune) bool {
		return r != '_' && r != '.' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
	words = slices.DeleteFunc(words, func(w string) bool {
		return len(w) < 3 || strings.Trim(w, "0123456789.") == "" || strings.HasPrefix(w, "0x")
	})
	slices.SortStableFunc(words, func(a, b string) int { return cmp.Or(len(b)-len(a), strings.Compare(a, b)) })
	return slices.Compact(words)
}
