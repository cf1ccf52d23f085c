package ledger

import (
	"bytes"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
)

// KeptLayer names one layer that holds something of a session.
type KeptLayer struct{ Session, Source, Item, Name string }

// KeptLayers names all layers that are kept, those of one session one after the
// other.
func (l *Ledger) KeptLayers() ([]KeptLayer, error) {
	return list(l, func(k *KeptLayer) []any { return []any{&k.Session, &k.Source, &k.Item, &k.Name} }, "SELECT session, source, item, name FROM layers ORDER BY session, source, item, name")
}

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
