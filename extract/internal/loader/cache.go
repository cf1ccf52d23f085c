package loader

import (
	"sync"

	"github.com/sessionloom/sessionloom/extract/internal/session"
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
