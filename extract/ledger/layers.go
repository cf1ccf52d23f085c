package ledger

import (
	"bytes"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/extract/internal/identity"
	"github.com/sessionloom/sessionloom/sources"
)

// Pack prepares a session for PutLayer. It is safe for concurrent use without a lock, so that readers do the
// work.
func (l *Ledger) Pack(s *sources.Session) (Packed, error) { return l.codec.pack(s) }

// PutLayer stores a layer under its id and reports whether dependent data changes.
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

// oneLayer selects an item's layer of a session.
const oneLayer = "session=? AND source=? AND item=? AND name=?"

// Layer unpacks a stored layer and reports whether it is provisional; nil if it is gone. The caller owns it.
func (l *Ledger) Layer(k KeptLayer) (s *sources.Session, provisional bool) {
	var content []byte
	found := l.one([]any{&content, &provisional}, "SELECT content, provisional FROM layers WHERE "+oneLayer,
		k.Session, k.Source, k.Item, k.Name)
	if !found {
		return nil, false
	}
	return l.unpack(k.Session, content), provisional
}

// MoveLayers moves the layers of an item from one id to another, and reports whether there were any.
func (l *Ledger) MoveLayers(it sources.Item, from, to string) bool {
	n := l.count("SELECT count(*) FROM layers WHERE session=? AND source=? AND item=?", from, it.Source, it.Key)
	if n == 0 {
		return false
	}
	l.run("UPDATE OR IGNORE layers SET session=? WHERE session=? AND source=? AND item=?", to, from, it.Source, it.Key)
	l.run("DELETE FROM layers WHERE session=? AND source=? AND item=?", from, it.Source, it.Key)
	return true
}

// ofSession selects the layers of a session, also those under its other ids.
const ofSession = "(session=?1 OR session IN (SELECT id FROM session_aliases WHERE session=?1))"

// Layers returns the stored layers of a session, from all items that ever had it.
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

// LayerCount returns the number of stored layers of a session.
func (l *Ledger) LayerCount(session string) int {
	return l.count("SELECT count(*) FROM layers WHERE "+ofSession, session)
}

// Holds reports whether a session itself is stored, not only answers about it.
func (l *Ledger) Holds(session string) bool {
	return l.count("SELECT EXISTS (SELECT 1 FROM layers WHERE kind<>?2 AND "+ofSession+")", session, string(sources.KindWords)) > 0
}

// BestRank returns the rank of the best layer of a session, and whether a layer above the derived ones holds
// it from its start.
func (l *Ledger) BestRank(session string) (rank sources.Rank, whole bool) {
	l.one([]any{&rank, &whole}, "SELECT coalesce(min(rank),?2), coalesce(max(whole AND rank<?3),0) FROM layers WHERE "+ofSession,
		session, int(sources.RankIndex), int(sources.RankStore))
	return rank, whole
}

// LayerNames returns the layers that were read under an id, also an alias.
func (l *Ledger) LayerNames(id string) []string {
	return l.texts("SELECT DISTINCT name FROM layers WHERE session=? ORDER BY name", id)
}

// LayersOf returns the layers of a session, best first.
func (l *Ledger) LayersOf(session string) []KeptLayer {
	return keptLayers.rows(l, "WHERE "+ofSession+" ORDER BY rank, name, item", session)
}

// DropLayers deletes the layers of an id, and its entries in the search index.
func (l *Ledger) DropLayers(id string) {
	l.run("DELETE FROM layers WHERE session=?", id)
	l.DropSearchDoc(id)
}

// KeptLayer names a stored layer of a session.
type KeptLayer struct{ Session, Source, Item, Name string }

// KeptLayers returns all stored layers, grouped by session.
func (l *Ledger) KeptLayers() []KeptLayer {
	return keptLayers.rows(l, "ORDER BY session, source, item, name")
}

var keptLayers = table[KeptLayer]{"layers", "session, source, item, name", func(k *KeptLayer) []any {
	return []any{&k.Session, &k.Source, &k.Item, &k.Name}
}}

// TransformLayer passes a stored layer through change and stores the result if it differs. The item is then
// read again.
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

// ReadAgain makes all items and notes due, whatever their stamps.
func (l *Ledger) ReadAgain() {
	l.run("UPDATE items SET print=NULL")
	l.run("UPDATE scans SET listing=NULL")
	l.run("UPDATE notes SET size=-1")
	l.SetValue(VaultPrint, nil)
}

// RenameSession stores everything about a session under another id. Its record must be made again.
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

// RenameItem gives an item of a source another key. It becomes due.
func (l *Ledger) RenameItem(source, was, is string) {
	if was == is {
		return
	}
	l.run("UPDATE OR REPLACE items SET key=?, print=NULL WHERE source=? AND key=?", is, source, was)
	l.run("UPDATE OR REPLACE layers SET item=? WHERE source=? AND item=?", is, source, was)
}

// TransformTexts passes through change the texts from transcripts that are neither in layers nor derived from
// a note: the names of tombstones.
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

// AliasCandidates returns the other ids of sessions in layers, then in notes.
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

// Aliases maps other ids to sessions.
func (l *Ledger) Aliases() map[string]string {
	return l.pairs("SELECT id, session FROM session_aliases")
}

// PutAlias assigns an id to a session; to itself: it is not an alias.
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
