package chatlog

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/sessionloom/sessionloom/sources/internal/lines"
	"github.com/sessionloom/sessionloom/sources/vscode/internal/tree"
)

// Limits of one file.
const (
	maxResync = 16 // places in one line where reading is taken up again
	maxDamage = 20 // lines that are named
)

// errReadWhole says that a log cannot be read on from the cursor.
var errReadWhole = errors.New("the log must be read from its start")

// ReadLog reads a log of mutations. prior is the cursor of an earlier read, nil
// without one; sealed tells how many leading requests of that read the caller
// holds and needs not again, 0 if it holds none. The log is read on where that
// gives what reading it whole would give, and whole otherwise: File.Sealed is
// sealed or 0.
//
// Damage inside the log is told in File.Damage, where VS Code's own reader gives
// up; the error is for a log that cannot be read at all.
func ReadLog(ctx context.Context, path string, prior []byte, sealed int, opt Options) (File, error) {
	f, info, err := lines.Open(path)
	if err != nil {
		return File{}, err
	}
	defer f.Close()
	cur := parseCursor(prior, opt)
	if cur.unmoved(info) {
		return File{Same: true, Cursor: prior}, nil
	}
	in := &input{ctx: ctx, src: f, size: info.Size()}
	file, err := readLog(in, info, cur, sealed, opt)
	file.BytesRead = in.read
	if in.err != nil {
		err = in.err
	}
	if err != nil {
		return File{BytesRead: in.read}, fmt.Errorf("read %q: %w", path, err)
	}
	return file, nil
}

func readLog(in *input, info os.FileInfo, cur *cursor, sealed int, opt Options) (File, error) {
	if cur.holds(in, info) {
		if !cur.Pending && !in.more(cur.Offset) {
			return File{Same: true, Cursor: cur.moved(info)}, nil
		}
		if at, ok := cur.restart(sealed); ok {
			file, err := resumeLog(in, info, cur, at, sealed, opt)
			if !errors.Is(err, errReadWhole) {
				return file, err
			}
		}
	}
	r := newLogReader(in, opt)
	if err := r.run(restart{}); err != nil {
		return File{}, err
	}
	return r.file(info, opt)
}

// resumeLog reads on from a restart.
func resumeLog(in *input, info os.FileInfo, cur *cursor, at restart, sealed int, opt Options) (File, error) {
	r := newLogReader(in, opt)
	r.begun, r.rewound = true, cur.Rewound
	r.root = tree.NewObject()
	requests := tree.NewArray()
	requests.Resize(at.Requests)
	r.root.Set("requests", requests)
	r.marks.at = cur.upTo(at)
	r.resumed, r.sealed, r.news = true, sealed, cur.Offset
	if err := r.run(at); err != nil {
		return File{}, err
	}
	if len(r.damage) > 0 || len(r.unknown) > 0 || r.requests().Len() < sealed {
		return File{}, errReadWhole // with all its damage told
	}
	for i := range sealed {
		r.requests().SetAt(i, nil)
	}
	file, err := r.file(info, opt)
	file.Sealed = sealed
	return file, err
}

// logReader replays a log line by line.
type logReader struct {
	*session
	in      *input
	lines   *lines.Reader
	line    int // number of the current one
	applied int // entries
	damage  []string
	told    int // number of the last line that is in damage
	untold  int // damaged lines that are not named
	unknown map[string]int
	pending bool // the last line has no end yet, and there were entries in it
	torn    bool // as in File
	// broken reads on in the initial entry, which has a fault, up to its end.
	broken func(end int64) error

	resumed bool
	sealed  int
	news    int64 // lines from here on are new
}

func newLogReader(in *input, opt Options) *logReader {
	return &logReader{session: newSession(Keep(opt)), in: in, unknown: map[string]int{}}
}

// run reads from a restart to the end.
func (r *logReader) run(at restart) error {
	r.lines, r.line = lines.New(r.in, at.Offset, 0), at.Line
	for r.lines.Next() {
		r.line++
		r.marks.line(restart{Requests: r.requests().Len(), Offset: r.lines.Start(), Line: r.line - 1})
		r.marks.from, r.marks.broken = at.Requests, false
		if r.resumed && r.lines.Start() >= r.news {
			r.marks.from = r.sealed
		}
		r.readLine()
		if r.in.err != nil {
			return r.in.err
		}
		if r.resumed && r.marks.broken {
			return errReadWhole
		}
	}
	if !r.pending {
		r.marks.line(restart{Requests: r.requests().Len(), Offset: r.lines.Done(), Line: r.line})
	}
	return r.lines.Err()
}

// readLine applies the entries of the current line: one, unless a crash glued
// several.
func (r *logReader) readLine() {
	start, before := r.lines.Start(), r.applied
	body := &blank{src: r.lines.Body(), start: start == 0}
	at, ok := r.readEntries(tree.NewDecoder(body), start)
	if errors.Is(r.lines.Skip(), lines.ErrTorn) { // it may go on the next time
		r.pending = r.applied > before
		if r.broken != nil {
			r.torn, r.pending = errors.Is(r.broken(r.in.size), io.ErrUnexpectedEOF), true
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
		r.hole = r.requests().Len()
		if at = r.in.mark(entryMarks, at+1, r.lines.Done()); at < 0 {
			return
		}
		at, ok = r.readEntries(r.in.decoder(at, r.lines.Done()), at)
	}
}

// readEntries applies entries until the input of the decoder, which begins at
// base, ends. It returns where the first one begins that cannot be read; ok says
// that there is none.
func (r *logReader) readEntries(d *jsontext.Decoder, base int64) (at int64, ok bool) {
	for d.PeekKind() != 0 {
		e, err := readEntry(d, r.keep, nil)
		begin, from := base+e.begin, base
		if errors.Is(err, errLate) {
			from = begin
			e, err = readEntry(r.in.decoder(begin, r.in.size), r.keep, &e)
		}
		switch {
		case errors.Is(err, errNoEntry):
			r.tell("is no entry")
		case err == nil:
			r.take(e)
		default:
			if r.root == nil && e.value.Get("requests").Has() {
				r.broken = func(end int64) error { return e.read.salvage(r.in, from, end, err) }
				r.reset(e.value, false)
			}
			return begin, false
		}
	}
	end := base + d.InputOffset()
	_, err := d.ReadToken()
	return end, errors.Is(err, io.EOF)
}

// take applies one entry.
func (r *logReader) take(e entry) {
	if e.kind < kindInitial || e.kind > kindDelete {
		name := "mutation without kind"
		if e.kind >= 0 {
			name = fmt.Sprintf("mutation kind %d", min(e.kind, 99))
		}
		r.unknown[name]++
		return
	}
	if r.root == nil && e.kind != kindInitial {
		r.tell("comes before any initial entry: the start of the session is gone")
	}
	r.applied++
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
func (r *logReader) file(info os.FileInfo, opt Options) (File, error) {
	file := File{State: r.root, Whole: r.begun, Torn: r.torn, Rewound: r.rewound, Damage: r.damage}
	if r.untold > 0 {
		file.Damage = append(file.Damage, fmt.Sprintf("so it is with %d more lines", r.untold))
	}
	if r.root == nil && r.in.size > 0 && len(r.damage) == 0 {
		file.Damage = []string{"the file holds no entry that can be read"}
	}
	if len(r.unknown) > 0 {
		file.Unknown = r.unknown
	}
	cur := &cursor{Version: cursorVersion, Images: opt.Images, Offset: r.lines.Done(), Pending: r.pending, Rewound: r.rewound}
	if r.begun && len(file.Damage) == 0 && len(r.unknown) == 0 {
		cur.keep(r.marks.at)
	}
	if cur.End = cur.Offset; cur.Pending {
		cur.End = r.in.size
	}
	var err error
	if cur.Head, cur.Tail, err = lines.Probes(r.in, cur.End); err != nil {
		return File{}, err
	}
	file.Cursor = cur.moved(info)
	return file, nil
}
