package extract

import (
	"sync"

	"github.com/sessionloom/sessionloom/extract/internal/session"
	"github.com/sessionloom/sessionloom/sources"
)

// cacheBytes bounds the merged sessions kept at hand between reading and
// writing; the others are unpacked from the ledger again.
const cacheBytes = 48 << 20

// cacheOverhead is what a merged session takes beside its text, in bytes: a hundred
// thousand of a few words each are not free.
const cacheOverhead = 1400

// mergedCache holds merged sessions up to a sum of sizes; the first ones stay.
type mergedCache struct {
	mu    sync.Mutex
	left  int
	items map[string]cachedMerge
}

type cachedMerge struct {
	merged session.Merged
	size   int
}

func newMergedCache(bytes int) *mergedCache {
	return &mergedCache{left: bytes, items: map[string]cachedMerge{}}
}

func (c *mergedCache) put(id string, m session.Merged, size int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	size += cacheOverhead
	if size > c.left {
		return
	}
	c.drop(id)
	c.left -= size
	c.items[id] = cachedMerge{merged: m, size: size}
}

func (c *mergedCache) get(id string) (session.Merged, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	m, ok := c.items[id]
	return m.merged, ok
}

func (c *mergedCache) forget(id string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.drop(id)
}

func (c *mergedCache) drop(id string) {
	if old, ok := c.items[id]; ok {
		c.left += old.size
		delete(c.items, id)
	}
}

// merged returns a session made of all layers the ledger keeps, without what it
// inherited from its parent.
func (p *pass) merged(id string) (session.Merged, error) {
	m, err := p.mergedAlone(id)
	if err != nil {
		return m, err
	}
	return p.withoutInherited(m)
}

// mergedAlone returns a session made of all its layers, whatever its parent.
func (p *pass) mergedAlone(id string) (session.Merged, error) {
	if m, ok := p.cache.get(id); ok {
		return m, nil
	}
	layers, err := p.Ledger.Layers(id)
	if err != nil {
		return session.Merged{}, err
	}
	if len(layers) == 0 {
		return session.Merged{Session: sources.Session{ID: id}}, nil
	}
	return p.identified(id, session.Merge(layers))
}

// identified gives what was made of layers the id it belongs to, with the others
// it was found under.
func (p *pass) identified(id string, m session.Merged) (session.Merged, error) {
	var err error
	m.Session.ID = id
	if m.Also, err = p.Ledger.Also(id); err != nil {
		return m, err
	}
	if m.Shown, err = p.shownAlso(m.Also); err != nil {
		return m, err
	}
	if m.Session.Parent, err = p.Ledger.Home(m.Session.Parent); m.Session.Parent == id {
		m.Session.Parent = ""
	}
	return m, err
}

// shownAlso leaves out of the other ids of a session those under which nothing is
// read and which no note tells.
func (p *pass) shownAlso(also []string) (shown []string, err error) {
	for _, id := range also {
		names, err := p.Ledger.LayerNames(id)
		if err != nil {
			return nil, err
		}
		rows, err := p.Ledger.NotesWithKey("also:" + id)
		if err != nil {
			return nil, err
		}
		if len(names)+len(rows) > 0 || sources.IsUUID(id) {
			shown = append(shown, id)
		}
	}
	return shown, nil
}
