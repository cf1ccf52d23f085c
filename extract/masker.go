package extract

import "github.com/sessionloom/sessionloom/extract/internal/remask"

// Masker takes secrets out of texts, see [remask.Masker].
type Masker = remask.Masker
