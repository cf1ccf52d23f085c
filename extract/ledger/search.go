package ledger

import (
	"bytes"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
)

// The search index has a row for each session or memory, without texts: a hit's texts come from the stored
// session. Each field is a column.
const searchSchema = `
CREATE TABLE search_docs(id INTEGER PRIMARY KEY, session TEXT NOT NULL UNIQUE, print BLOB, is_note INTEGER NOT NULL DEFAULT 0, names TEXT, paths TEXT);
CREATE VIRTUAL TABLE search_words USING fts5(` + searchFields + `, content='', contentless_delete=1, tokenize="porter unicode61 remove_diacritics 2");
CREATE VIRTUAL TABLE search_vocabulary USING fts5vocab(search_words, row);
`

const searchFields = "title, prompt, answer, outcome, checkpoint, plan, memory, saved, command, errors, path, ref, branch, agent"

// SearchFields returns the fields of a [SearchDoc], in order.
func SearchFields() []string { return strings.Split(searchFields, ", ") }

// SearchDoc is the searchable text of a session or memory.
type SearchDoc struct {
	Words []string // the text of each of the SearchFields
	Names string   // identifiers and file names, folded, a line each: found by any three letters
	Paths string   // the same for files that the session changed
	Note  bool     // made from a note, as nothing else is stored
	Print []byte   // fingerprint of the text, so that an unchanged one is not written
}

// PutSearchDoc stores the text of a session, by its id, or of a note, by the note's id.
func (l *Ledger) PutSearchDoc(session string, d SearchDoc) {
	var id int64
	var print []byte
	known := l.one([]any{&id, &print}, "SELECT id, print FROM search_docs WHERE session=?", session)
	if known && bytes.Equal(print, d.Print) {
		return
	}
	if known {
		l.run("DELETE FROM search_words WHERE rowid=?", id)
		l.run("UPDATE search_docs SET print=?, is_note=?, names=?, paths=? WHERE id=?", d.Print, d.Note, d.Names, d.Paths, id)
	} else {
		l.run("INSERT INTO search_docs(session, print, is_note, names, paths) VALUES(?,?,?,?,?)", session, d.Print, d.Note, d.Names, d.Paths)
		l.one([]any{&id}, "SELECT id FROM search_docs WHERE session=?", session)
	}
	values := []any{id}
	for _, w := range d.Words {
		values = append(values, w)
	}
	l.run("INSERT INTO search_words(rowid, "+searchFields+") VALUES(?"+strings.Repeat(",?", len(d.Words))+")", values...)
}

// DropSearchDoc removes a session from the index.
func (l *Ledger) DropSearchDoc(session string) {
	var id int64
	if l.one([]any{&id}, "SELECT id FROM search_docs WHERE session=?", session) {
		l.run("DELETE FROM search_words WHERE rowid=?", id)
		l.run("DELETE FROM search_docs WHERE id=?", id)
	}
}

// SearchHit is a hit of a search: a session or memory, or a note by its id. A lower score is better.
type SearchHit struct {
	Key     string
	Score   float64
	Kind    string // kind of the record; empty: it is a note
	Updated string // RFC 3339, UTC
	Project string
	Empty   bool // without a note
}

func (l *Ledger) searchHits(score, from, where string, args ...any) []SearchHit {
	return list(l, func(h *SearchHit) []any { return []any{&h.Key, &h.Score, &h.Kind, &h.Updated, &h.Project, &h.Empty} },
		"SELECT d.session, "+score+", coalesce(s.kind,''), coalesce(s.updated,n.updated,''), coalesce(s.project,n.project,''), coalesce(s.empty,0)"+
			" FROM "+from+" LEFT JOIN sessions s ON s.id=d.session LEFT JOIN notes n ON d.is_note AND n.id=d.session"+
			" WHERE "+where+" AND (s.id IS NOT NULL OR n.id IS NOT NULL)", args...)
}

// SearchWords returns the hits of an FTS5 expression, with a weight for each field.
func (l *Ledger) SearchWords(expression string, weights []float64) []SearchHit {
	args := make([]any, 0, len(weights)+1)
	for _, w := range weights {
		args = append(args, w)
	}
	score := "bm25(search_words" + strings.Repeat(",?", len(weights)) + ")"
	return l.searchHits(score, "search_words CROSS JOIN search_docs d ON d.id=search_words.rowid", "search_words MATCH ?", append(args, expression)...)
}

// Stem is a word of the index, with the number of texts that have it.
type Stem struct {
	Text string
	Docs int
}

// Stems returns the words of the index in the range from, to, without to.
func (l *Ledger) Stems(from, to string) []Stem {
	return list(l, func(s *Stem) []any { return []any{&s.Text, &s.Docs} }, "SELECT term, doc FROM search_vocabulary WHERE term>=? AND term<?", from, to)
}

// SearchDocs returns the number of documents in the index.
func (l *Ledger) SearchDocs() int { return l.count("SELECT count(*) FROM search_docs") }

// SearchNames returns the hits with a folded text in their names, or with inPaths only in names of changed
// files.
func (l *Ledger) SearchNames(text string, inPaths bool) []SearchHit {
	return l.searchHits("0.0", "search_docs d", "(instr(d.paths, ?1) OR ?2=0 AND instr(d.names, ?1))", text, inPaths)
}

// SearchedNotes returns the print of each document made from a note, by the id of the note, which is also its
// key.
func (l *Ledger) SearchedNotes() map[string]string {
	return l.pairs("SELECT session, CAST(print AS TEXT) FROM search_docs WHERE is_note=1")
}

// NotesAlone returns the notes of sessions and memories of which nothing else is stored, by id.
func (l *Ledger) NotesAlone() []NoteRow {
	return notes.rows(l, `WHERE session<>'' AND state=?1 AND NOT EXISTS (SELECT 1 FROM layers WHERE session=notes.session AND kind<>?2)
		AND NOT EXISTS (SELECT 1 FROM session_aliases a JOIN layers y ON y.session=a.id WHERE a.session=notes.session AND y.kind<>?2) ORDER BY id`,
		int(Present), string(sources.KindWords))
}
