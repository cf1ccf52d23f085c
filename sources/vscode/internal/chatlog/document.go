package chatlog

import (
	"context"
	"errors"
	"fmt"
	"io"
	"reflect"

	"github.com/sessionloom/sessionloom/sources/internal/decode"
)

// ReadDocument reads a session that is one JSON object: a .json of VS Code
// before 1.109, or an export. Of one that ends too early it gives what stands
// before, of one with a request that cannot be read all the others, and of one
// that is no session at all nothing but the damage. The error is for a file that
// cannot be opened or read.
func ReadDocument(ctx context.Context, path string, opt Options) (File, error) {
	in, closeFile, err := openFile(ctx, path, opt)
	if err != nil {
		return File{}, err
	}
	defer closeFile()
	s := &sessionReader{}
	d := in.decoder(0, in.size)
	var damage []string
	if err = s.read(d); err == nil && !d.AtEnd() {
		damage = []string{fmt.Sprintf("something else follows the session at byte %d", d.InputOffset())}
	}
	if err = s.salvage(in, 0, in.size, err); err != nil {
		damage = []string{fmt.Sprintf("the file cannot be read behind request %d", s.count())}
	}
	file := File{BytesRead: in.read, Unknown: in.counted()}
	if in.err != nil {
		return file, fmt.Errorf("read %q: %w", path, in.err)
	}
	file.Torn = errors.Is(err, io.ErrUnexpectedEOF)
	if err != nil && (s.state == nil || reflect.ValueOf(*s.state).IsZero()) {
		file.Damage = []string{"the file holds no chat session"}
		return file, nil
	}
	file.State = s.state
	file.Whole = err == nil && len(s.lost) == 0
	file.Damage = append(s.damage(), damage...)
	return file, nil
}

// DecodeDocument reads a session that is one JSON object. With an error it
// gives what stands before the fault, nil if that is nothing.
func DecodeDocument(d *decode.Decoder) (*Session, error) {
	var s sessionReader
	if err := s.read(d); err != nil {
		return s.state, fmt.Errorf("read a chat session: %w", err)
	}
	return s.state, nil
}
