// Package chatlog reads the files in which VS Code keeps chat sessions: logs of
// mutations (.jsonl), which are replayed, and documents (.json, exports). Both
// give a Session, which declares what is ever shown of one
// (formats/vscode-copilot-chat.md, sections 1, 2 and 8).
package chatlog

import (
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"time"

	"github.com/sessionloom/sessionloom/sources/internal/files"
)

// Limits of one file.
const (
	maxResync = 16 // places in one line where reading is taken up again
	maxDamage = 20 // lines that are named
)

// ReadLog reads a log of mutations. Damage inside it is told in File.Damage, where
// VS Code's own reader gives up; the error is for a log that cannot be read at
// all. images is that of ReadDocument.
func ReadLog(ctx context.Context, path string, images bool) (File, error) {
	in, err := openFile(ctx, path, images)
	if err != nil {
		return File{}, err
	}
	defer in.file.Close()
	r := &logReader{input: in, replay: replay{seen: map[string]bool{}}, unknown: map[string]int{}}
	lines := files.NewLines(in, 0)
	for lines.Next() && in.err == nil {
		r.line++
		r.readLine(lines)
	}
	if err := errors.Join(in.err, lines.Err()); err != nil {
		return File{}, fmt.Errorf("read %q: %w", path, err)
	}
	return r.file(), nil
}

// logReader replays a log line by line.
type logReader struct {
	*input
	replay
	line    int // number of the current one
	damage  []string
	told    int  // number of the last line that is in damage
	untold  int  // damaged lines that are not named
	torn    bool // as in File
	unknown map[string]int
}

// readLine applies the entries of the current line: one, unless a crash glued
// several.
func (r *logReader) readLine(lines *files.Lines) {
	body := &blank{src: lines.Body(), start: lines.Start() == 0}
	r.Reset(body)
	begun := r.root != nil
	at, ok := r.readEntries()
	if errors.Is(lines.Skip(), files.ErrTorn) { // it may go on the next time
		if r.torn = !begun && r.root != nil && !ok; r.torn {
			r.tell("ends too early")
		}
		return
	}
	if body.zeros {
		r.tell("holds zero bytes")
	}
	base := lines.Start()
	for i := 0; !ok && i < maxResync; i++ {
		r.tell("cannot be read")
		if base = r.nextEntry(base+at+1, lines.Done()); base < 0 {
			return
		}
		r.Reset(&blank{src: io.NewSectionReader(r.input, base, lines.Done()-base)})
		at, ok = r.readEntries()
	}
}

// entryMark begins an entry as VS Code writes it. Within a text it cannot stand:
// there its quotes are escaped.
var entryMark = regexp.MustCompile(`\{"kind":(0,"v":\{|[123],"k":\[)`)

// nextEntry is where the next entry begins before end, -1: nowhere.
func (r *logReader) nextEntry(from, end int64) int64 {
	line := io.NewSectionReader(r.input, from, min(end-from, files.MaxLine))
	rest, _ := io.ReadAll(line) // an error stays in the input
	if at := entryMark.FindIndex(rest); at != nil {
		return from + int64(at[0])
	}
	return -1
}

// readEntries applies entries until the input of the decoder ends. It returns
// where the first one begins that cannot be read; ok says that there is none. What
// can be read of the first initial entry counts.
func (r *logReader) readEntries() (at int64, ok bool) {
	for r.PeekKind() != 0 {
		at = r.InputOffset()
		e, err := readEntry(r.Decoder)
		if err == nil {
			r.take(e)
			continue
		}
		if r.root == nil && e.is(kindInitial) && e.value.IsValid() {
			r.reset(e)
		}
		return at, false
	}
	return r.InputOffset(), r.AtEnd()
}

// take applies one entry.
func (r *logReader) take(e entry) {
	switch {
	case e.bad:
		r.tell("is no entry")
		return
	case e.kind == nil:
		r.unknown["mutation without kind"]++
		return
	case *e.kind < kindInitial || *e.kind > kindDelete:
		r.unknown[fmt.Sprintf("mutation kind %d", min(*e.kind, 99))]++
		return
	case r.root == nil && !e.is(kindInitial):
		r.tell("comes before any initial entry: the start of the session is gone")
	}
	if err := r.apply(e); err != nil {
		r.tell(err.Error())
	}
}

// tell notes damage, once for a line.
func (r *logReader) tell(what string) {
	if r.told == r.line {
		return
	}
	r.told = r.line
	if len(r.damage) < maxDamage {
		r.damage = append(r.damage, fmt.Sprintf("line %d %s", r.line, what))
		return
	}
	r.untold++
}

// file is what was read.
func (r *logReader) file() File {
	file := File{
		State: r.root, Whole: r.begun, Torn: r.torn, Rewound: r.rewound(), Damage: r.damage, Unknown: r.unknown,
	}
	r.Unknown(file.Unknown)
	if r.untold > 0 {
		file.Damage = append(file.Damage, fmt.Sprintf("so it is with %d more lines", r.untold))
	}
	if r.root == nil && r.size > 0 && len(r.damage) == 0 {
		file.Damage = []string{"the file holds no entry that can be read"}
	}
	return file
}

// File is what was read of a session's file.
type File struct {
	// State is the session: the members of its header and requests. It is nil when
	// the file holds nothing that can be read.
	State *Session
	// Whole says that the session is known from its start, so that what the file
	// does not know did not happen.
	Whole bool
	// Torn says that the file ends within the one entry, or the document, that holds
	// the session: a crash cut it off, or VS Code is writing it just now.
	Torn bool
	// Rewound says that requests were cut off or replaced by others.
	Rewound bool
	// Damage says in plain words what could not be read; it holds no text of the
	// transcript.
	Damage []string
	// Unknown counts mutations of unknown kinds, and values of another type than
	// they should be.
	Unknown map[string]int
}

// When reads milliseconds since 1970; zero where they are no date of a chat, from
// 2001 to 2100.
func When(ms int64) time.Time {
	const first, last = 1e12, 4102444800000
	if ms < first || ms > last {
		return time.Time{}
	}
	return time.UnixMilli(ms).UTC()
}
