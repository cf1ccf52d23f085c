package ledger

import (
	"bytes"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/extract/internal/identity"
	"github.com/sessionloom/sessionloom/sources"
)

// Pack makes a session ready for PutLayer. It is safe for concurrent use and
// takes no lock, so that readers do the work.
func (l *Ledger) Pack(s *sources.Session) (Packed, error) { return l.codec.pack(s) }

// PutLayer stores a layer under the id it was read under and tells whether what
// is made of it changes.
func (l *Ledger) PutLayer(session string, it sources.Item, layer sources.Layer, p Packed) (changed bool, err error) {
	var old []byte
	var rank int
	found, err := l.one([]any{&old, &rank}, "SELECT hash, rank FROM layers WHERE "+oneLayer,
		session, it.Source, it.Key, layer.Name)
	if err != nil {
		return false, err
	}
	if found && bytes.Equal(old, p.Hash) {
		return rank != int(layer.Rank), l.run("UPDATE layers SET rank=?, kind=?, provisional=? WHERE "+oneLayer,
			int(layer.Rank), string(it.Kind), layer.Provisional, session, it.Source, it.Key, layer.Name)
	}
	created, s := "", layer.Session
	if !s.Created.IsZero() {
		created = s.Created.UTC().Format(time.RFC3339)
	}
	return true, l.run("INSERT OR REPLACE INTO layers(session, source, item, name, kind, rank, whole, created, aka, provisional, hash, content)"+
		" VALUES(?,?,?,?,?,?,?,?,?,?,?,?)",
		session, it.Source, it.Key, layer.Name, string(it.Kind), int(layer.Rank), s.Whole && len(s.Turns) > 0, created,
		strings.Join(s.Aka, "\n"), layer.Provisional, p.Hash, p.Content)
}

// oneLayer selects the layer that an item gave of a session.
const oneLayer = "session=? AND source=? AND item=? AND name=?"

// Layer unpacks a kept layer and tells whether it is provisional; nil where it is
// gone. The caller owns it.
func (l *Ledger) Layer(k KeptLayer) (s *sources.Session, provisional bool, err error) {
	var content []byte
	found, err := l.one([]any{&content, &provisional}, "SELECT content, provisional FROM layers WHERE "+oneLayer,
		k.Session, k.Source, k.Item, k.Name)
	if err != nil || !found {
		return nil, false, err
	}
	if s, err = l.codec.unpack(content); err != nil {
		return nil, false, l.harmed(err)
	}
	return s, provisional, nil
}

// MoveLayers has the layers of an item that were read under one id go by another,
// and tells whether there were any.
func (l *Ledger) MoveLayers(it sources.Item, from, to string) (bool, error) {
	n, err := l.count("SELECT count(*) FROM layers WHERE session=? AND source=? AND item=?", from, it.Source, it.Key)
	if err != nil || n == 0 {
		return false, err
	}
	err = l.run("UPDATE OR IGNORE layers SET session=? WHERE session=? AND source=? AND item=?", to, from, it.Source, it.Key)
	if err != nil {
		return false, err
	}
	return true, l.run("DELETE FROM layers WHERE session=? AND source=? AND item=?", from, it.Source, it.Key)
}

// ofSession selects the layers of a session, those under its other ids too.
const ofSession = "(session=?1 OR session IN (SELECT id FROM session_aliases WHERE session=?1))"

// Layers returns the kept layers of a session, of all items that ever had it.
func (l *Ledger) Layers(session string) ([]sources.Layer, error) {
	var out []sources.Layer
	var contents [][]byte
	err := l.each(func(r row) error {
		var la sources.Layer
		var content []byte
		if err := r.Scan(&la.Name, &la.Rank, &content); err != nil {
			return err
		}
		out, contents = append(out, la), append(contents, content)
		return nil
	}, "SELECT name, rank, content FROM layers WHERE "+ofSession+" ORDER BY session, source, item, name", session)
	if err != nil {
		return nil, err
	}
	for i := range out {
		if out[i].Session, err = l.codec.unpack(contents[i]); err != nil {
			return nil, l.harmed(err)
		}
	}
	return out, nil
}

// LayerCount returns how many layers of a session are kept.
func (l *Ledger) LayerCount(session string) (int, error) {
	return l.count("SELECT count(*) FROM layers WHERE "+ofSession, session)
}

// BestRank returns the rank of the best layer of a session, and whether a layer
// above those that are derived holds it from its start.
func (l *Ledger) BestRank(session string) (rank sources.Rank, whole bool, err error) {
	_, err = l.one([]any{&rank, &whole}, "SELECT coalesce(min(rank),?2), coalesce(max(whole AND rank<?3),0) FROM layers WHERE "+ofSession,
		session, int(sources.RankIndex), int(sources.RankStore))
	return rank, whole, err
}

// LayerNames names the layers that were read under an id, whosever it is.
func (l *Ledger) LayerNames(id string) ([]string, error) {
	return l.texts("SELECT DISTINCT name FROM layers WHERE session=? ORDER BY name", id)
}

// LayersOf names the layers of a session, the best first.
func (l *Ledger) LayersOf(session string) ([]KeptLayer, error) {
	return keptLayers.rows(l, "WHERE "+ofSession+" ORDER BY rank, name, item", session)
}

// DropLayers forgets what was read under an id.
func (l *Ledger) DropLayers(id string) error { return l.run("DELETE FROM layers WHERE session=?", id) }

// KeptLayer names one layer that holds something of a session.
type KeptLayer struct{ Session, Source, Item, Name string }

// KeptLayers names all layers that are kept, those of one session one after the
// other.
func (l *Ledger) KeptLayers() ([]KeptLayer, error) {
	return keptLayers.rows(l, "ORDER BY session, source, item, name")
}

var keptLayers = table[KeptLayer]{"layers", "session, source, item, name", func(k *KeptLayer) []any {
	return []any{&k.Session, &k.Source, &k.Item, &k.Name}
}}

// Rework passes a kept layer through change and stores what came of it, where it
// is another. The source is asked for all of it next time.
func (l *Ledger) Rework(k KeptLayer, change func(*sources.Session) error) (changed bool, err error) {
	s, _, err := l.Layer(k)
	if err != nil || s == nil {
		return false, err
	}
	was, err := l.Pack(s)
	if err != nil {
		return false, err
	}
	if err := change(s); err != nil {
		return false, err
	}
	p, err := l.Pack(s)
	if err != nil || bytes.Equal(p.Hash, was.Hash) {
		return false, err
	}
	return true, l.run("UPDATE layers SET hash=?, content=?, aka=? WHERE "+oneLayer,
		p.Hash, p.Content, strings.Join(s.Aka, "\n"), k.Session, k.Source, k.Item, k.Name)
}

// ReadAgain has all items be read once more, whatever their stamps say.
func (l *Ledger) ReadAgain() error {
	if err := l.run("UPDATE items SET print=NULL"); err != nil {
		return err
	}
	return l.run("UPDATE scans SET listing=NULL")
}

// RenameSession gives all that is kept of a session another id. Its record is to be
// made anew.
func (l *Ledger) RenameSession(was, is string) error {
	if was == is {
		return nil
	}
	if err := l.DropSession(was); err != nil {
		return err
	}
	if err := l.run("DELETE FROM render_queue WHERE id=?", was); err != nil {
		return err
	}
	for _, column := range []string{"layers SET session", "session_aliases SET session", "notes SET session", "open_tasks SET session", "owned_uses SET session", "uncommitted_files SET session"} {
		_, name, _ := strings.Cut(column, " SET ")
		if err := l.run("UPDATE OR REPLACE "+column+"=? WHERE "+name+"=?", is, was); err != nil {
			return err
		}
	}
	return nil
}

// RenameItem gives an item of a source another key. It is due.
func (l *Ledger) RenameItem(source, was, is string) error {
	if was == is {
		return nil
	}
	if err := l.run("UPDATE OR REPLACE items SET key=?, print=NULL WHERE source=? AND key=?", is, source, was); err != nil {
		return err
	}
	return l.run("UPDATE OR REPLACE layers SET item=? WHERE source=? AND item=?", is, source, was)
}

// ReworkTexts passes through change what of transcripts stands outside of the
// layers and is made of no note: the names of tombstones, and open tasks.
func (l *Ledger) ReworkTexts(change func(string) (string, error)) error {
	if err := l.reworkColumn(change, "SELECT DISTINCT path FROM tombstones", "UPDATE tombstones SET path=? WHERE path=?"); err != nil {
		return err
	}
	return l.reworkColumn(change, "SELECT DISTINCT text FROM open_tasks", "UPDATE open_tasks SET text=? WHERE text=?")
}

// reworkColumn passes the texts that one statement finds through change; another
// one stores what they became.
func (l *Ledger) reworkColumn(change func(string) (string, error), find, store string) error {
	texts, err := l.texts(find)
	if err != nil {
		return err
	}
	for _, was := range texts {
		is, err := change(was)
		if err == nil && is != was {
			err = l.run(store, is, was)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// BasesOf names the notes whose bases are kept.
func (l *Ledger) BasesOf() ([]string, error) {
	return l.texts("SELECT note FROM merge_bases ORDER BY note")
}

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
