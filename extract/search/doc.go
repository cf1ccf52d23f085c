package search

import (
	"crypto/sha256"
	"strings"

	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/sources"
)

// Put takes in what is kept of a session, in place of what was known of it.
func Put(l *ledger.Ledger, s *sources.Session) {
	l.PutSearchDoc(s.ID, docOf(passages(s)))
}

// docOf puts passages into the columns of the index.
func docOf(all []passage) ledger.SearchDoc {
	fields := map[Field]*strings.Builder{}
	var names, paths strings.Builder
	told := map[string]bool{}
	name := func(s string) {
		if !told[s] {
			told[s] = true
			names.WriteString(s)
			names.WriteByte('\n')
		}
	}
	for _, p := range all {
		if fields[p.field] == nil {
			fields[p.field] = &strings.Builder{}
		}
		b := fields[p.field]
		b.WriteString(spaced(p.text))
		b.WriteByte('\n')
		switch p.field {
		case Path:
			paths.WriteString(p.text + "\n")
		case Branch, Agent:
		default:
			namesIn(p.text, name)
		}
	}
	d := ledger.SearchDoc{Names: names.String(), Paths: paths.String()}
	hash := sha256.New()
	for _, f := range ledger.SearchFields() {
		text := ""
		if b := fields[Field(f)]; b != nil {
			text = b.String()
		}
		d.Words = append(d.Words, text)
		hash.Write([]byte(text))
		hash.Write([]byte{0})
	}
	d.Print = hash.Sum(nil)[:16]
	return d
}
