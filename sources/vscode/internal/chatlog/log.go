// Package chatlog reads the files in which VS Code keeps chat sessions: logs of mutations (.jsonl), which are
// replayed, and documents (.json, exports). Both give a Session, which declares what is ever shown of one.
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
	"github.com/sessionloom/sessionloom/sources/internal/words"
)

// maxResync is how many times the size of a file is read of what cannot be taken in.
const maxResync = 16

// File is what was read of a session's file.
type File struct {
	State   *Session       // nil: the file holds nothing that can be read
	Whole   bool           // the session is known from its start
	Torn    bool           // it ends within the one entry, or the document, that holds the session: it was cut off, or is being written
	Rewound bool           // requests were cut off or replaced by others
	Damage  []string       // what could not be read, in plain words
	Unknown map[string]int // mutations of unknown kinds, and values of another type than they should be
}

// ReadLog reads a log of mutations. Damage inside it is told in File.Damage, where VS Code's own
// reader gives up; the error is for a log that cannot be read at all. images says that the bytes of
// pictures that were added to a prompt are kept too.
func ReadLog(ctx context.Context, path string, images bool) (File, error) {
	return read(ctx, path, images, func(r *logReader) {
		for at := int64(0); at >= 0 && r.err == nil; {
			at = r.readEntries(at)
		}
	})
}

// ReadDocument reads a session that is one JSON object: a .json of VS Code before 1.109, or an export. Of one that
// ends too early it gives what stands before, of one with a request that cannot be read all the others, and of one
// that is no session at all nothing but the damage. Error and images are those of ReadLog.
func ReadDocument(ctx context.Context, path string, images bool) (File, error) {
	return read(ctx, path, images, (*logReader).readDocument)
}

func read(ctx context.Context, path string, images bool, all func(*logReader)) (File, error) {
	f, info, err := files.OpenLog(path)
	if err != nil {
		return File{}, err
	}
	defer f.Close()
	r := &logReader{input: input{Decoder: decode.New(nil), ctx: ctx, file: io.NewSectionReader(f, 0, info.Size())}, seen: map[string]bool{}, told: map[string]int{}}
	r.Large, r.Unknown = images, map[string]int{}
	all(r)
	if r.err != nil {
		return File{}, fmt.Errorf("read %q: %w", path, r.err)
	}
	r.State, r.Rewound = r.root, r.rewound()
	r.Decoder.Unknown(r.Unknown)
	for _, what := range r.order {
		r.Damage = append(r.Damage, what+": "+words.Count(r.told[what], "line"))
	}
	if r.root == nil && info.Size() > 0 && len(r.Damage) == 0 {
		r.Damage = []string{"the file holds no entry that can be read"}
	}
	return r.File, nil
}

// logReader replays a log, entry by entry.
type logReader struct {
	input
	File
	told   map[string]int // how many lines are damaged, by how they are
	order  []string       // of that
	wasted int64          // bytes that were read in vain

	root    *Session        // nil before the first entry
	padding int             // nulls that were asked for
	seen    map[string]bool // ids of requests
}

// readEntries applies entries from a place on, until one cannot be read. Mostly each is a line; a
// crash may glue several. It returns where reading is to be taken up again, -1: nowhere. What can
// be read of the first initial entry counts.
func (r *logReader) readEntries(from int64) int64 {
	for text := r.readFrom(from); ; {
		at := from + r.InputOffset()
		kind := r.PeekKind()
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
		next := r.next(visible, at)
		if next < 0 || kind == 0 && next > at { // behind a gap, which a decoder may not pass
			return next
		}
		if next = r.next(entryMark, next+1); next >= 0 {
			r.tell("cannot be read")
		} else if r.Torn = begins; begins { // the last line may go on the next time
			r.tell("ends too early")
		}
		if r.wasted += r.InputOffset(); r.wasted > maxResync*r.file.Size() {
			r.tell("what follows is not read")
			return -1
		}
		return next
	}
}

// visible is what is no white space.
var visible = regexp.MustCompile(`[^\s\x00]`)

// entryMark begins an entry as VS Code writes it, or a line. Within a text it cannot stand: there
// its quotes are escaped.
var entryMark = regexp.MustCompile(`\n|\{"kind":(0,"v":\{|[123],"k":\[)`)

// next returns where a mark stands behind a place, -1: nowhere.
func (r *logReader) next(mark *regexp.Regexp, from int64) int64 {
	if at := mark.FindReaderIndex(bufio.NewReader(io.NewSectionReader(r, from, r.file.Size()-from))); at != nil {
		return from + int64(at[0])
	}
	return -1
}

// take applies one entry.
func (r *logReader) take(e entry) {
	switch {
	case e.bad:
		r.tell("is no entry")
		return
	case e.kind == nil:
		r.Unknown["mutation without kind"]++
		return
	case *e.kind < kindInitial || *e.kind > kindDelete:
		r.Unknown[fmt.Sprintf("mutation kind %d", min(*e.kind, 99))]++
		return
	case r.root == nil && !e.is(kindInitial):
		r.tell("comes before any initial entry: the start of the session is gone")
	}
	if err := r.apply(e); err != nil {
		r.tell(err.Error())
	}
}

// tell notes a damaged line.
func (r *logReader) tell(what string) {
	if r.told[what]++; r.told[what] == 1 {
		r.order = append(r.order, what)
	}
}

// errNoSession says that a value is no object.
var errNoSession = errors.New("not a chat session")

// requestMark begins a request in a document.
var requestMark = regexp.MustCompile(`\{\s*"requestId"`)

// readDocument reads the one value of a file as an initial entry. Behind a request that cannot be
// read, in whose place nothing is left, it reads on with the next one.
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
		r.Damage = append(r.Damage, fmt.Sprintf("request %d cannot be read", len(s.Requests)))
		base = next - int64(len(before))
		r.Reset(io.MultiReader(strings.NewReader(before), &blank{src: io.NewSectionReader(r, next, r.file.Size()-next)}))
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
	r.root, r.Whole, r.Torn = s, err == nil && len(r.Damage) == 0, errors.Is(err, io.ErrUnexpectedEOF)
	switch {
	case err != nil && reflect.ValueOf(*s).IsZero():
		r.root, r.Damage = nil, []string{"the file holds no chat session"}
	case err != nil:
		r.Damage = append(r.Damage, fmt.Sprintf("the file cannot be read behind request %d", len(s.Requests)))
	case !r.AtEnd():
		r.Damage = append(r.Damage, "something else follows the session")
	}
}

// When returns the time of milliseconds since 1970; zero where they are no date of a chat, from 2001 to 2100.
func When(ms int64) time.Time {
	const first, last = 1e12, 4102444800000
	if ms < first || ms > last {
		return time.Time{}
	}
	return time.UnixMilli(ms).UTC()
}
