package store

import (
	"errors"
	"fmt"
	"os"
	"sync"

	"github.com/klauspost/compress/s2"
)

// maxHeld is how much of packed texts is held in memory; the rest goes to a file.
const maxHeld = 64 << 20

// spill keeps texts: packed, in memory, and beyond [maxHeld] in a temporary file.
type spill struct {
	mu   sync.Mutex
	held int
	file *os.File
	end  int64
}

// span is a text that a spill keeps.
type span struct {
	packed []byte // nil: in the file
	at     int64
	length int
}

func (s *spill) write(text []byte) (*span, error) {
	packed := s2.Encode(nil, text)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.held+len(packed) <= maxHeld {
		s.held += len(packed)
		return &span{packed: packed}, nil
	}
	if s.file == nil {
		var err error
		if s.file, err = os.CreateTemp("", "sessionloom-"); err != nil {
			return nil, fmt.Errorf("keep what would be written: %w", err)
		}
	}
	at := &span{at: s.end, length: len(packed)}
	if _, err := s.file.WriteAt(packed, s.end); err != nil {
		return nil, fmt.Errorf("keep what would be written: %w", err)
	}
	s.end += int64(len(packed))
	return at, nil
}

func (s *spill) read(at *span) ([]byte, error) {
	packed := at.packed
	if packed == nil {
		packed = make([]byte, at.length)
		if _, err := s.file.ReadAt(packed, at.at); err != nil {
			return nil, fmt.Errorf("read what would be written: %w", err)
		}
	}
	text, err := s2.Decode(nil, packed)
	if err != nil {
		return nil, fmt.Errorf("read what would be written: %w", err)
	}
	return text, nil
}

func (s *spill) close() error {
	if s.file == nil {
		return nil
	}
	return errors.Join(s.file.Close(), os.Remove(s.file.Name()))
}
