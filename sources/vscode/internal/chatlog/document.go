package chatlog

import (
	"bufio"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strconv"
	"strings"

	"github.com/sessionloom/sessionloom/sources/internal/decode"
)

// errNoSession says that a value is no object.
var errNoSession = errors.New("not a chat session")

// ReadDocument reads a session that is one JSON object: a .json of VS Code before
// 1.109, or an export. Of one that ends too early it gives what stands before, of
// one with a request that cannot be read all the others, and of one that is no
// session at all nothing but the damage. The error is for a file that cannot be
// opened or read. images says that the bytes of pictures that were added to a prompt
// are kept too.
func ReadDocument(ctx context.Context, path string, images bool) (File, error) {
	in, err := openFile(ctx, path, images)
	if err != nil {
		return File{}, err
	}
	defer in.file.Close()
	in.Reset(&blank{src: io.NewSectionReader(in, 0, in.size), start: true})
	file := File{Unknown: map[string]int{}}
	file.State, err = DecodeDocument(in.Decoder)
	file.Whole = err == nil
	err = in.salvage(&file, err)
	switch {
	case err != nil && reflect.ValueOf(*file.State).IsZero():
		file.State, file.Damage = nil, []string{"the file holds no chat session"}
	case err != nil:
		behind := fmt.Sprintf("the file cannot be read behind request %d", len(file.State.Requests))
		file.Damage = append(file.Damage, behind)
	case !in.AtEnd():
		file.Damage = append(file.Damage, "something else follows the session")
	}
	file.Torn = errors.Is(err, io.ErrUnexpectedEOF)
	in.Unknown(file.Unknown)
	if in.err != nil {
		return file, fmt.Errorf("read %q: %w", path, in.err)
	}
	return file, nil
}

// DecodeDocument reads a session that is one JSON object. With an error it gives
// what stands before the fault.
func DecodeDocument(d *decode.Decoder) (*Session, error) {
	state := &Session{}
	if d.PeekKind() != '{' {
		return state, errors.Join(errNoSession, d.SkipValue())
	}
	if err := d.Read(state); err != nil {
		return state, fmt.Errorf("read a chat session: %w", err)
	}
	return state, nil
}

// salvage reads on behind requests that cannot be read, in whose place null is
// left. The error is that of the last attempt.
func (in *input) salvage(file *File, fault error) error {
	const before = `{"requests":[` // makes what follows a session again
	s, base := file.State, int64(0)
	for i := 0; i < maxResync && fault != nil && !errors.Is(fault, io.ErrUnexpectedEOF); i++ {
		if len(s.Requests) == 0 || !strings.HasPrefix(string(in.StackPointer()), "/requests/") {
			break
		}
		next := in.nextRequest(base+in.InputOffset(), in.StackDepth())
		if next < 0 {
			break
		}
		s.Requests[len(s.Requests)-1] = nil
		file.Damage = append(file.Damage, fmt.Sprintf("request %d cannot be read", len(s.Requests)))
		base = next - int64(len(before))
		in.Reset(io.MultiReader(strings.NewReader(before), &blank{src: io.NewSectionReader(in, next, in.size-next)}))
		fault = in.Members(func(name string) error {
			if name != "requests" {
				return in.Member(s, name)
			}
			var rest []*Request
			err := in.Read(&rest)
			s.Requests = append(s.Requests, rest...)
			return err
		})
	}
	return fault
}

// nextRequest is where the next request begins, from a place within the brackets of
// one that cannot be read; -1: nowhere. A text ends with its line: in JSON none
// holds a line break.
func (in *input) nextRequest(from int64, depth int) int64 {
	const ofRequests = 2
	r := bufio.NewReader(io.NewSectionReader(in, from, in.size-from))
	quoted, escaped := false, false
	for at := from; depth >= ofRequests; at++ {
		c, err := r.ReadByte()
		switch {
		case err != nil:
			return -1
		case escaped:
			escaped = false
		case quoted:
			quoted, escaped = c != '"' && c != '\n', c == '\\'
		case c == '"':
			quoted = true
		case c == '{' || c == '[':
			depth++
		case c == '}' || c == ']':
			depth--
		case c == ',' && depth == ofRequests:
			return at + 1
		}
	}
	return -1
}

// maxImage is how many bytes of an image are kept.
const maxImage = 10 << 20

// Value is what a variable stands for. A place stays, bytes only where large values
// are wanted; the rest is text for the model. Bytes stand there as {"$base64": …},
// or as an object with a member for each.
type Value struct {
	Place
	Bytes []byte
}

// ReadJSON implements decode.Reader.
func (v *Value) ReadJSON(d *decode.Decoder) (fits bool, err error) {
	if kind := d.PeekKind(); kind != '{' {
		return kind == '"', d.SkipValue()
	}
	isBytes := false
	err = d.Members(func(name string) error {
		_, notIndex := strconv.ParseUint(name, 10, 32)
		switch kind := d.PeekKind(); {
		case kind == '0' && notIndex == nil:
			isBytes = true
			return v.addByte(d)
		case kind == '"' && name == "$base64":
			isBytes = true
			return v.addBase64(d)
		}
		return d.Member(&v.Place, name)
	})
	if isBytes {
		v.Place = Place{}
	}
	if len(v.Bytes) > maxImage {
		v.Bytes = nil
	}
	return true, err
}

func (v *Value) addByte(d *decode.Decoder) error {
	tok, err := d.ReadToken()
	if err == nil && d.Large && len(v.Bytes) <= maxImage {
		b, _ := strconv.ParseUint(tok.String(), 10, 8)
		v.Bytes = append(v.Bytes, byte(b))
	}
	return err
}

func (v *Value) addBase64(d *decode.Decoder) error {
	tok, err := d.ReadToken()
	if err != nil || !d.Large {
		return err
	}
	text := strings.TrimRight(tok.String(), "=")
	if content, err := base64.RawStdEncoding.DecodeString(text); err == nil {
		v.Bytes = content
	}
	return nil
}
