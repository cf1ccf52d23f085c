package sidecars

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/decode"
	"github.com/sessionloom/sessionloom/sources/internal/files"
	"github.com/sessionloom/sessionloom/sources/internal/words"
	"github.com/sessionloom/sessionloom/sources/vscode/internal/places"
)

// TranscriptFile is what a transcript holds.
type TranscriptFile struct {
	// Session has neither ID nor Agent, and is never Whole: a transcript begins
	// when something first asks for it, most in the middle of a turn. What
	// precedes the first prompt is a turn with an empty User. Turns have no ID.
	Session   *sources.Session
	Unknown   map[string]int // types of events that are not known
	BytesRead int64
	Empty     bool // nobody wrote a message: the run of a sub-agent
}

// Transcript reads GitHub.copilot-chat/transcripts/<id>.jsonl
// (formats/vscode-copilot-chat.md, section 5.1). Damage inside it is told in
// Session.Damage, and a last line without its end is left for the next time; the
// error is for a file that cannot be read, or a cancelled context.
func Transcript(ctx context.Context, path string) (TranscriptFile, error) {
	return readTranscript(ctx, path, files.MaxLine)
}

// readTranscript is Transcript with the size in bytes above which a line is skipped.
func readTranscript(ctx context.Context, path string, limit int) (TranscriptFile, error) {
	f, _, err := files.OpenLog(path)
	if err != nil {
		return TranscriptFile{}, fmt.Errorf("open transcript: %w", err)
	}
	defer f.Close()
	t := newTranscript()
	src := &countedFile{file: f}
	r := files.NewLines(src, limit)
	for r.Next() {
		if err := ctx.Err(); err != nil {
			return TranscriptFile{}, err
		}
		line, err := r.Bytes()
		switch {
		case err == nil:
			t.line(line)
		case errors.Is(err, files.ErrTooLong):
			t.long++
		case errors.Is(err, files.ErrTorn): // it ends the loop
		default:
			return TranscriptFile{}, fmt.Errorf("read transcript %q: %w", path, err)
		}
	}
	if err := r.Err(); err != nil {
		return TranscriptFile{}, fmt.Errorf("read transcript %q: %w", path, err)
	}
	return TranscriptFile{Session: t.finish(), Unknown: t.unknown, BytesRead: src.read, Empty: t.prompts == 0}, nil
}

// transcript makes a session of events in the order of the file.
type transcript struct {
	session *sources.Session
	clock   time.Time // of the newest event with a time
	prompts int

	open   *openTurn // nil: none
	replay replay
	calls  []*call          // in order of their beginning
	byID   map[string]*call // the newest call of each id

	decoder   *decode.Decoder
	unknown   map[string]int
	bad, long int // lines that could not be read, that were too long
}

func newTranscript() *transcript {
	return &transcript{
		session: &sources.Session{},
		decoder: decode.New(nil),
		byID:    map[string]*call{},
		unknown: map[string]int{},
	}
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
	TurnID       string       `json:"turnId"`
	Content      string       `json:"content"`
	Attachments  []attachment `json:"attachments"`
	ToolRequests []request    `json:"toolRequests"`
	request
	ToolName string `json:"toolName"`
	Success  *bool  `json:"success"`
}

// request is a call of a tool.
type request struct {
	ToolCallID string `json:"toolCallId"`
	Name       string `json:"name"`
	Arguments  raw    `json:"arguments"`
}

// event handles one event.
func (t *transcript) event(e *record) {
	if at := instant(e.Timestamp); !at.IsZero() {
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
		count(t.unknown, e.Type)
	}
}

// start notes when and where the session began. The version of the extension is
// that of one run among many.
func (t *transcript) start(data *eventData) {
	s := t.session
	at := instant(data.StartTime)
	if at.IsZero() {
		at = t.clock
	}
	if s.Created.IsZero() || !at.IsZero() && at.Before(s.Created) {
		s.Created = at
	}
	if cwd := fileOf(data.Context.Cwd); cwd != "" {
		s.Place.Cwd = cwd
	}
}

// finish closes the last turn and gathers what depends on how calls ended.
func (t *transcript) finish() *sources.Session {
	t.close(false)
	t.decoder.Unknown(t.unknown)
	s := t.session
	t.gather()
	for i := range s.Turns {
		for _, at := range []time.Time{s.Turns[i].At, s.Turns[i].End} {
			if at.After(s.Updated) {
				s.Updated = at
			}
		}
	}
	if t.bad > 0 {
		s.Damage = append(s.Damage, plural(t.bad, "line")+" of the transcript could not be read")
	}
	if t.long > 0 {
		s.Damage = append(s.Damage, plural(t.long, "line")+" of the transcript skipped for being too long")
	}
	return s
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// count counts a name of another program's vocabulary. Many different ones are
// no vocabulary.
func count(unknown map[string]int, name string) {
	const most = 100
	name = words.OneLine(name, 64)
	if _, ok := unknown[name]; ok || len(unknown) < most {
		unknown[name]++
	}
}

// instant reads a time as it is written in JSON; zero where it is none.
func instant(s string) time.Time {
	at, err := time.Parse(time.RFC3339Nano, s)
	if err != nil {
		return time.Time{}
	}
	return sources.OnCalendar(at)
}

// fileOf is the path of a file or folder given as a path or an address; empty for
// an address of something else.
func fileOf(s string) string {
	if !strings.Contains(s, "://") {
		return s
	}
	u, ok := places.ParseURI(s)
	if !ok {
		return ""
	}
	return u.File()
}

// countedFile counts the bytes that are read of a file.
type countedFile struct {
	file   *os.File
	read   int64
	failed error // of Read, other than the end of the file
}

// ReadAt implements io.ReaderAt.
func (c *countedFile) ReadAt(b []byte, off int64) (int, error) {
	n, err := c.file.ReadAt(b, off)
	c.read += int64(n)
	return n, err
}

// Read implements io.Reader.
func (c *countedFile) Read(b []byte) (int, error) {
	n, err := c.file.Read(b)
	c.read += int64(n)
	if err != nil && !errors.Is(err, io.EOF) {
		c.failed = err
	}
	return n, err
}
