package content

import (
	"cmp"
	"strconv"

	"github.com/sessionloom/sessionloom/extract/internal/texts"
	"github.com/sessionloom/sessionloom/sources"
)

func CheckpointTitle(c sources.Checkpoint) string {
	return cmp.Or(texts.OneLine(c.Title), "Checkpoint "+strconv.Itoa(c.Number))
}
