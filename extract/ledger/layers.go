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

// PutLayer stores a layer under the id it was read under and reports whether what
// is made of it changes.
func (l *Ledger) PutLayer(session string, it sources.Item, layer sources.Layer, p Packed) (changed bool) {
	var old []byte
	var rank int
	found := l.one([]any{&old, &rank}, "SELECT hash, rank FROM layers WHERE "+oneLayer,
		session, it.Source, it.Key, layer.Name)
	if found && bytes.Equal(old, p.Hash) {
		l.run("UPDATE layers SET rank=?, kind=?, provisional=? WHERE "+oneLayer,
			int(layer.Rank), string(it.Kind), layer.Provisional, session, it.Source, it.Key, layer.Name)
		return rank != int(layer.Rank)
	}
	created, s := "", layer.Session
	if !s.Created.IsZero() {
		created = s.Created.UTC().Format(time.RFC3339)
	}
	l.run("INSERT OR REPLACE INTO layers(session, source, item, name, kind, rank, whole, created, aka, provisional, hash, content)"+
		" VALUES(?,?,?,?,?,?,?,?,?,?,?,?)",
		session, it.Source, it.Key, layer.Name, string(it.Kind), int(layer.Rank), s.Complete && len(s.Turns) > 0, created,
		strings.Join(s.Aliases, "\n"), layer.Provisional, p.Hash, p.Content)
	return true
}

// oneLayer selects the layer that an item gave of a session.
const oneLayer = "session=? AND source=? AND item=? AND name=?"

// Layer unpacks a kept layer and reports whether it is provisional; nil if it is
// gone. The caller owns it.
func (l *Ledger) Layer(k KeptLayer) (s *sources.Session, provisional bool) {
	var content []byte
	found := l.one([]any{&content, &provisional}, "SELECT content, provisional FROM layers WHERE "+oneLayer,
		k.Session, k.Source, k.Item, k.Name)
	if !found {
		return nil, false
	}
	return l.unpack(k.Session, content), provisional
}

// MoveLayers has the layers of an item that were read under one id go by another,
// and reports whether there were any.
func (l *Ledger) MoveLayers(it sources.Item, from, to string) bool {
	n := l.count("SELECT count(*) FROM layers WHERE session=? AND source=? AND item=?", from, it.Source, it.Key)
	if n == 0 {
		return false
	}
	l.run("UPDATE OR IGNORE layers SET session=? WHERE session=? AND source=? AND item=?", to, from, it.Source, it.Key)
	l.run("DELETE FROM layers WHERE session=? AND source=? AND item=?", from, it.Source, it.Key)
	return true
}

// ofSession selects the layers of a session, those under its other ids too.
const ofSession = "(session=?1 OR session IN (SELECT id FROM session_aliases WHERE session=?1))"

// Layers returns the kept layers of a session, of all items that ever had it.
func (l *Ledger) Layers(session string) []sources.Layer {
	type packed struct {
		sources.Layer
		content []byte
	}
	rows := list(l, func(p *packed) []any { return []any{&p.Name, &p.Rank, &p.content} },
		"SELECT name, rank, content FROM layers WHERE "+ofSession+" ORDER BY session, source, item, name", session)
	var out []sources.Layer
	for _, p := range rows {
		p.Session = l.unpack(session, p.content)
		out = append(out, p.Layer)
	}
	return out
}

// LayerCount returns how many layers of a session are kept.
func (l *Ledger) LayerCount(session string) int {
	return l.count("SELECT count(*) FROM layers WHERE "+ofSession, session)
}

// Holds reports whether something of a session itself is kept, not only words about it.
func (l *Ledger) Holds(session string) bool {
	return l.count("SELECT EXISTS (SELECT 1 FROM layers WHERE kind<>?2 AND "+ofSession+")", session, string(sources.KindWords)) > 0
}

// BestRank returns the rank of the best layer of a session, and whether a layer
// above those that are derived holds it from its start.
func (l *Ledger) BestRank(session string) (rank sources.Rank, whole bool) {
	l.one([]any{&rank, &whole}, "SELECT coalesce(min(rank),?2), coalesce(max(whole AND rank<?3),0) FROM layers WHERE "+ofSession,
		session, int(sources.RankIndex), int(sources.RankStore))
	return rank, whole
}

// LayerNames names the layers that were read under an id, whosever it is.
func (l *Ledger) LayerNames(id string) []string {
	return l.texts("SELECT DISTINCT name FROM layers WHERE session=? ORDER BY name", id)
}

// LayersOf names the layers of a session, the best first.
func (l *Ledger) LayersOf(session string) []KeptLayer {
	return keptLayers.rows(l, "WHERE "+ofSession+" ORDER BY rank, name, item", session)
}

// DropLayers deletes the layers of an id, and its entries in the search index.
func (l *Ledger) DropLayers(id string) {
	l.run("DELETE FROM layers WHERE session=?", id)
	l.DropSearchDoc(id)
}

// KeptLayer names one layer that holds something of a session.
type KeptLayer struct{ Session, Source, Item, Name string }

// KeptLayers names all layers that are kept, those of one session one after the
// other.
func (l *Ledger) KeptLayers() []KeptLayer {
	return keptLayers.rows(l, "ORDER BY session, source, item, name")
}

var keptLayers = table[KeptLayer]{"layers", "session, source, item, name", func(k *KeptLayer) []any {
	return []any{&k.Session, &k.Source, &k.Item, &k.Name}
}}

// TransformLayer passes a kept layer through change and stores what came of it, where it
// is another. The source is asked for all of it next time.
func (l *Ledger) TransformLayer(k KeptLayer, change func(*sources.Session) error) (changed bool, err error) {
	s, _ := l.Layer(k)
	if s == nil {
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
	l.run("UPDATE layers SET hash=?, content=?, aka=? WHERE "+oneLayer,
		p.Hash, p.Content, strings.Join(s.Aliases, "\n"), k.Session, k.Source, k.Item, k.Name)
	return true, nil
}

// ReadAgain has all items and notes be read once more, whatever their stamps say.
func (l *Ledger) ReadAgain() {
	l.run("UPDATE items SET print=NULL")
	l.run("UPDATE scans SET listing=NULL")
	l.run("UPDATE notes SET size=-1")
	l.SetValue(VaultPrint, nil)
}

// RenameSession stores everything about a session under another id. Its record is to be
// made again.
func (l *Ledger) RenameSession(was, is string) {
	if was == is {
		return
	}
	l.DropSession(was)
	l.run("DELETE FROM render_queue WHERE id=?", was)
	for _, table := range []string{"layers", "session_aliases", "notes", "owned_uses", "uncommitted_files"} {
		l.run("UPDATE OR REPLACE "+table+" SET session=? WHERE session=?", is, was)
	}
}

// RenameItem gives an item of a source another key. It is due.
func (l *Ledger) RenameItem(source, was, is string) {
	if was == is {
		return
	}
	l.run("UPDATE OR REPLACE items SET key=?, print=NULL WHERE source=? AND key=?", is, source, was)
	l.run("UPDATE OR REPLACE layers SET item=? WHERE source=? AND item=?", is, source, was)
}

// TransformTexts passes through change what of transcripts is outside of the
// layers and is made of no note, the names of tombstones.
func (l *Ledger) TransformTexts(change func(string) (string, error)) error {
	for _, was := range l.texts("SELECT DISTINCT path FROM tombstones") {
		is, err := change(was)
		if err != nil {
			return err
		}
		if is != was {
			l.run("UPDATE tombstones SET path=? WHERE path=?", is, was)
		}
	}
	return nil
}

// BasesOf lists the notes with a stored base.
func (l *Ledger) BasesOf() []string {
	return l.texts("SELECT note FROM merge_bases ORDER BY note")
}

// Reads returns all ids under which layers were read.
func (l *Ledger) Reads() map[string]identity.KnownID {
	return byKey(l, func(id *string, x *identity.KnownID) []any { return []any{id, &x.Created, &x.Rank, &x.Complete} },
		"SELECT session, coalesce(min(nullif(created,'')),''), min(rank), max(whole AND rank<?) FROM layers WHERE kind<>? GROUP BY session",
		int(sources.RankStore), string(sources.KindWords))
}

// AliasCandidates returns what layers, and then what notes, say of other ids of a session.
func (l *Ledger) AliasCandidates() []identity.AliasCandidate {
	places := func(c *identity.AliasCandidate) []any { return []any{&c.Of, &c.By, &c.Created, &c.FromNote} }
	var out []identity.AliasCandidate
	for _, c := range list(l, places, "SELECT DISTINCT aka, session, '', 0 FROM layers WHERE aka<>'' ORDER BY session, aka") {
		for of := range strings.SplitSeq(c.Of, "\n") {
			out = append(out, identity.AliasCandidate{By: c.By, Of: of})
		}
	}
	told := list(l, places,
		"SELECT substr(k.key,6), n.session, n.created, 1 FROM note_index k JOIN notes n ON n.id=k.note WHERE k.key>='also:' AND k.key<'also;'"+
			" AND n.session<>'' ORDER BY k.key, k.note")
	return append(out, told...)
}

// Aliases returns by other id the session it belongs to.
func (l *Ledger) Aliases() map[string]string {
	return l.pairs("SELECT id, session FROM session_aliases")
}

// PutAlias says to which session an id belongs; to itself: it is not an alias.
func (l *Ledger) PutAlias(id, session string) {
	if id == session {
		l.run("DELETE FROM session_aliases WHERE id=?", id)
		return
	}
	l.run("INSERT OR REPLACE INTO session_aliases(id, session) VALUES(?,?)", id, session)
}

// CanonicalID returns the id of the session that an id belongs to, mostly itself.
func (l *Ledger) CanonicalID(id string) string {
	home := id
	l.one([]any{&home}, "SELECT session FROM session_aliases WHERE id=?", id)
	return home
}

// AliasesOf returns the other ids of a session, sorted.
func (l *Ledger) AliasesOf(session string) []string {
	return l.texts("SELECT id FROM session_aliases WHERE session=? ORDER BY id", session)
}
