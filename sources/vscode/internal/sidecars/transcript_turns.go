package sidecars

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/words"
	"github.com/sessionloom/sessionloom/sources/vscode/internal/chat"
)

// openTurn is the last of the turns while it still grows.
type openTurn struct {
	text     strings.Builder
	replayed bool
}

// replay is a run of turns that were written again out of the chat's history:
// their rounds are numbered "turn.round".
type replay struct {
	on    bool
	last  int // number of the last turn
	first int // index in Turns of the first turn of the run
	next  int // the next earlier turn that may be repeated
}

// turn is the open one; a new one, without a prompt, where none is.
func (t *transcript) turn() *sources.Turn {
	if t.open == nil {
		t.begin("")
	}
	return &t.session.Turns[len(t.session.Turns)-1]
}

func (t *transcript) begin(user string) {
	t.open = &openTurn{}
	t.session.Turns = append(t.session.Turns, sources.Turn{
		Index: len(t.session.Turns), At: t.clock, User: user, Status: sources.Pending,
	})
}

// nobodyTyped is what VS Code sends when a button is pressed that lets the agent
// go on.
var nobodyTyped = regexp.MustCompile(`^(@\S+ )?(Continue|Pause): "Continue to iterate\?"$|^@\S+ Try Again$`)

// prompt opens a turn with what the person typed.
func (t *transcript) prompt(data *eventData) {
	t.prompts++
	text := data.Content
	if nobodyTyped.MatchString(text) {
		return // the turn goes on
	}
	t.close(true)
	t.begin(chat.CleanPrompt(text))
	turn := t.turn()
	for _, a := range data.Attachments {
		if at, ok := a.attachment(); ok {
			turn.Attachments = append(turn.Attachments, at)
		}
	}
}

// attachment reads what was added to a prompt. VS Code writes none so far; the
// shape is that of the CLI's logs.
type attachment struct {
	Type        string `json:"type"`
	DisplayName string `json:"displayName"`
	Name        string `json:"name"`
	Path        string `json:"path"`
	FilePath    string `json:"filePath"`
	Title       string `json:"title"`
	URL         string `json:"url"`
}

func (a attachment) attachment() (sources.Attachment, bool) {
	out := sources.Attachment{Kind: words.OneLine(a.Type, 64)}
	for _, name := range []string{a.DisplayName, a.Name, a.Path, a.FilePath, a.Title, a.URL} {
		if out.Name == "" {
			out.Name = words.OneLine(name, detailSize)
		}
	}
	if out.Kind == "" {
		out.Kind = "file"
	}
	return out, out.Name != ""
}

// round begins one exchange with the model within a turn.
func (t *transcript) round(data *eventData) {
	number, ok := replayedTurn(data.TurnID)
	if !ok || t.open == nil || t.open.replayed {
		return
	}
	t.open.replayed = true
	if !t.replay.on || number <= t.replay.last {
		t.replay = replay{on: true, first: len(t.session.Turns) - 1}
	}
	t.replay.last = number
}

// replayedTurn reads the number of a replayed turn out of "turn.round".
func replayedTurn(id string) (int, bool) {
	turn, round, ok := strings.Cut(id, ".")
	if _, err := strconv.ParseUint(round, 10, 31); !ok || err != nil {
		return 0, false
	}
	n, err := strconv.ParseUint(turn, 10, 31)
	return int(n), err == nil
}

// answer adds what the agent said, and the calls it asked for.
func (t *transcript) answer(data *eventData) {
	text := strings.TrimLeft(strings.TrimRight(data.Content, " \t\r\n"), "\r\n")
	if text != "" {
		turn := t.turn()
		turn.End = t.clock
		turn.Status = sources.Complete
		if t.open.text.Len() > 0 {
			t.open.text.WriteString("\n\n")
		}
		t.open.text.WriteString(text)
	}
	for _, r := range data.ToolRequests {
		t.requested(r)
	}
}

// close ends the open turn. One without a visible answer before the next prompt
// was given up, unless the agent was at work.
func (t *transcript) close(byPrompt bool) {
	if t.open == nil {
		return
	}
	turn := t.turn()
	turn.Assistant = t.open.text.String()
	if byPrompt && turn.Status == sources.Pending {
		turn.Status = sources.Cancelled
		if len(turn.Tools) > 0 {
			turn.Status = sources.Complete
		}
	}
	if t.open.replayed {
		t.dropRepeated()
	} else {
		t.replay.on = false
	}
	t.open = nil
}

// dropRepeated drops the last turn where it is the replay of an earlier one of
// the file, which takes the answer if it had none.
func (t *transcript) dropRepeated() {
	all := t.session.Turns
	last := len(all) - 1
	for k := t.replay.next; k < t.replay.first && all[last].User != ""; k++ {
		if all[k].User != all[last].User {
			continue
		}
		t.replay.next = k + 1
		earlier := &all[k]
		if earlier.Assistant == "" && len(earlier.Tools) == 0 {
			earlier.Assistant, earlier.Tools, earlier.Status = all[last].Assistant, all[last].Tools, all[last].Status
			for _, c := range t.calls {
				if c.turn == last {
					c.turn = k
				}
			}
		}
		t.forget(last)
		t.session.Turns = all[:last]
		return
	}
}

// forget removes the calls of a turn.
func (t *transcript) forget(turn int) {
	t.calls = slices.DeleteFunc(t.calls, func(c *call) bool {
		if c.turn == turn && t.byID[c.id] == c {
			delete(t.byID, c.id)
		}
		return c.turn == turn
	})
}
