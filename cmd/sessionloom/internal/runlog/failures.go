package runlog

import (
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/exit"
)

// Failures remembers what failed in the pass before, so that it is told once.
type Failures struct{ told map[string]bool }

// Next takes in what failed in a pass: the pass itself, or items of it. It
// returns what was not told after the pass before; over says that there was
// something, and nothing is left.
func (c *Failures) Next(pass error, items []*exit.Error) (fresh []error, over bool) {
	now := map[string]bool{}
	add := func(err error) {
		if text := err.Error(); !now[text] {
			now[text] = true
			if !c.told[text] {
				fresh = append(fresh, err)
			}
		}
	}
	if pass != nil {
		add(pass)
	}
	for _, f := range items {
		add(f)
	}
	over = len(c.told) > 0 && len(now) == 0
	c.told = now
	return fresh, over
}
