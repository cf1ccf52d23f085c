package chatlog

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/sessionloom/sessionloom/sources/internal/decode"
)

// errNoSession says that a value is no object.
var errNoSession = errors.New("not a chat session")

// sessionReader reads a session request by request, so that a fault costs no
// more than the request it stands in.
type sessionReader struct {
	state *Session // what was read so far, nil: nothing

	within bool  // the array of requests
	at     int64 // of the decoder, behind the last request that was read
	again  bool  // reading was taken up again behind a fault
	lost   []int // numbers, from 1, of the requests that cannot be read
}

// read reads a session. errNoSession says that another value was there, which is
// passed.
func (s *sessionReader) read(d *decode.Decoder) error {
	if d.PeekKind() != '{' {
		if err := d.SkipValue(); err != nil {
			return err
		}
		return errNoSession
	}
	if s.state == nil {
		s.state = &Session{}
	}
	return d.Members(func(name string) error {
		if name == "requests" && d.PeekKind() == '[' {
			return s.requests(d)
		}
		return d.Member(s.state, name)
	})
}

func (s *sessionReader) requests(d *decode.Decoder) error {
	if !s.again {
		s.state.Requests = []*Request{}
	}
	s.within, s.at = true, d.InputOffset()+int64(bytes.IndexByte(d.UnreadBuffer(), '['))+1
	err := d.Elements(func() error {
		var r *Request
		if err := d.Read(&r); err != nil {
			return err
		}
		if s.again && r != nil && !r.isOne() {
			r = nil
		}
		s.state.Requests = append(s.state.Requests, r)
		s.at = d.InputOffset()
		return nil
	})
	s.within = err != nil
	return err
}

// isOne guards against taking up reading in the wrong place.
func (r *Request) isOne() bool {
	return r.Message != nil || r.Response.Parts != nil || r.Response.Text != ""
}

// salvage reads on behind requests that cannot be read, of which null is left,
// up to end. base is where the input of the decoder began that met the fault, if
// there is one. The error is that of the last attempt.
func (s *sessionReader) salvage(in *input, base, end int64, fault error) error {
	const before = `{"requests":[` // makes what follows a session again
	for len(s.lost) < maxResync && fault != nil && !errors.Is(fault, io.ErrUnexpectedEOF) && s.within && in.err == nil {
		next := in.nextElement(base+s.at, end)
		if next < 0 {
			return fault
		}
		s.state.Requests = append(s.state.Requests, nil)
		s.lost = append(s.lost, len(s.state.Requests))
		s.again, s.within = true, false
		rest := &blank{src: io.NewSectionReader(in, next, end-next)}
		base = next - int64(len(before))
		fault = s.read(in.newDecoder(io.MultiReader(strings.NewReader(before), rest)))
	}
	return fault
}

// count is the number of requests so far.
func (s *sessionReader) count() int {
	if s.state == nil {
		return 0
	}
	return len(s.state.Requests)
}

func (s *sessionReader) damage() (all []string) {
	for _, n := range s.lost {
		all = append(all, fmt.Sprintf("request %d cannot be read", n))
	}
	return all
}

// nextElement gives the start of the request behind one that cannot be read, or
// the end of the array, -1 where neither is found.
func (in *input) nextElement(from, end int64) int64 {
	if next, ok := in.skipElement(from, end); ok {
		return next
	}
	if unsent := in.mark(pendingMarks, from, end); unsent >= 0 {
		end = unsent
	}
	own := in.mark(requestMarks, from, end)
	if own < 0 || own > from+1 { // behind a comma
		return own
	}
	return in.mark(requestMarks, own+1, end)
}

// skipElement passes an element of an array by its brackets, from the end of the
// one before it. It gives the start of the next one, or the end of the array. A
// text ends with its line: in JSON none holds a line break.
func (in *input) skipElement(from, end int64) (next int64, ok bool) {
	r := bufio.NewReader(io.NewSectionReader(in, from, end-from))
	depth, begun, quoted, escaped := 0, false, false, false
	for at := from; ; at++ {
		c, err := r.ReadByte()
		switch {
		case err != nil:
			return 0, false
		case escaped:
			escaped = false
		case c == '\n':
			quoted = false
		case quoted:
			quoted, escaped = c != '"', c == '\\'
		case c == '"':
			quoted, begun = true, true
		case c == '{' || c == '[':
			depth++
			begun = true
		case (c == '}' || c == ']') && depth > 0:
			depth--
		case c == ']':
			return at, true
		case c == '}':
			return 0, false
		case c == ',' && depth == 0 && begun:
			return at + 1, true
		}
	}
}
