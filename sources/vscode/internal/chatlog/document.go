package chatlog

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/sessionloom/sessionloom/sources/internal/lines"
	"github.com/sessionloom/sessionloom/sources/vscode/internal/tree"
)

// ReadDocument reads a session that is one JSON object: a .json of VS Code
// before 1.109, or an export. Of one that ends too early it gives what stands
// before, of one with a request that cannot be read all the others, and of one
// that is no session at all nothing but the damage. The error is for a file that
// cannot be opened or read.
func ReadDocument(ctx context.Context, path string, opt Options) (File, error) {
	f, info, err := lines.Open(path)
	if err != nil {
		return File{}, err
	}
	defer f.Close()
	in := &input{ctx: ctx, src: f, size: info.Size()}
	s := &sessionReader{keep: Keep(opt)}
	d := in.decoder(0, in.size)
	var damage []string
	if err = s.read(d); err == nil && !atEnd(d) {
		damage = []string{fmt.Sprintf("something else follows the session at byte %d", d.InputOffset())}
	}
	if err = s.salvage(in, 0, in.size, err); err != nil {
		damage = []string{fmt.Sprintf("the file cannot be read behind request %d", s.state.Get("requests").Len())}
	}
	file := File{BytesRead: in.read}
	if in.err != nil {
		return file, fmt.Errorf("read %q: %w", path, in.err)
	}
	file.Torn = errors.Is(err, io.ErrUnexpectedEOF)
	if err != nil && s.state.Len() == 0 {
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
func DecodeDocument(r io.Reader, opt Options) (*tree.Node, error) {
	s := sessionReader{keep: Keep(opt)}
	if err := s.read(tree.NewDecoder(r)); err != nil {
		return s.state, fmt.Errorf("read a chat session: %w", err)
	}
	return s.state, nil
}

func atEnd(d *jsontext.Decoder) bool {
	_, err := d.ReadToken()
	return errors.Is(err, io.EOF)
}
