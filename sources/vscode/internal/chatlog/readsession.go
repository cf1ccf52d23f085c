package chatlog

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/sessionloom/sessionloom/sources/vscode/internal/tree"
)

// errNoSession says that a value is no object.
var errNoSession = errors.New("not a chat session")

// sessionReader reads a session request by request, so that a fault costs no
// more than the request it stands in.
type sessionReader struct {
	keep  *tree.Keep
	state *tree.Node // what was read so far, nil: nothing

	within bool  // the array of requests
	at     int64 // of the decoder, behind the last request that was read
	again  bool  // reading was taken up again behind a fault
	lost   []int // numbers, from 1, of the requests that cannot be read
}

// read reads a session. errNoSession says that another value was there, which is
// passed.
func (s *sessionReader) read(d *jsontext.Decoder) error {
	if d.PeekKind() != '{' {
		if err := d.SkipValue(); err != nil {
			return err
		}
		return errNoSession
	}
	if _, err := d.ReadToken(); err != nil {
		return err
	}
	if s.state == nil {
		s.state = tree.NewObject()
	}
	for d.PeekKind() != '}' {
		tok, err := d.ReadToken()
		if err != nil {
			return err
		}
		if err := s.member(d, tok.String()); err != nil {
			return err
		}
	}
	_, err := d.ReadToken()
	return err
}

func (s *sessionReader) member(d *jsontext.Decoder, name string) error {
	keep := s.keep.Member(name)
	if name == "requests" && d.PeekKind() == '[' {
		return s.requests(d, keep.Element())
	}
	v, err := tree.Read(d, keep)
	if err == nil && v != nil {
		s.state.Set(name, v)
	}
	return err
}

func (s *sessionReader) requests(d *jsontext.Decoder, keep *tree.Keep) error {
	all := s.state.Get("requests")
	if !s.again || all.Kind() != tree.Array {
		all = tree.NewArray()
		s.state.Set("requests", all)
	}
	if _, err := d.ReadToken(); err != nil {
		return err
	}
	s.within, s.at = true, d.InputOffset()
	for d.PeekKind() != ']' {
		v, err := tree.Read(d, keep)
		if err != nil {
			return err
		}
		if v == nil || s.again && !isRequest(v) {
			v = tree.NewNull()
		}
		all.Push(v)
		s.at = d.InputOffset()
	}
	s.within = false
	_, err := d.ReadToken()
	return err
}

// isRequest guards against taking up reading in the wrong place.
func isRequest(n *tree.Node) bool {
	return n.Get("message").Has() || n.Get("response").Has()
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
		s.state.Get("requests").Push(tree.NewNull())
		s.lost = append(s.lost, s.state.Get("requests").Len())
		s.again, s.within = true, false
		rest := &blank{src: io.NewSectionReader(in, next, end-next)}
		base = next - int64(len(before))
		fault = s.read(tree.NewDecoder(io.MultiReader(strings.NewReader(before), rest)))
	}
	return fault
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
