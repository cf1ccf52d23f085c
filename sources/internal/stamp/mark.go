package stamp

import (
	"time"

	"github.com/sessionloom/sessionloom/sources"
)

// Mark is what is kept with a layer to tell the next time whether it must be
// made again. It holds hashes, no text.
type Mark struct {
	Parts string `json:"p"`           // digest of the parts' names and stamps
	Basis string `json:"b,omitempty"` // digest of what else the layer was made from
	Young bool   `json:"y,omitempty"` // a stamp was too young to be believed
}

// NewMark marks a layer that is made now of these parts and this basis.
func NewMark(parts []sources.Part, basis string, now time.Time) Mark {
	return Mark{Parts: Digest(parts), Basis: basis, Young: Young(parts, now)}
}

// Stands says that a layer marked with m need not be made again where next is
// how it would be marked now.
func (m Mark) Stands(next Mark) bool {
	return m.Parts != "" && m.Parts == next.Parts && m.Basis == next.Basis && !m.Young
}
