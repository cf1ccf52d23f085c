package index

import (
	"fmt"
	"slices"

	"github.com/sessionloom/sessionloom/extract/internal/facts"
	"github.com/sessionloom/sessionloom/extract/redact"
	"github.com/sessionloom/sessionloom/vault"
)

// TextMasker takes secrets out of a text. After an error nothing of it may be kept.
type TextMasker interface {
	Text(s string) (string, error)
}

// FactsIn are the facts of a note as other pages may show them: a human may have
// written into it what the rules mask.
func (n *Notes) FactsIn(note vault.Note) (facts.Facts, error) {
	f := facts.From(note)
	texts := []*string{&f.Title, &f.Summary, &f.Branch}
	f.Boxes = slices.Clone(f.Boxes)
	for i := range f.Boxes {
		texts = append(texts, &f.Boxes[i].Text)
	}
	for _, text := range texts {
		masked, err := n.masker.Text(*text)
		if err != nil {
			return f, fmt.Errorf("look for secrets in %q: %w", note.Path, err)
		}
		if masked != *text {
			*text = redact.Number(masked)[0]
		}
	}
	return f, nil
}
