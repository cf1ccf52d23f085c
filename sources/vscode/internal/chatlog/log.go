// Package chatlog reads the files in which VS Code keeps chat sessions: logs of mutations (.jsonl), which are
// replayed, and documents (.json, exports), which count as a first entry. Both give a Session, which declares
// everything that may be shown.
package chatlog

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"reflect"
	"regexp"
	"slices"
	"time"

	"github.com/sessionloom/sessionloom/sources/internal/decode"
	"github.com/sessionloom/sessionloom/sources/internal/files"
	"github.com/sessionloom/sessionloom/sources/internal/words"
)

// maxResync limits the reading of unusable text, as a multiple of the file's size.
const maxResync = 16

// File is the content of a session's file.
type File struct {
	State   *Session       // nil: nothing could be read
	Whole   bool           // the session is known from its start
	Torn    bool           // it ends within the one entry, or the document, with the session: it was cut, or is being written
	Rewound bool           // requests were cut off or replaced by others
	Damage  []string       // unreadable parts, in plain words
	Unknown map[string]int // mutations of unknown kinds, and values of wrong types
}

// Read reads a log of mutations, or a session that is one JSON object. Damage at which VS Code's own reader
// gives up is in File.Damage; the error is for a file that cannot be read at all. images says that the bytes
// of pictures in prompts are kept too.
func Read(ctx context.Context, path string, images bool) (File, error) {
	f, info, err := files.OpenLog(path)
	if err != nil {
		return File{}, err
	}
	defer f.Close()
	r := &logReader{
		Decoder: decode.New(nil), text: &text{SectionReader: io.NewSectionReader(f, 0, info.Size()), ctx: ctx},
		seen: map[string]bool{}, told: map[string]int{},
	}
	r.Large, r.File.Unknown = images, map[string]int{}
	for at := int64(0); at >= 0 && r.text.err == nil; {
		at = r.readEntries(at)
	}
	if r.text.err != nil {
		return File{}, fmt.Errorf("read %q: %w", path, r.text.err)
	}
	r.Rewound = r.rewound()
	r.Decoder.Unknown(r.File.Unknown)
	for _, what := range slices.Sorted(maps.Keys(r.told)) {
		r.Damage = append(r.Damage, what+": "+words.Count(r.told[what], "line"))
	}
	if r.State == nil && info.Size() > 0 && len(r.Damage) == 0 {
		r.Damage = []string{"the file holds no chat that can be read"}
	}
	return r.File, nil
}

// text is a file as it was when opened: text appended later waits for the next time. A byte order mark and
// zero bytes are read as spaces: a crash may leave a file of the right length without its content. It ends
// with the context, and remembers errors of the file itself.
type text struct {
	*io.SectionReader
	ctx context.Context
	err error
}

func (t *text) Read(b []byte) (n int, err error) {
	at, _ := t.Seek(0, io.SeekCurrent)
	if err = t.ctx.Err(); err == nil {
		n, err = t.SectionReader.Read(b)
	}
	if err != nil && !errors.Is(err, io.EOF) {
		t.err = err
	}
	if at == 0 && bytes.HasPrefix(b[:n], []byte("\ufeff")) {
		copy(b, "   ")
	}
	if bytes.IndexByte(b[:n], 0) >= 0 {
		copy(b, bytes.ReplaceAll(b[:n], []byte{0}, []byte{' '}))
	}
	return n, err
}

// logReader replays a log, entry by entry.
type logReader struct {
	*decode.Decoder
	File
	text    *text
	told    map[string]int  // numbers of damaged lines, by kind of damage
	wasted  int64           // bytes read in vain
	padding int             // nulls added as padding
	seen    map[string]bool // ids of requests
}

// readEntries applies entries from an offset on, until one cannot be read. Mostly each is a line; a crash may
// join several. It returns where reading can continue, or -1. The readable part of the first initial entry
// counts.
func (r *logReader) readEntries(from int64) int64 {
	_, _ = r.text.Seek(from, io.SeekStart)
	r.Reset(r.text)
	for {
		at, isGap := from+r.InputOffset(), r.PeekKind() == 0
		e, err := r.readEntry()
		if err == nil {
			r.take(e)
			continue
		}
		begins := r.State == nil && e.is(kindInitial) && e.value.IsValid()
		if begins {
			r.reset(e)
		}
		start := r.next(visible, at)
		if start < 0 || isGap && start > at { // a gap may be larger than a decoder skips
			return start
		}
		next := r.next(entryMark, start+1)
		if begins && (next < 0 || e.alone) {
			r.Torn = errors.Is(err, io.ErrUnexpectedEOF)
			r.Damage = append(r.Damage, fmt.Sprintf("the chat cannot be read behind request %d", len(r.State.Requests)))
			return -1
		}
		if next >= 0 { // else it is the last line, which may continue next time
			r.told["cannot be read"]++
		}
		if r.wasted += r.InputOffset(); r.wasted > maxResync*r.text.Size() {
			r.told["what follows is not read"]++
			return -1
		}
		return next
	}
}

var (
	visible = regexp.MustCompile(`\S`)
	// entryMark begins an entry as VS Code writes it, or a line. It cannot occur within a text, whose quotes are escaped.
	entryMark = regexp.MustCompile(`\n|\{"kind":(0,"v":\{|[123],"k":\[)`)
)

// next returns the next index of a mark after an offset, or -1.
func (r *logReader) next(mark *regexp.Regexp, from int64) int64 {
	_, _ = r.text.Seek(from, io.SeekStart)
	if at := mark.FindReaderIndex(bufio.NewReader(r.text)); at != nil {
		return from + int64(at[0])
	}
	return -1
}

func (r *logReader) take(e entry) {
	switch {
	case e.bad, e.alone && r.State != nil:
		r.told["is no entry"]++
		return
	case e.kind == nil:
		r.File.Unknown["mutation without kind"]++
		return
	case *e.kind < kindInitial || *e.kind > kindDelete:
		r.File.Unknown[fmt.Sprintf("mutation kind %d", min(*e.kind, 99))]++
		return
	case r.State == nil && !e.is(kindInitial):
		r.told["comes before any initial entry: the start of the session is gone"]++
	}
	if err := r.apply(e); err != nil {
		r.told[err.Error()]++
	}
}

func (r *logReader) rewound() bool {
	there := map[string]bool{}
	for _, one := range cmp.Or(r.State, &Session{}).Requests {
		if one != nil && r.seen[one.RequestID] {
			there[one.RequestID] = true
		}
	}
	return len(there) < len(r.seen)
}

// When returns the time of milliseconds since 1970, or zero for a date before 2001 or after 2100.
func When(ms int64) time.Time {
	const first, last = 1e12, 4102444800000
	if ms < first || ms > last {
		return time.Time{}
	}
	return time.UnixMilli(ms).UTC()
}

// maxPadding limits the nulls that a log may add by naming indexes after the end of an array.
const maxPadding = 1 << 16

// errMissing says that an entry changes a missing value.
var errMissing = errors.New("changes what is not there")

// apply changes the state by an entry of a known kind. Undeclared data is dropped.
func (r *logReader) apply(e entry) error {
	if e.is(kindInitial) {
		r.reset(e)
		r.Whole = true // nothing before is missing
		return nil
	}
	if r.State == nil { // the start of the log is gone
		r.State = &Session{Requests: []*Request{}}
	}
	at, err := r.place(e.path)
	if err != nil || len(e.path) == 0 || !at.IsValid() {
		return err
	}
	r.note(e)
	switch list := decode.List(at); {
	case e.is(kindPush) && list.IsValid():
		return r.push(list, e)
	case e.is(kindPush):
	case e.is(kindDelete) || !e.value.IsValid():
		at.SetZero()
	default:
		at.Set(e.value)
	}
	return nil
}

// place returns the value at a path, for which arrays grow; invalid: it is not declared.
func (r *logReader) place(path []step) (v reflect.Value, err error) {
	state := r.State
	if state == nil {
		state = &Session{}
	}
	v = reflect.ValueOf(state).Elem()
	for _, at := range path {
		if !v.IsValid() {
			break
		}
		if at.index < 0 {
			v = decode.Member(v, at.name)
			continue
		}
		list := decode.List(v)
		if v = (reflect.Value{}); list.IsValid() {
			if err := r.resize(list, max(int64(list.Len()), int64(at.index)+1)); err != nil {
				return v, err
			}
			v = list.Index(at.index)
		}
	}
	return v, nil
}

func (r *logReader) reset(e entry) {
	r.State = e.value.Addr().Interface().(*Session)
	r.note(e)
}

// push appends to an array, after cutting it to a length if the entry has one.
func (r *logReader) push(list reflect.Value, e entry) error {
	if e.cut != nil && *e.cut >= 0 {
		if err := r.resize(list, *e.cut); err != nil {
			return err
		}
	}
	if e.value.IsValid() {
		list.Set(reflect.AppendSlice(list, e.value))
	}
	return nil
}

// resize cuts an array, or pads it with nulls.
func (r *logReader) resize(list reflect.Value, length int64) error {
	if length > int64(list.Len()+maxPadding-r.padding) {
		return errMissing
	}
	n := int(length)
	if n < list.Len() {
		list.Slice(n, list.Len()).Clear()
	} else {
		r.padding += n - list.Len()
		list.Grow(n - list.Len())
	}
	list.SetLen(n)
	return nil
}

func (r *logReader) note(e entry) {
	if !e.value.IsValid() {
		return
	}
	var brought []*Request
	switch v := e.value.Addr().Interface().(type) {
	case *Session:
		brought = v.Requests
	case *[]*Request:
		brought = *v
	case **Request:
		brought = []*Request{*v}
	}
	for _, one := range brought {
		if one != nil && one.RequestID != "" {
			r.seen[one.RequestID] = true
		}
	}
}

// The kinds of entries (objectMutationLog.ts of VS Code).
const (
	kindInitial = 0
	kindSet     = 1
	kindPush    = 2
	kindDelete  = 3
)

// step is one step of a path: a member's name, or an element's index.
type step struct {
	name  string
	index int // -1: a name
}

func (s *step) ReadJSON(d *decode.Decoder) (fits bool, err error) {
	var said decode.Scalar
	err = d.Read(&said)
	n, ok := decode.Number(said.Text)
	*s = step{name: said.String(), index: -1}
	if said.Kind == '0' && ok && n >= 0 && n <= math.MaxInt32 {
		s.index = int(n)
	}
	return true, err
}

// entry is one mutation, or a whole session as an initial entry.
type entry struct {
	kind  *int64 // nil: none was given
	path  []step
	cut   *int64        // length to cut the array to before the push, or nil
	value reflect.Value // value of the type declared at the path; invalid: none, or not declared
	bad   bool          // it is invalid
	alone bool          // it is a session
}

// readEntry reads a mutation; with an error, an initial entry has the readable part.
func (r *logReader) readEntry() (e entry, err error) {
	d := r.Decoder
	if d.PeekKind() != '{' {
		return entry{bad: true}, d.SkipValue()
	}
	var session *Session
	err = d.Members(func(name string) error {
		switch name {
		case "kind":
			return d.Read(&e.kind)
		case "k":
			return d.Read(&e.path)
		case "i":
			return d.Read(&e.cut)
		case "v": // VS Code writes it last
			return r.readValue(&e)
		}
		if session == nil {
			session = &Session{}
		}
		return d.Member(session, name)
	})
	if v := reflect.ValueOf(session); session != nil && e.kind == nil && !v.Elem().IsZero() {
		e.kind, e.value, e.bad, e.alone = new(int64), v.Elem(), false, true
	}
	e.bad = e.bad || e.is(kindInitial) && !e.value.IsValid()
	return e, err
}

func (e *entry) is(kind int64) bool { return e.kind != nil && *e.kind == kind }

func (r *logReader) readValue(e *entry) error {
	kind := r.PeekKind()
	at, err := r.place(e.path)
	switch {
	case e.kind == nil:
		e.bad = true
	case e.is(kindInitial):
		at, e.bad = reflect.ValueOf(&Session{}).Elem(), kind != '{'
	case e.is(kindPush) && at.IsValid():
		at, e.bad = decode.List(at), kind != '['
	}
	if err != nil || e.bad || !at.IsValid() { // an invalid place is reported later
		return r.SkipValue()
	}
	e.value = reflect.New(at.Type()).Elem()
	return r.ReadInto(e.value)
}
