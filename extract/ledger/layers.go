package ledger

import (
	"bytes"
	"database/sql"

	"github.com/sessionloom/sessionloom/sources"
)

// Pack makes a session ready for PutLayer. It is safe for concurrent use and
// takes no lock, so that readers do the work.
func (l *Ledger) Pack(s *sources.Session) (Packed, error) { return l.codec.pack(s) }

// PutLayer stores a layer of a session and tells whether its content changed.
func (l *Ledger) PutLayer(session string, it sources.Item, layer sources.Layer, p Packed) (changed bool, err error) {
	var old []byte
	found, err := l.one([]any{&old}, "SELECT hash FROM layers WHERE session=? AND source=? AND item=? AND name=?",
		session, it.Source, it.Key, layer.Name)
	if err != nil {
		return false, err
	}
	if found && bytes.Equal(old, p.Hash) {
		return false, l.run("UPDATE layers SET cursor=? WHERE session=? AND source=? AND item=? AND name=?",
			layer.Cursor, session, it.Source, it.Key, layer.Name)
	}
	return true, l.run("INSERT OR REPLACE INTO layers(session, source, item, name, rank, hash, cursor, content) VALUES(?,?,?,?,?,?,?,?)",
		session, it.Source, it.Key, layer.Name, int(layer.Rank), p.Hash, layer.Cursor, p.Content)
}

// Layers returns the kept layers of a session, of all items that ever had it.
func (l *Ledger) Layers(session string) ([]sources.Layer, error) {
	var out []sources.Layer
	var contents [][]byte
	err := l.each(func(r *sql.Rows) error {
		var la sources.Layer
		var content []byte
		if err := r.Scan(&la.Name, &la.Rank, &content); err != nil {
			return err
		}
		out, contents = append(out, la), append(contents, content)
		return nil
	}, "SELECT name, rank, content FROM layers WHERE session=? ORDER BY source, item, name", session)
	if err != nil {
		return nil, err
	}
	for i := range out {
		if out[i].Session, err = l.codec.unpack(contents[i]); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// Prior gives a source what its last Read of an item returned.
func (l *Ledger) Prior(it sources.Item) (sources.Prior, error) {
	p := &prior{ledger: l, item: it, cursors: map[string][]byte{}, sessions: map[string]string{}}
	err := l.each(func(r *sql.Rows) error {
		var name, session string
		var cursor []byte
		if err := r.Scan(&name, &session, &cursor); err != nil {
			return err
		}
		p.cursors[name], p.sessions[name] = cursor, session
		return nil
	}, "SELECT name, session, cursor FROM layers WHERE source=? AND item=?", it.Source, it.Key)
	return p, err
}

type prior struct {
	ledger   *Ledger
	item     sources.Item
	cursors  map[string][]byte
	sessions map[string]string
}

func (p *prior) Cursor(layer string) []byte { return p.cursors[layer] }

func (p *prior) Layer(layer string) (*sources.Session, error) {
	session, ok := p.sessions[layer]
	if !ok {
		return nil, nil
	}
	var content []byte
	found, err := p.ledger.one([]any{&content}, "SELECT content FROM layers WHERE session=? AND source=? AND item=? AND name=?",
		session, p.item.Source, p.item.Key, layer)
	if err != nil || !found || len(content) == 0 {
		return nil, err
	}
	return p.ledger.codec.unpack(content)
}

// SessionRow is the ledger's card of a session.
type SessionRow struct {
	ID        string
	Kind      string // as of sources.ItemKind
	Project   string // key
	Parent    string
	FirstTurn string // id of its first turn
	Created   string
	Updated   string
	Empty     bool
	Damage    string // lines in plain words, empty: whole
}

const sessionColumns = "id, kind, project, parent, first_turn, created, updated, empty, damage"

// PutSession stores the card of a session.
func (l *Ledger) PutSession(s SessionRow) error {
	return l.run("INSERT OR REPLACE INTO sessions("+sessionColumns+") VALUES(?,?,?,?,?,?,?,?,?)",
		s.ID, s.Kind, s.Project, s.Parent, s.FirstTurn, s.Created, s.Updated, s.Empty, s.Damage)
}

func scanSession(r *sql.Rows) (s SessionRow, err error) {
	err = r.Scan(&s.ID, &s.Kind, &s.Project, &s.Parent, &s.FirstTurn, &s.Created, &s.Updated, &s.Empty, &s.Damage)
	return s, err
}

func (l *Ledger) sessionRows(where string, args ...any) ([]SessionRow, error) {
	var out []SessionRow
	err := l.each(func(r *sql.Rows) error {
		s, err := scanSession(r)
		out = append(out, s)
		return err
	}, "SELECT "+sessionColumns+" FROM sessions "+where+" ORDER BY id", args...)
	return out, err
}

// Session returns the card of a session, false where there is none.
func (l *Ledger) Session(id string) (SessionRow, bool, error) {
	rows, err := l.sessionRows("WHERE id=?", id)
	if err != nil || len(rows) == 0 {
		return SessionRow{}, false, err
	}
	return rows[0], true, nil
}

// Sessions returns all cards by id.
func (l *Ledger) Sessions() ([]SessionRow, error) { return l.sessionRows("") }

// Ages returns when each session began.
func (l *Ledger) Ages() (map[string]string, error) {
	ages := map[string]string{}
	err := l.each(func(r *sql.Rows) error {
		var id, created string
		err := r.Scan(&id, &created)
		ages[id] = created
		return err
	}, "SELECT id, created FROM sessions")
	return ages, err
}

// Forks returns the sessions that name this one as their parent.
func (l *Ledger) Forks(id string) ([]SessionRow, error) { return l.sessionRows("WHERE parent=?", id) }

// SameStart returns the sessions whose first turn has this id.
func (l *Ledger) SameStart(firstTurn string) ([]SessionRow, error) {
	if firstTurn == "" {
		return nil, nil
	}
	return l.sessionRows("WHERE first_turn=?", firstTurn)
}

// LayerCount returns how many layers of a session are kept.
func (l *Ledger) LayerCount(session string) (int, error) {
	var n int
	_, err := l.one([]any{&n}, "SELECT count(*) FROM layers WHERE session=?", session)
	return n, err
}

// EmptySessions counts the sessions without anything to show.
func (l *Ledger) EmptySessions() (int, error) {
	var n int
	_, err := l.one([]any{&n}, "SELECT count(*) FROM sessions WHERE empty=1 AND kind=?", string(sources.KindSession))
	return n, err
}

// LayerItem tells where a layer came from.
type LayerItem struct{ Name, Item string }

// LayerItems returns where the layers of a session came from.
func (l *Ledger) LayerItems(session string) ([]LayerItem, error) {
	var out []LayerItem
	err := l.each(func(r *sql.Rows) error {
		var x LayerItem
		err := r.Scan(&x.Name, &x.Item)
		out = append(out, x)
		return err
	}, "SELECT name, item FROM layers WHERE session=? ORDER BY rank, name, item", session)
	return out, err
}
