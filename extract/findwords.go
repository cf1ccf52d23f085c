package extract

import (
	"bytes"
	"strings"

	"github.com/sessionloom/sessionloom/extract/internal/facts"
	"github.com/sessionloom/sessionloom/extract/internal/session"
	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/extract/search"
	"github.com/sessionloom/sessionloom/vault/note"
)

// findWords has be found what a run did not store: all that is kept, where an older version did
// not take it in, and the notes of which nothing else is kept.
func (s *Engine) findWords(alone func(id string) session.Merged, notes bool) {
	l := s.Ledger
	if l.SearchMissing() {
		for _, record := range l.Sessions() {
			if l.LayerCount(record.ID) > 0 {
				m := alone(record.ID)
				search.Put(l, &m.Session)
			}
		}
		l.SetValue(ledger.SearchDue, nil)
	}
	if !notes {
		return
	}
	search.PutNotesAlone(l, func(row ledger.NoteRow) (title, text string, ok bool) {
		raw, err := s.Vault.Text(row.Path)
		if err != nil { // it is looked at again when it changes
			return "", "", false
		}
		return facts.Decode(row.Facts, l.Harmed).Title, noteText(raw), true
	})
}

// noteText is what a person reads in a note, without its properties and our comments.
func noteText(raw []byte) string {
	doc := note.ParseDocument(raw)
	text := raw[doc.Front.After:]
	if doc.Comment != nil {
		text, _, _ = bytes.Cut(text, []byte("\n%% sessionloom facts"))
	}
	var out []byte
	for line := range bytes.Lines(text) {
		if !bytes.HasPrefix(line, []byte("%% ")) {
			out = append(out, line...)
		}
	}
	return shownOfLinks(string(out))
}

// shownOfLinks leaves of links to notes what is shown of them.
func shownOfLinks(text string) string {
	var b strings.Builder
	for {
		before, link, found := strings.Cut(text, "[[")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		if end := strings.IndexAny(link, "|]\n"); end >= 0 && link[end] == '|' {
			link = link[end+1:]
		}
		text = link
	}
}
