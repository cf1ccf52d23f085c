package transcript

import (
	"slices"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/sources/claudecode/internal/lines"
	"github.com/sessionloom/sessionloom/sources/claudecode/internal/texts"
	"github.com/sessionloom/sessionloom/sources/internal/builder"
	"github.com/sessionloom/sessionloom/sources/internal/words"
)

// queue holds the prompts that wait, until lines of their own tell of them. Before about
// 2.1.97 one that was taken up while the agent worked may stand here alone.
type queue []queued

type queued struct {
	text string
	line string // the text as one line
	at   time.Time
	turn *turn // that went on when it was typed
}

// take takes in what is done to the queue. Commands in it are the client's affair.
func (q *queue) take(r *lines.Record, now *turn) {
	text := texts.PromptOf(r.Content).Text
	switch r.Operation {
	case "enqueue":
		if texts.IsOfPerson(text) {
			*q = append(*q, queued{text: text, line: lineIn(text), at: r.Timestamp.Time, turn: now})
		}
	case "popAll":
		*q = nil // the user took them back into the input
	case "remove":
		if r.Reason != "" && r.Reason != "absorbed_mid_turn" {
			q.remove(text)
		}
	}
}

// remove forgets a prompt that waited, which a line of its own tells.
func (q *queue) remove(text string) {
	if len(*q) == 0 {
		return
	}
	line := lineIn(text)
	if i := slices.IndexFunc(*q, func(one queued) bool { return one.line == line }); i >= 0 {
		*q = slices.Delete(*q, i, i+1)
	}
}

// removeSlash forgets commands that waited: the program does not know one.
func (q *queue) removeSlash() {
	*q = slices.DeleteFunc(*q, func(one queued) bool { return strings.HasPrefix(one.text, "/") })
}

func lineIn(text string) string { return words.OneLine(text, len(text)+1) }

// insertInto puts the prompts that only the queue tells of behind the turns in which they
// were typed. A command that has no line of its own was none of a person.
func (q queue) insertInto(b *builder.Builder) {
	for _, one := range q {
		if strings.HasPrefix(one.text, "/") {
			continue
		}
		behind := (*builder.Turn)(nil)
		if one.turn != nil {
			behind = one.turn.Turn
		}
		b.Insert(behind, one.at, builder.Prompt{Text: one.text}).Complete()
	}
}
