package index

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/extract/internal/facts"
	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/extract/redact"
	"github.com/sessionloom/sessionloom/vault"
	"github.com/sessionloom/sessionloom/vault/note"
)

// FactsIn are the facts of a note as other pages may show them: a human may have
// written into it what the rules mask.
func (n *Notes) FactsIn(in vault.Note) (facts.Facts, error) {
	f := facts.From(in)
	texts := []*string{&f.Title, &f.Summary, &f.Branch}
	f.Boxes = slices.Clone(f.Boxes)
	for i := range f.Boxes {
		texts = append(texts, &f.Boxes[i].Text)
	}
	for _, text := range texts {
		masked, err := n.masker.Text(*text)
		if err != nil {
			return f, fmt.Errorf("look for secrets in %q: %w", in.Path, err)
		}
		if masked != *text {
			*text = redact.Number(masked)[0]
		}
	}
	return f, nil
}

// FactsOf are the facts of a note as it stands in the vault.
func (n *Notes) FactsOf(in *vault.Vault, row ledger.NoteRow) (facts.Facts, error) {
	text, err := in.Text(row.Path)
	if err != nil {
		return facts.Facts{}, err
	}
	return n.FactsIn(note.Parse(row.Path, text))
}

// MaskedID is the id that the rules leave a note: that of its session is another one
// then, by which two sessions stay two.
func (n *Notes) MaskedID(row ledger.NoteRow) (string, error) {
	f, err := facts.Decode(row.Facts)
	if err != nil {
		return row.ID, err
	}
	f.ID = row.ID
	id := row.ID
	if session := f.Session(); session != "" {
		id = strings.Replace(id, session, names.PlainForm{Masker: n.masker}.Ref(session), 1)
	}
	masked, err := n.masker.Text(id)
	return redact.Number(masked)[0], err
}
