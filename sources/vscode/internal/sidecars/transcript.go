// Package sidecars reads what VS Code and its Copilot Chat extension keep beside
// a chat: transcripts, files of the memory tool, editing sessions and the
// database of the agent host. Each gives a sparse session, or a part of one, that
// completes the chat or stands for it where the chat is gone
// (formats/vscode-copilot-chat.md, sections 4 and 5).
package sidecars

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/decode"
	"github.com/sessionloom/sessionloom/sources/internal/files"
	"github.com/sessionloom/sessionloom/sources/internal/words"
	"github.com/sessionloom/sessionloom/sources/vscode/internal/chat"
	"github.com/sessionloom/sessionloom/sources/vscode/internal/chatlog"
	"github.com/sessionloom/sessionloom/sources/vscode/internal/places"
)

// TranscriptFile is what a transcript holds.
type TranscriptFile struct {
	// Session has neither ID nor Agent, and is never Whole: a transcript begins
	// when something first asks for it, most in the middle of a turn. What
	// precedes the first prompt is a turn with an empty User. Turns have no ID.
	Session *sources.Session
	Unknown map[string]int // types of events that are not known
	Empty   bool           // nobody wrote a message: the run of a sub-agent
}

// Transcript reads GitHub.copilot-chat/transcripts/<id>.jsonl
// (formats/vscode-copilot-chat.md, section 5.1). Damage inside it is told in
// Session.Damage, and a last line without its end is left for the next time; the
// error is for a file that cannot be read, or a cancelled context.
func Transcript(ctx context.Context, path string) (TranscriptFile, error) {
	f, _, err := files.OpenLog(path)
	if err != nil {
		return TranscriptFile{}, fmt.Errorf("open transcript: %w", err)
	}
	defer f.Close()
	t := transcript{decoder: decode.New(nil), byID: map[string]*call{}, unknown: map[string]int{}}
	lines := files.NewLines(f, 0)
	for lines.Next() && ctx.Err() == nil {
		line, err := lines.Bytes()
		if err == nil {
			t.line(line)
		} else if errors.Is(err, files.ErrTooLong) {
			t.bad++
		}
	}
	if err := errors.Join(ctx.Err(), lines.Err()); err != nil {
		return TranscriptFile{}, fmt.Errorf("read transcript %q: %w", path, err)
	}
	t.finish()
	return TranscriptFile{Session: &t.session, Unknown: t.unknown, Empty: t.prompts == 0}, nil
}

// transcript makes a session of events in the order of the file.
type transcript struct {
	session sources.Session
	clock   time.Time // of the newest event with a time
	prompts int

	open     bool             // the last turn still grows
	text     strings.Builder  // of its answer
	replayed bool             // it is written again out of the chat's history
	calls    []*call          // in order of their beginning
	byID     map[string]*call // the newest call of each id

	decoder *decode.Decoder
	unknown map[string]int
	bad     int // lines that could not be read
}

// line reads one line: an event, or several where two writers met.
func (t *transcript) line(line []byte) {
	line = bytes.Trim(bytes.TrimPrefix(line, []byte("\ufeff")), " \t\r\x00")
	t.decoder.ResetTo(line)
	for {
		var e record
		err := t.decoder.Read(&e)
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil || e.Type == "" {
			t.bad++
			return
		}
		t.event(&e)
	}
}

// record is one event of a transcript.
type record struct {
	Type      string    `json:"type"`
	Timestamp string    `json:"timestamp"`
	Data      eventData `json:"data"`
}

// eventData is what any kind of event tells.
type eventData struct {
	StartTime string `json:"startTime"`
	Context   struct {
		Cwd string `json:"cwd"`
	} `json:"context"`
	TurnID       string    `json:"turnId"`
	Content      string    `json:"content"`
	ToolRequests []request `json:"toolRequests"`
	request
	ToolName string `json:"toolName"`
	Success  *bool  `json:"success"`
}

// request is a call of a tool.
type request struct {
	ToolCallID string             `json:"toolCallId"`
	Name       string             `json:"name"`
	Arguments  *chatlog.Arguments `json:"arguments"`
}

// event handles one event.
func (t *transcript) event(e *record) {
	if at := words.Time(e.Timestamp); !at.IsZero() {
		t.clock = at
	}
	switch data := &e.Data; e.Type {
	case "session.start":
		t.start(data)
	case "user.message":
		t.prompt(data)
	case "assistant.turn_start":
		t.round(data)
	case "assistant.message":
		t.answer(data)
	case "tool.execution_start":
		t.started(data)
	case "tool.execution_complete":
		t.ended(data)
	case "assistant.turn_end":
	default:
		if len(t.unknown) < maxUnknown {
			t.unknown[words.OneLine(e.Type, 64)]++
		}
	}
}

// maxUnknown is how many types of events are counted. Many different ones are no
// vocabulary.
const maxUnknown = 100

// start notes when and where the session began. The version of the extension is
// that of one run among many.
func (t *transcript) start(data *eventData) {
	s := &t.session
	at := words.Time(data.StartTime)
	if at.IsZero() {
		at = t.clock
	}
	if s.Created.IsZero() || !at.IsZero() && at.Before(s.Created) {
		s.Created = at
	}
	if cwd := places.FileOf(data.Context.Cwd); cwd != "" {
		s.Place.Cwd = cwd
	}
}

// finish closes the last turn and gathers what depends on how calls ended.
func (t *transcript) finish() {
	t.close(false)
	t.decoder.Unknown(t.unknown)
	t.gather()
	switch {
	case t.bad == 1:
		t.session.Damage = []string{"1 line of the transcript could not be read"}
	case t.bad > 1:
		t.session.Damage = []string{fmt.Sprintf("%d lines of the transcript could not be read", t.bad)}
	}
}

// turn is the open one; a new one, without a prompt, where none is.
func (t *transcript) turn() *sources.Turn {
	if !t.open {
		t.begin("")
	}
	return &t.session.Turns[len(t.session.Turns)-1]
}

func (t *transcript) begin(user string) {
	t.open, t.replayed = true, false
	t.text.Reset()
	t.session.Turns = append(t.session.Turns, sources.Turn{
		Index: len(t.session.Turns), At: t.clock, User: user, Status: sources.Pending,
	})
}

// prompt opens a turn with what the person typed.
func (t *transcript) prompt(data *eventData) {
	t.prompts++
	if chat.NobodyTyped(data.Content) {
		return // the turn goes on
	}
	t.close(true)
	t.begin(chat.CleanPrompt(data.Content))
}

// round begins one exchange with the model within a turn. Those of the chat's
// history are numbered "turn.round".
func (t *transcript) round(data *eventData) {
	t.replayed = t.replayed || t.open && strings.Contains(data.TurnID, ".")
}

// answer adds what the agent said, and the calls it asked for.
func (t *transcript) answer(data *eventData) {
	text := strings.TrimLeft(strings.TrimRight(data.Content, " \t\r\n"), "\r\n")
	if text != "" {
		turn := t.turn()
		turn.End = t.clock
		turn.Status = sources.Complete
		if t.text.Len() > 0 {
			t.text.WriteString("\n\n")
		}
		t.text.WriteString(text)
	}
	for _, r := range data.ToolRequests {
		t.requested(r)
	}
}

// close ends the open turn. One without a visible answer before the next prompt
// was given up, unless the agent was at work.
func (t *transcript) close(byPrompt bool) {
	if !t.open {
		return
	}
	turn := t.turn()
	turn.Assistant = t.text.String()
	if byPrompt && turn.Status == sources.Pending {
		turn.Status = sources.Cancelled
		if len(turn.Tools) > 0 {
			turn.Status = sources.Complete
		}
	}
	t.open = false
}
