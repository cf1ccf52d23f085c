package transcript

import "crypto/sha256"

// chain holds the turns in the order of the file, and which line is of which. That order is
// the truth: a walk along the parents from the last line loses prompts, since chains break
// and most forks are parallel results of tools.
//
// A line belongs to the turn of the line that it follows, as far as that is known: two
// processes may write one file. Else it belongs to the newest turn.
type chain struct {
	turns  []*turn
	now    *turn              // the newest, nil before the first prompt
	owners map[lineID]*turn   // of each line of the tree; a value may be nil
	behind map[string][]*turn // prompts that were typed behind a line, by its id
}

// lineID stands for the id of a line.
type lineID [16]byte

func lineOf(uuid string) lineID {
	sum := sha256.Sum256([]byte(uuid))
	return lineID(sum[:16])
}

// ownerOf is the turn of the line that another one follows.
func (c *chain) ownerOf(parent string) *turn {
	if owner := c.owners[lineOf(parent)]; parent != "" && owner != nil {
		return owner
	}
	return c.now
}

// add adds a turn.
func (c *chain) add(t *turn) *turn {
	c.turns, c.now = append(c.turns, t), t
	return t
}

// follow notes behind which line a prompt was typed, and which others were before.
func (c *chain) follow(t *turn) {
	t.before = c.behind[t.parent]
	if len(t.before) > 0 {
		t.above = t.before[0].above
	}
	c.behind[t.parent] = append(t.before, t)
}
