package ledger

import (
	"strings"

	"github.com/sessionloom/sessionloom/extract/internal/identity"
	"github.com/sessionloom/sessionloom/sources"
)

// Reads returns all ids under which layers were read.
func (l *Ledger) Reads() (map[string]identity.KnownID, error) {
	out := map[string]identity.KnownID{}
	err := l.each(func(r row) error {
		var id string
		var x identity.KnownID
		err := r.Scan(&id, &x.Created, &x.Rank, &x.Complete)
		out[id] = x
		return err
	}, "SELECT session, coalesce(min(nullif(created,'')),''), min(rank), max(whole AND rank<?) FROM layers GROUP BY session",
		int(sources.RankStore))
	return out, err
}

// Claims returns what layers, and then what notes, say of other ids of a session.
func (l *Ledger) Claims() ([]identity.AliasClaim, error) {
	var out []identity.AliasClaim
	err := l.each(func(r row) error {
		var by, aka string
		if err := r.Scan(&by, &aka); err != nil {
			return err
		}
		for of := range strings.SplitSeq(aka, "\n") {
			out = append(out, identity.AliasClaim{By: by, Of: of})
		}
		return nil
	}, "SELECT DISTINCT session, aka FROM layers WHERE aka<>'' ORDER BY session, aka")
	if err != nil {
		return nil, err
	}
	told, err := list(l, func(c *identity.AliasClaim) []any { return []any{&c.Of, &c.By, &c.Created, &c.FromNote} },
		"SELECT substr(k.key,6), n.session, n.created, 1 FROM note_index k JOIN notes n ON n.id=k.note WHERE k.key>='also:' AND k.key<'also;'"+
			" AND n.session<>'' ORDER BY k.key, k.note")
	return append(out, told...), err
}

// Aliases returns by other id the session it belongs to.
func (l *Ledger) Aliases() (map[string]string, error) {
	return l.pairs("SELECT id, session FROM session_aliases")
}

// PutAlias says to which session an id belongs; to itself: it is no alias.
func (l *Ledger) PutAlias(id, session string) error {
	if id == session {
		return l.run("DELETE FROM session_aliases WHERE id=?", id)
	}
	return l.run("INSERT OR REPLACE INTO session_aliases(id, session) VALUES(?,?)", id, session)
}

// CanonicalID returns the session an id belongs to, mostly itself.
func (l *Ledger) CanonicalID(id string) (string, error) {
	home := id
	_, err := l.one([]any{&home}, "SELECT session FROM session_aliases WHERE id=?", id)
	return home, err
}

// AliasesOf returns the other ids of a session, sorted.
func (l *Ledger) AliasesOf(session string) ([]string, error) {
	return l.texts("SELECT id FROM session_aliases WHERE session=? ORDER BY id", session)
}
