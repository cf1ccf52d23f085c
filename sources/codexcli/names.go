package codexcli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/files"
	"github.com/sessionloom/sessionloom/sources/internal/jsonl"
	"github.com/sessionloom/sessionloom/sources/internal/sqlite"
)

// nameList is what one file tells of the names of threads: the table threads of the state
// database, whose column "name" holds the name and nothing else (its "title" is the first
// prompt), or session_index.jsonl, where names are appended and the last one counts.
type nameList struct {
	stamp sources.Stamp
	told  atomic.Bool // that it cannot be read: one problem a pass is enough for all threads

	once    sync.Mutex
	isRead  bool
	err     error
	names   map[string]string   // by thread
	renamed map[string]bool     // threads that had another name before
	of      map[string][]string // threads by name
}

// read reads the list once. A reading that was cancelled is none.
func (l *nameList) read(ctx context.Context, isDatabase bool, path, tempDir string) error {
	l.once.Lock()
	defer l.once.Unlock()
	if l.isRead {
		return l.err
	}
	if isDatabase {
		l.err = sqlite.View(ctx, path, tempDir, l.readTable(ctx))
	} else {
		l.err = l.readIndex(ctx, path)
	}
	if ctx.Err() != nil {
		return errors.Join(ctx.Err(), l.err)
	}
	l.isRead = true
	l.of = map[string][]string{}
	for id, name := range l.names {
		l.of[name] = append(l.of[name], id)
	}
	for _, ids := range l.of {
		slices.Sort(ids)
	}
	return l.err
}

// forget begins a list anew.
func (l *nameList) forget() { l.names, l.renamed = map[string]string{}, map[string]bool{} }

func (l *nameList) readTable(ctx context.Context) func(*sqlite.DB) error {
	return func(db *sqlite.DB) error {
		l.forget()
		columns, err := db.Columns(ctx, "threads")
		if err != nil || !columns["id"] || !columns["name"] {
			return err
		}
		return db.Each(ctx, sqlite.Select(columns, "threads", "WHERE name <> ''", "id", "name"), func(c []string) { l.add(c[0], c[1]) })
	}
}

// readIndex reads session_index.jsonl. A line that is none is left out.
func (l *nameList) readIndex(ctx context.Context, path string) error {
	type entry struct {
		ID   string `json:"id"`
		Name string `json:"thread_name"`
	}
	l.forget()
	log := jsonl.Log[entry]{Heads: []string{`{"id":"`}, Take: func(e *entry) (string, bool) {
		l.add(e.ID, e.Name)
		return "", true
	}}
	return log.ReadFile(ctx, path)
}

func (l *nameList) add(id, name string) {
	if name = strings.TrimSpace(name); id == "" || name == "" {
		return
	}
	id = sources.FoldUUID(id)
	was, known := l.names[id]
	l.renamed[id] = l.renamed[id] || known && was != name
	l.names[id] = name
}

// digest changes when the name of a thread does, or which others share it: a fork is told
// by that.
func (l *nameList) digest(id string) string {
	name := l.names[id]
	if name == "" {
		return ""
	}
	return files.Hash(append([]string{name, fmt.Sprint(l.renamed[id])}, l.of[name]...)...)
}

// readNames adds the name of a thread: that of the database goes before the index. Codex
// asks a model for a name after the first prompt; a name that was changed was given by the
// user. A fork has its parent's name until it gets one of its own.
func (r *reading) readNames(ctx context.Context, parent string) error {
	la := sources.Layer{Name: layerNames, Rank: sources.RankIndex}
	title, renamed := "", false
	for _, part := range []string{partState, partIndex} {
		p, ok := r.Item.Part(part)
		if !ok {
			continue
		}
		list, err := r.src.nameList(ctx, r.Item, p)
		if err := ctx.Err(); err != nil {
			return err
		}
		if err != nil {
			la.Failed = true
			if !list.told.Swap(true) {
				r.Problem(p.Path, err)
			}
			continue
		}
		name := list.names[r.Item.Session]
		if title == "" && name != "" {
			if title = name; parent != "" && list.names[parent] == name {
				title += " (fork)"
			}
		}
		renamed = renamed || list.renamed[r.Item.Session]
	}
	switch {
	case la.Failed && title == "":
		r.Add(la)
	case title != "":
		la.Failed = false
		la.Session = &sources.Session{Title: title, TitleFrom: sources.TrustNamed}
		if renamed {
			la.Session.TitleFrom = sources.TrustUser
		}
		r.Add(la)
	}
	return nil
}
