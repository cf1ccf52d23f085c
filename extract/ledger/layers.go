package ledger

import (
	"bytes"
	"strings"
	"time"

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

// LayerItem tells where a layer came from.
type LayerItem struct{ Name, Item string }

// LayerItems returns where the layers of a session came from.
func (l *Ledger) LayerItems(session string) ([]LayerItem, error) {
	return list(l, func(i *LayerItem) []any { return []any{&i.Name, &i.Item} },
		"SELECT name, item FROM layers WHERE "+ofSession+" ORDER BY rank, name, item", session)
}
