package content

import (
	"cmp"
	"strconv"

	"github.com/sessionloom/sessionloom/extract/internal/texts"
	"github.com/sessionloom/sessionloom/sources"
)

// CheckpointTitle is what a checkpoint is called, by its number where it has no title.
func CheckpointTitle(c sources.Checkpoint) string {
	return cmp.Or(texts.OneLine(c.Title), "Checkpoint "+strconv.Itoa(c.Number))
}
