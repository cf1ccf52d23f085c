package mcpserver

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/exit"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/present"
	"github.com/sessionloom/sessionloom/extract/catalog"
	"github.com/sessionloom/sessionloom/extract/search"
)

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

// fixTurns is how many turns behind an error the fix is looked for.
const fixTurns = 3

func (k known) findFix(in fixIn) (string, error) {
	q := search.OfText(in.Error)
	f, err := k.narrowed("", "", search.Filter{})
	if err != nil {
		return "", err
	}
	found := k.Search(catalog.Asked{Query: q, Filter: f, Limit: limited(in.Limit, 5, 10), Zone: k.Zone, Read: k.Read})
	switch {
	case strings.TrimSpace(in.Error) == "":
		return "", exit.Usage("give it as it was printed", "no text of an error was given")
	case len(found.Hits) == 0:
		return "No session is known in which this error occurred. Fewer words of it may find more with search_history.", nil
	}
	var b strings.Builder
	b.WriteString(quoted)
	if found.Partly {
		fmt.Fprintf(&b, "The error itself is not known. %s with most of its words, and what followed.\n", present.Count(len(found.Hits), "session"))
	} else {
		fmt.Fprintf(&b, "%s with these words, and what followed.\n", present.Count(len(found.Hits), "session"))
	}
	for _, h := range found.Hits {
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

func inQuotes(text string) string {
	return `"` + strings.TrimSpace(strings.ReplaceAll(text, `"`, " ")) + `"`
}
