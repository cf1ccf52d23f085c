package main

// complaints remembers what failed in the pass before, so that it is told once.
type complaints struct{ told map[string]bool }

// next takes in what failed in a pass: the pass itself, or items of it. It
// returns what was not told after the pass before; over says that there was
// something, and nothing is left.
func (c *complaints) next(pass error, items []*failure) (fresh []error, over bool) {
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
