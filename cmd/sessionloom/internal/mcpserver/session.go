package mcpserver

import (
	"fmt"
	"sort"
	"strings"
	"time"
	"unicode"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/exit"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/present"
	"github.com/sessionloom/sessionloom/extract/brief"
	"github.com/sessionloom/sessionloom/extract/catalog"
	"github.com/sessionloom/sessionloom/sources/sign"
)

// session returns the visible session with an id or the beginning of one.
func (k known) session(name string) (catalog.Entry, error) {
	f, err := k.Filter()
	if err != nil {
		return catalog.Entry{}, err
	}
	all := f.Of(k.Catalog, k.Sessions())
	found := catalog.Match(strings.TrimPrefix(strings.TrimSpace(name), noteURI), all)
	if len(found) != 1 {
		return catalog.Entry{}, &catalog.NameError{Name: name, Of: "session", Found: found}
	}
	return found[0], nil
}

func (k known) getSession(in sessionIn) (string, error) {
	e, err := k.session(in.Session)
	if err != nil {
		if text, none := k.note(strings.TrimPrefix(strings.TrimSpace(in.Session), noteURI)); none == nil {
			return text, nil
		}
		return "", err
	}
	c := k.Conversation(e, k.Zone)
	first := in.From
	switch {
	case first < 0:
		first = max(0, len(c.Turns)+first)
	case first > 0:
		first--
	}
	if first > 0 && first >= len(c.Turns) {
		return "", exit.Usage("from is the number of a turn", "the session has %s", present.Count(len(c.Turns), "turn"))
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n%s\n%s", quoted, k.head(e, time.Time{}), present.Count(len(c.Turns), "turn"))
	if c.Branch != "" {
		b.WriteString(", branch " + inQuotes(oneLine(c.Branch)))
	}
	if e.Outcome != "" {
		b.WriteString(", outcome:\n" + quote(e.Outcome))
	} else {
		b.WriteString("\n")
	}
	if len(c.Said) > 0 && first == 0 {
		b.WriteString("said by an agent that was asked, not checked:\n" + quote(strings.Join(c.Said, "\n")))
	}
	b.WriteString(k.page(c.Turns, first, bounded(in.Tokens)-brief.Tokens(b.String())))
	return b.String(), nil
}

// page returns the turns that fit into tokens, and how to continue.
func (k known) page(turns []catalog.Turn, first, tokens int) string {
	var b strings.Builder
	for i := first; i < len(turns); i++ {
		text := k.turn(i, turns[i])
		left := tokens - brief.Tokens(b.String())
		fits := brief.Tokens(text) <= left
		if !fits && i > first {
			fmt.Fprintf(&b, "\nmore: from %d\n", i+1)
			break
		}
		if fits {
			b.WriteString(text)
			continue
		}
		b.WriteString(cutTo(text, left) + "\n… cut: more tokens show the rest of this turn\n")
		if i+1 < len(turns) {
			fmt.Fprintf(&b, "more: from %d\n", i+2)
		}
		break
	}
	return b.String()
}

func (k known) turn(i int, t catalog.Turn) string {
	var b strings.Builder
	fmt.Fprintf(&b, "\n### Turn %d", i+1)
	if !t.At.IsZero() {
		b.WriteString(", " + t.At.In(k.Zone).Format("2006-01-02 15:04"))
	}
	b.WriteString("\nprompt:\n" + quote(t.Prompt))
	if t.Answer != "" {
		b.WriteString("answer:\n" + quote(t.Answer))
	}
	if t.Error != "" {
		b.WriteString("error:\n" + quote(t.Error))
	}
	b.WriteString(done(t))
	return b.String()
}

func done(t catalog.Turn) string {
	var b strings.Builder
	for i, c := range t.Commands {
		if i == 0 {
			b.WriteString("commands:\n")
		}
		line := c.Line
		if c.Failed {
			line += "  (failed)"
		}
		b.WriteString(quote(line))
	}
	if len(t.Files) > 0 {
		b.WriteString("changed:\n" + quote(strings.Join(t.Files, "\n")))
	}
	return b.String()
}

// quote prefixes each line of a text with a mark, without characters on which a terminal or client would act.
func quote(text string) string {
	var b strings.Builder
	for line := range strings.Lines(strings.TrimRight(text, "\n")) {
		b.WriteString("> " + inert(strings.TrimRight(line, "\r\n")) + "\n")
	}
	return b.String()
}

// inert returns a line without invisible and control characters.
func inert(line string) string {
	return strings.Map(func(r rune) rune {
		if r == '\t' {
			return ' '
		}
		if unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp) {
			return -1
		}
		return r
	}, line)
}

func oneLine(text string) string { return inert(strings.Join(strings.Fields(text), " ")) }

func short(text string) string {
	const most = 300
	text = oneLine(text)
	if len(text) <= most {
		return text
	}
	return text[:sign.Before(text, most)] + " …"
}

// cutTo returns as much of a text, in whole letters, as fits into tokens.
func cutTo(text string, tokens int) string {
	at := sort.Search(len(text), func(i int) bool { return brief.Tokens(text[:i+1]) > tokens })
	return text[:sign.Before(text, at)]
}
