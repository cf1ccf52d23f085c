package sqlite

import (
	"errors"
	"io"
	"sync"
)

// Pass keeps databases by their paths, from when they are first asked for to the end of a pass.
// The zero value keeps none. It is safe for concurrent use.
type Pass[T io.Closer] struct {
	mu   sync.Mutex
	kept map[string]T
}

// At is the database of a path, which is made where it is not kept yet.
func (p *Pass[T]) At(path string, make func() T) T {
	p.mu.Lock()
	defer p.mu.Unlock()
	db, known := p.kept[path]
	if !known {
		if p.kept == nil {
			p.kept = map[string]T{}
		}
		db = make()
		p.kept[path] = db
	}
	return db
}

// Close ends a pass: databases are closed, and looked at anew in the next one.
func (p *Pass[T]) Close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	var err error
	for _, db := range p.kept {
		err = errors.Join(err, db.Close())
	}
	clear(p.kept)
	return err
}
