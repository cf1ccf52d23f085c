package chatlog

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/sessionloom/sessionloom/sources/internal/decode"
	"github.com/sessionloom/sessionloom/sources/internal/files"
)

// Limits of one file.
const (
	maxResync = 16 // places in one line where reading is taken up again
	maxDamage = 20 // lines that are named
)

// ReadLog reads a log of mutations. Damage inside it is told in File.Damage, where
// VS Code's own reader gives up; the error is for a log that cannot be read at
// all.
func ReadLog(ctx context.Context, path string, opt Options) (File, error) {
	in, closeFile, err := openFile(ctx, path, opt)
	if err != nil {
		return File{}, err
	}
	defer closeFile()
	r := &logReader{session: newSession(), in: in, decoder: in.newDecoder(nil)}
	if err = r.run(); in.err != nil {
		err = in.err
	}
	if err != nil {
		return File{BytesRead: in.read}, fmt.Errorf("read %q: %w", path, err)
	}
	return r.file(), nil
}

// logReader replays a log line by line.
type logReader struct {
	*session
	in      *input
	lines   *files.Lines
	decoder *decode.Decoder // of the lines
	line    int             // number of the current one
	damage  []string
	told    int  // number of the last line that is in damage
	untold  int  // damaged lines that are not named
	torn    bool // as in File
	// broken reads on in the initial entry, which has a fault, up to its end.
	broken func(end int64) error
}

// run reads the log to its end.
func (r *logReader) run() error {
	r.lines = files.NewLines(r.in, 0)
	for r.lines.Next() {
		r.line++
		if r.readLine(); r.in.err != nil {
			return r.in.err
		}
	}
	return r.lines.Err()
}

// readLine applies the entries of the current line: one, unless a crash glued
// several.
func (r *logReader) readLine() {
	start := r.lines.Start()
	body := &blank{src: r.lines.Body(), start: start == 0}
	r.decoder.Reset(body)
	at, ok := r.readEntries(r.decoder, start)
	if errors.Is(r.lines.Skip(), files.ErrTorn) { // it may go on the next time
		if r.broken != nil {
			r.torn = errors.Is(r.broken(r.in.size), io.ErrUnexpectedEOF)
			r.tell("ends too early")
		}
		return
	}
	if body.zeros {
		r.tell("holds zero bytes")
	}
	for i := 0; !ok && i < maxResync; i++ {
		r.tell("cannot be read")
		if r.broken != nil {
			_ = r.broken(r.lines.Done())
			r.broken = nil
		}
		r.hole = len(r.requests())
		if at = r.in.mark(entryMarks, at+1, r.lines.Done()); at < 0 {
			return
		}
		at, ok = r.readEntries(r.in.decoder(at, r.lines.Done()), at)
	}
}

// readEntries applies entries until the input of the decoder, which begins at
// base, ends. It returns where the first one begins that cannot be read; ok says
// that there is none.
func (r *logReader) readEntries(d *decode.Decoder, base int64) (at int64, ok bool) {
	for d.PeekKind() != 0 {
		e, err := readEntry(d, nil)
		begin, from := base+e.begin, base
		if errors.Is(err, errLate) {
			from = begin
			e, err = readEntry(r.in.decoder(begin, r.in.size), &e)
		}
		switch {
		case errors.Is(err, errNoEntry):
			r.tell("is no entry")
		case err == nil:
			r.take(e)
		default:
			if r.root == nil && e.read != nil && e.read.state != nil && e.read.state.Requests != nil {
				r.broken = func(end int64) error { return e.read.salvage(r.in, from, end, err) }
				r.reset(e.read.state, false)
			}
			return begin, false
		}
	}
	return base + d.InputOffset(), d.AtEnd()
}

// take applies one entry.
func (r *logReader) take(e entry) {
	if e.kind < kindInitial || e.kind > kindDelete {
		name := "mutation without kind"
		if e.kind >= 0 {
			name = fmt.Sprintf("mutation kind %d", min(e.kind, 99))
		}
		r.in.unknown[name]++
		return
	}
	if r.root == nil && e.kind != kindInitial {
		r.tell("comes before any initial entry: the start of the session is gone")
	}
	switch err := r.apply(e); {
	case errors.Is(err, errMissing):
		r.tell(err.Error())
	case err != nil:
		r.tell("is no entry")
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
		State: r.root, Whole: r.begun, Torn: r.torn, Rewound: r.rewound, Damage: r.damage, Unknown: r.in.counted(), BytesRead: r.in.read,
	}
	if r.untold > 0 {
		file.Damage = append(file.Damage, fmt.Sprintf("so it is with %d more lines", r.untold))
	}
	if r.root == nil && r.in.size > 0 && len(r.damage) == 0 {
		file.Damage = []string{"the file holds no entry that can be read"}
	}
	return file
}
