package files

import (
	"bytes"
	"fmt"
	"io"
	"unicode/utf8"
)

// Why the text of a file is not given.
const (
	LeftBinary = "binary"
	LeftLarge  = "too large"
)

// Text is what a small file holds.
type Text struct {
	Body string // empty where Left is set; a byte order mark is removed
	Size int64  // bytes on disk
	Left string // LeftBinary, LeftLarge or empty
	Read int64  // bytes that were read
}

// ReadText reads a file of at most limit bytes. A larger one, or one that is no
// UTF-8 text, is told by Left and gives no body; this is no error.
func ReadText(path string, limit int64) (Text, error) {
	f, info, err := OpenText(path)
	if err != nil {
		return Text{}, err
	}
	defer f.Close()
	t := Text{Size: info.Size()}
	if t.Size > limit {
		t.Left = LeftLarge
		return t, nil
	}
	body, err := io.ReadAll(io.LimitReader(f, limit+1))
	t.Read = int64(len(body))
	if err != nil {
		return t, fmt.Errorf("read %q: %w", path, err)
	}
	t.Size = t.Read
	switch {
	case t.Read > limit: // it grew meanwhile
		t.Left = LeftLarge
	case bytes.IndexByte(body, 0) >= 0 || !utf8.Valid(body):
		t.Left = LeftBinary
	default:
		t.Body = string(bytes.TrimPrefix(body, []byte("\ufeff")))
	}
	return t, nil
}
