package chatlog

import (
	"context"
	"errors"
	"fmt"
	"io"
	"reflect"

	"github.com/sessionloom/sessionloom/sources/internal/decode"
)

// errNoSession says that a value is no object.
var errNoSession = errors.New("not a chat session")

// ReadDocument reads a session that is one JSON object: a .json of VS Code before
// 1.109, or an export. Of one that cannot be read to its end it gives what stands
// before, and of one that is no session at all nothing but the damage. The error
// is for a file that cannot be opened or read.
func ReadDocument(ctx context.Context, path string, opt Options) (File, error) {
	in, err := openFile(ctx, path, opt)
	if err != nil {
		return File{}, err
	}
	defer in.file.Close()
	in.Reset(&blank{src: io.NewSectionReader(in, 0, in.size), start: true})
	state, err := DecodeDocument(in.Decoder)
	file := File{Whole: err == nil, Torn: errors.Is(err, io.ErrUnexpectedEOF), Unknown: map[string]int{}}
	switch {
	case err != nil && reflect.ValueOf(*state).IsZero():
		file.Damage = []string{"the file holds no chat session"}
		state = nil
	case err != nil:
		file.Damage = []string{fmt.Sprintf("the file cannot be read behind request %d", len(state.Requests))}
	case !in.AtEnd():
		file.Damage = []string{fmt.Sprintf("something else follows the session at byte %d", in.InputOffset())}
	}
	in.Unknown(file.Unknown)
	file.State, file.BytesRead = state, in.read
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
