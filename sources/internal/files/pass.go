package files

import (
	"errors"
	"io"
	"sync"
)

// Pass keeps what was read of shared files, by their paths, from when it is first asked for to the end of a pass. The zero value
// keeps nothing. It is safe for concurrent use.
type Pass[T any] struct {
	mu   sync.Mutex
	kept map[string]T
}

// At is what is kept of a path; where nothing is, it is made.
func (p *Pass[T]) At(path string, make func() T) T {
	p.mu.Lock()
	defer p.mu.Unlock()
	one, known := p.kept[path]
	if !known {
		if p.kept == nil {
			p.kept = map[string]T{}
		}
		one = make()
		p.kept[path] = one
	}
	return one
}

// Close ends a pass: databases are closed, and all is looked at anew in the next one.
func (p *Pass[T]) Close() (err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, one := range p.kept {
		if open, ok := any(one).(io.Closer); ok {
			err = errors.Join(err, open.Close())
		}
	}
	clear(p.kept)
	return err
}
