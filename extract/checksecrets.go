package extract

import (
	"html"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/vault"
)

// Which secrets a note may show: one of a project that is not masked all of them.
// A page of several projects is made of what their notes show: it may show what
// one of a project that is not masked does.

// rules sums up what decides about secrets.
func (c *Check) rules() string {
	if len(c.Unmasked) == 0 {
		return c.Masker.Fingerprint()
	}
	return c.Masker.Fingerprint() + " " + digest(strings.Join(c.Unmasked, "\n"), 16)
}

// secrets finds the secrets in a text of ours that are not to stand in a note.
// What was found is not told.
func (c *Check) secrets(note, text string) ([]vault.Secret, error) {
	found, err := c.Masker.Find(text)
	if err != nil || len(found) == 0 {
		return nil, err
	}
	may, err := c.mayShow(note)
	if err != nil {
		return nil, err
	}
	out := make([]vault.Secret, 0, len(found))
	for _, f := range found {
		if !may(text[f.From:f.To]) {
			out = append(out, vault.Secret{Rule: f.Rule, At: f.From})
		}
	}
	return out, nil
}

// mayShow tells of a secret whether the note at a path may show it.
func (c *Check) mayShow(at string) (func(secret string) bool, error) {
	never := func(string) bool { return false }
	if len(c.Unmasked) == 0 {
		return never, nil
	}
	row, known, err := c.Ledger.NoteAt(at)
	if err != nil || !known {
		return never, err
	}
	if row.Project != "" {
		return func(string) bool { return leftUnmasked(c.Unmasked, row.Project) }, nil
	}
	texts, err := c.unmaskedTexts()
	return func(secret string) bool {
		secret = unescaped(secret)
		return slices.ContainsFunc(texts, func(s string) bool { return strings.Contains(s, secret) })
	}, err
}

// openTexts are the texts that pages take from the notes of projects which are not
// masked.
func (c *Check) openTexts() (out []string, err error) {
	for _, typ := range noteTypes {
		rows, err := c.Ledger.NotesOfType(typ)
		if err != nil {
			return nil, err
		}
		for _, row := range rows {
			if !leftUnmasked(c.Unmasked, row.Project) {
				continue
			}
			f, err := decodeFacts(row.Facts)
			if err != nil {
				continue // it is a finding of its own
			}
			texts := append([]string{row.Path, f.Title, f.Summary, f.Branch, f.Repository, f.Project}, slices.Concat(f.Files, f.Refs)...)
			for _, b := range f.Boxes {
				texts = append(texts, b.Text)
			}
			out = append(out, unescaped(strings.Join(texts, "\n")))
		}
	}
	return out, nil
}

// unescaped is a text without what keeps it from acting in a note.
func unescaped(s string) string { return html.UnescapeString(strings.ReplaceAll(s, `\`, "")) }
