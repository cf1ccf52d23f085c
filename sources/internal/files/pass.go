package files

import (
	"errors"
	"io"
	"sync"
)

// Pass caches by path what was read of shared files, until the end of a pass. The zero value is empty.
// It is safe for concurrent use.
type Pass[T any] struct {
	mu   sync.Mutex
	kept map[string]T
}

// At returns the value for a path, made on first use.
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

// Close ends a pass: it closes databases and empties the cache.
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
