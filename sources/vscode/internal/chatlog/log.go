// Package chatlog reads the files in which VS Code keeps chat sessions: logs of
// mutations (.jsonl), which are replayed, and documents (.json, exports). Both
// give a Session, which declares what is ever shown of one.
package chatlog

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"reflect"
	"regexp"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/sources/internal/decode"
	"github.com/sessionloom/sessionloom/sources/internal/files"
)

// Limits of one file.
const (
	maxResync = 16 // times its size that is read of what cannot be taken in
	maxDamage = 20 // lines that are named
)

// ReadLog reads a log of mutations. Damage inside it is told in File.Damage, where
// VS Code's own reader gives up; the error is for a log that cannot be read at
// all. images says that the bytes of pictures that were added to a prompt are kept too.
func ReadLog(ctx context.Context, path string, images bool) (File, error) {
	return read(ctx, path, images, func(r *logReader) {
		for at := int64(0); at >= 0 && r.err == nil; {
			at = r.readEntries(at)
		}
	})
}

// ReadDocument reads a session that is one JSON object: a .json of VS Code before
// 1.109, or an export. Of one that ends too early it gives what stands before, of one
// with a request that cannot be read all the others, and of one that is no session at
// all nothing but the damage. Error and images are those of ReadLog.
func ReadDocument(ctx context.Context, path string, images bool) (File, error) {
	return read(ctx, path, images, (*logReader).readDocument)
}

func read(ctx context.Context, path string, images bool, all func(*logReader)) (File, error) {
	f, info, err := files.OpenLog(path)
	if err != nil {
		return File{}, err
	}
	defer f.Close()
	r := &logReader{input: input{Decoder: decode.New(nil), ctx: ctx, file: f, size: info.Size()}, line: 1,
		replay: replay{seen: map[string]bool{}}, unknown: map[string]int{}}
	r.Large = images
	all(r)
	if r.err != nil {
		return File{}, fmt.Errorf("read %q: %w", path, r.err)
	}
	return r.result(), nil
}

// logReader replays a log, entry by entry.
type logReader struct {
	input
	replay
	at      int64 // offset of the current entry, or of the white space before it
	start   int64 // offset of the last entry of which the line was asked
	line    int   // that line
	damage  []string
	told    int   // number of the last line that is in damage
	untold  int   // damaged lines that are not named
	wasted  int64 // bytes that were read in vain
	torn    bool  // as in File
	unknown map[string]int
}

// readEntries applies entries from a place on, until one cannot be read. Mostly each is
// a line; a crash may glue several. It returns where reading is to be taken up
// again, -1: nowhere. What can be read of the first initial entry counts.
func (r *logReader) readEntries(from int64) int64 {
	text := r.readFrom(from)
	for {
		kind := r.PeekKind()
		r.at = from + r.InputOffset()
		if kind == 0 && r.AtEnd() {
			return -1
		}
		e, err := entry{}, errNoSession
		if kind != 0 {
			e, err = readEntry(r.Decoder)
		}
		if err == nil {
			if text.zeros >= 0 && text.zeros < r.InputOffset() {
				r.tell("holds zero bytes")
				text.zeros = -1
			}
			r.take(e)
			continue
		}
		begins := r.root == nil && e.is(kindInitial) && e.value.IsValid()
		if begins {
			r.reset(e)
		}
		if r.lineOf(); kind == 0 && r.start > from { // behind a gap that no decoder passes
			if text.zeros >= 0 {
				r.tell("holds zero bytes")
			}
			return r.start
		}
		next := r.next(entryMark, r.start+1)
		if next >= 0 {
			r.tell("cannot be read")
		} else if r.torn = begins; begins { // the last line may go on the next time
			r.tell("ends too early")
		}
		if r.wasted += r.InputOffset(); r.wasted > maxResync*r.size {
			r.damage = append(r.damage, "what follows is not read")
			return -1
		}
		return next
	}
}

// entryMark begins an entry as VS Code writes it, or a line. Within a text it cannot
// stand: there its quotes are escaped.
var entryMark = regexp.MustCompile(`\n|\{"kind":(0,"v":\{|[123],"k":\[)`)

// next is where a mark stands behind a place, -1: nowhere.
func (r *logReader) next(mark *regexp.Regexp, from int64) int64 {
	if at := mark.FindReaderIndex(bufio.NewReader(io.NewSectionReader(r, from, r.size-from))); at != nil {
		return from + int64(at[0])
	}
	return -1
}

// lineOf is the line of the current entry.
func (r *logReader) lineOf() int {
	in := bufio.NewReader(io.NewSectionReader(r, r.start, r.size-r.start))
	for ; ; r.start++ {
		c, err := in.ReadByte()
		if err != nil || r.start >= r.at && c > ' ' {
			return r.line
		}
		if c == '\n' {
			r.line++
		}
	}
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
	line := r.lineOf()
	if r.told == line {
		return
	}
	r.told = line
	if len(r.damage) < maxDamage {
		r.damage = append(r.damage, fmt.Sprintf("line %d %s", line, what))
		return
	}
	r.untold++
}

// errNoSession says that a value is no object.
var errNoSession = errors.New("not a chat session")

// requestMark begins a request in a document.
var requestMark = regexp.MustCompile(`\{\s*"requestId"`)

// readDocument reads the one value of a file as an initial entry. Behind a request that
// cannot be read, in whose place nothing is left, it reads on with the next one.
func (r *logReader) readDocument() {
	const before = `{"requests":[` // makes what follows a session again
	r.readFrom(0)
	s, err := &Session{}, errNoSession
	if r.PeekKind() == '{' {
		err = r.Read(s)
	}
	for base := int64(0); err != nil && len(s.Requests) > 0 && strings.HasPrefix(string(r.StackPointer()), "/requests/"); {
		next := r.next(requestMark, base+r.InputOffset())
		if next < 0 {
			break
		}
		s.Requests[len(s.Requests)-1] = nil
		r.damage = append(r.damage, fmt.Sprintf("request %d cannot be read", len(s.Requests)))
		base = next - int64(len(before))
		r.Reset(io.MultiReader(strings.NewReader(before), &blank{src: io.NewSectionReader(r, next, r.size-next)}))
		err = r.Members(func(name string) error {
			if name != "requests" {
				return r.Member(s, name)
			}
			var rest []*Request
			err := r.Read(&rest)
			s.Requests = append(s.Requests, rest...)
			return err
		})
	}
	r.root, r.begun, r.torn = s, err == nil && len(r.damage) == 0, errors.Is(err, io.ErrUnexpectedEOF)
	switch {
	case err != nil && reflect.ValueOf(*s).IsZero():
		r.root, r.damage = nil, []string{"the file holds no chat session"}
	case err != nil:
		r.damage = append(r.damage, fmt.Sprintf("the file cannot be read behind request %d", len(s.Requests)))
	case !r.AtEnd():
		r.damage = append(r.damage, "something else follows the session")
	}
}

// result is what was read.
func (r *logReader) result() File {
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
