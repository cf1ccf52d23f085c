package cursor

import (
	"cmp"
	"context"
	"crypto/md5"
	"encoding/hex"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/decode"
	"github.com/sessionloom/sessionloom/sources/internal/editor"
	"github.com/sessionloom/sessionloom/sources/internal/files"
	"github.com/sessionloom/sessionloom/sources/internal/sqlite"
	"github.com/sessionloom/sessionloom/sources/internal/words"
)

// The database of the IDE is a table of keys and values, cursorDiskKV, of up to 22 GB. A conversation is a row
// composerData:<conversation>, called composer, and a row bubbleId:<conversation>:<bubble> for each message. The other keys
// are the bulk, and not read. Keys are looked up by prefix in the index of the table; ';' is the character after ':'.
const (
	tableHeaders = "composerHeaders"          // from version 3.12 on
	keyHeaders   = "composer.composerHeaders" // key in ItemTable, from version 3.0 on
)

// value is a value as text, or NULL if it is larger than files.MaxLine.
const value = "CASE WHEN octet_length(value) <= 67108864 THEN CAST(value AS TEXT) END"

// keyed are the columns of a table of keys and values.
var keyed = []string{"key", "value"}

// conversationsOf finds all conversations by their keys, and reports for each whether it has bubbles of its own.
func conversationsOf(ctx context.Context, db *sqlite.DB) (spoken map[string]bool, err error) {
	spoken = map[string]bool{}
	const query = `SELECT substr(key, 14), EXISTS (SELECT 1 FROM cursorDiskKV b WHERE b.key > 'bubbleId:' || substr(c.key, 14) || ':'
		AND b.key < 'bubbleId:' || substr(c.key, 14) || ';') FROM cursorDiskKV c WHERE c.key > 'composerData:' AND c.key < 'composerData;'`
	return spoken, db.Ask(ctx, "cursorDiskKV", keyed, query, func(c []string) { spoken[c[0]] = c[1] == "1" })
}

func eachComposer(ctx context.Context, db *sqlite.DB, do func(id, text string)) error {
	return db.Rows(ctx, "cursorDiskKV", "WHERE key > 'composerData:' AND key < 'composerData;'", func(c []string) {
		do(strings.TrimPrefix(c[0], "composerData:"), c[1])
	}, nil, "key", "value")
}

// bubblesOf runs a query on the bubbles of a conversation, whose keys are between ?1 and ?2.
func bubblesOf(ctx context.Context, db *sqlite.DB, id, query string, row func([]string)) error {
	return db.Ask(ctx, "cursorDiskKV", keyed, query, row, "bubbleId:"+id+":", "bubbleId:"+id+";")
}

type store struct {
	sqlite.Snapshot
	of    *sqlite.DB // database of the index
	index *index
}

func (s *store) view(ctx context.Context, fn func(*sqlite.DB, *index) error) error {
	return s.View(ctx, func(db *sqlite.DB) (err error) {
		if s.of != db {
			s.of = nil
			if s.index, err = newIndex(ctx, db); err != nil {
				return fmt.Errorf("look through the conversations: %w", err)
			}
			s.of = db
		}
		return fn(db, s.index)
	})
}

// digest sums up the database's data about a conversation: its composer by content, the names and rows of its
// bubbles, the lengths of the newest, and the content of the very newest. A rewritten bubble becomes a new
// row, or is one of the newest.
func (s *store) digest(ctx context.Context, id string) (sum string, err error) {
	const bubbles = "FROM cursorDiskKV WHERE key > ?1 AND key < ?2" // +rowid: not by scanning all rows
	const query = "SELECT key || ' ' || rowid " + bubbles +
		" UNION ALL SELECT octet_length(value) FROM cursorDiskKV WHERE rowid IN (SELECT rowid " + bubbles + " ORDER BY +rowid DESC LIMIT 8)" +
		" UNION ALL SELECT " + value + " FROM cursorDiskKV WHERE rowid = (SELECT max(+rowid) " + bubbles + ")"
	err = s.view(ctx, func(db *sqlite.DB, x *index) error {
		told := []string{x.prints[id], fmt.Sprintf("%+v", x.headers[id]), x.root(id)}
		err := bubblesOf(ctx, db, id, query, func(c []string) { told = append(told, c[0]) })
		sum = files.Hash(told...)
		return err
	})
	return sum, err
}

// index is what is known of all conversations before one is read.
type index struct {
	headers map[string]header
	parents map[string]string // parents of sub-agents
	prints  map[string]string // hashes of composers
}

func newIndex(ctx context.Context, db *sqlite.DB) (*index, error) {
	x := &index{headers: map[string]header{}, parents: map[string]string{}, prints: map[string]string{}}
	if err := x.loadHeaders(ctx, db); err != nil {
		return nil, err
	}
	return x, eachComposer(ctx, db, x.compose)
}

// loadHeaders reads the list of conversations, which versions store in two places. The table takes precedence over the
// older list.
func (x *index) loadHeaders(ctx context.Context, db *sqlite.DB) error {
	items, err := db.Values(ctx, keyHeaders)
	if err != nil {
		return err
	}
	var list workspaceList
	if decode.Text(items[keyHeaders], &list) == nil {
		for _, h := range list.All {
			x.headers[h.ID] = h
			x.adopt(h.ID, h.Sub.Parent)
		}
	}
	return db.Rows(ctx, tableHeaders, "", func(c []string) {
		var h header
		if decode.Text(c[1], &h) != nil {
			h = x.headers[c[0]]
		}
		h.ID, h.Archived, h.IsSub = c[0], h.Archived || c[2] == "1", c[3] == "1"
		if h.Workspace.ID == "" {
			h.Workspace.ID = decode.Loose(c[4])
		}
		x.headers[c[0]] = h
		x.adopt(c[0], h.Sub.Parent)
	}, nil, "composerid", "value", "isarchived", "issubagent", "workspaceid")
}

// adopt records for whom a sub-agent worked.
func (x *index) adopt(child string, parent decode.Loose) {
	if child != "" && parent != "" && child != string(parent) {
		x.parents[child] = string(parent)
	}
}

// compose records a composer: its hash, and its content if it has sub-agents or is one.
func (x *index) compose(id, text string) {
	x.prints[id] = files.Hash(text)
	hasAgents := strings.Contains(text, `"subagentComposerIds"`) && !strings.Contains(text, `"subagentComposerIds":[]`)
	if !hasAgents && !strings.Contains(text, `"parentComposerId"`) {
		return
	}
	var family struct {
		Agents []string `json:"subagentComposerIds"`
		Sub    subagent `json:"subagentInfo"`
	}
	if decode.Text(text, &family) != nil {
		return // reading reports it
	}
	for _, child := range family.Agents {
		x.adopt(child, decode.Loose(id))
	}
	x.adopt(id, family.Sub.Parent)
}

// root returns the conversation for which a sub-agent worked in the end, or "" for a conversation of its own.
func (x *index) root(id string) (root string) {
	const most = 10 // sub-agents of sub-agents
	for range most {
		if x.parents[id] == "" {
			break
		}
		id = x.parents[id]
		root = id
	}
	return root
}

// The store of the CLI is a table of blobs, named by their digests: messages in JSON, and nodes in protobuf
// that list others. The newest root leads to the current conversation.

// agentMeta is the store's data about its session, in hex.
type agentMeta struct {
	Root    string        `json:"latestRootBlobId"`
	Name    decode.Loose  `json:"name"`
	Created words.Instant `json:"createdAt"`
	Model   decode.Loose  `json:"lastUsedModel"`
}

// besideStore is the content of a file beside the store, since 2026.
type besideStore struct {
	Title   decode.Loose  `json:"title"`
	Created words.Instant `json:"createdAtMs"`
	Updated words.Instant `json:"updatedAtMs"`
	Cwd     string        `json:"cwd"`
}

// Limits of reading: the file beside the store, in bytes, and a walk through blobs.
const (
	maxMeta  = 1 << 20
	maxDepth = 8
	maxBlobs = 100_000
)

// stored reads the store of the CLI, which has no times, but the title, the model and the folder.
func (r *reading) stored(ctx context.Context) error {
	return r.Layer(ctx, sources.Layer{Name: layerCLI, Rank: sources.RankStore}, partStore, func(la *sources.Layer, file string) error {
		var beside besideStore
		if p, ok := r.Item.Part(partMeta); ok {
			if _, err := decode.File(r.Item.File(p), maxMeta, &beside); err != nil { // damaged data is ignored
				return fmt.Errorf("read %q: %w", r.Item.File(p), err)
			}
		}
		var b *blobs
		var meta agentMeta
		err := sqlite.View(ctx, file, r.src.TempDir, func(db *sqlite.DB) error {
			b, meta = &blobs{talk: newTalk(), db: db, seen: map[string]bool{}}, agentMeta{}
			err := db.Rows(ctx, "meta", "WHERE key = '0'", func(c []string) {
				text, _ := hex.DecodeString(c[0]) // damaged data is ignored
				_ = decode.Text(string(text), &meta)
			}, nil, "value")
			columns, cerr := db.Columns(ctx, "blobs")
			if err = cmp.Or(err, cerr); err != nil || !columns["id"] || !columns["data"] {
				return err
			}
			return b.walk(ctx, meta.Root, maxDepth)
		})
		if err != nil {
			return fmt.Errorf("read store: %w", err)
		}
		b.tell(meta, beside, filepath.Base(filepath.Dir(filepath.Dir(file))))
		r.count(b.talk)
		la.Session = r.finish(b.talk, "")
		la.Session.Complete, la.Provisional = len(la.Session.Turns) > 0, len(la.Session.Turns) == 0
		if name := (named{meta.Model}).model(); name != "" {
			la.Session.Models = []string{name}
		}
		return nil
	})
}

// tell records the store's data beside its messages. folder is the digest of the place.
func (b *blobs) tell(meta agentMeta, beside besideStore, folder string) {
	s := b.Session
	b.Entitle(cmp.Or(title(meta.Name), title(beside.Title)), sources.TrustNamed)
	s.Created = cmp.Or(meta.Created, beside.Created).Time
	s.Updated = later(s.Created, beside.Updated.Time)
	s.Place.Cwd = editor.FileOf(beside.Cwd)
	b.locate(func(dir string) bool {
		return fmt.Sprintf("%x", md5.Sum([]byte(dir))) == folder
	})
}

type blobs struct {
	*talk
	db   *sqlite.DB
	seen map[string]bool
}

// walk records the content of a blob and of those it leads to, in order.
func (b *blobs) walk(ctx context.Context, id string, depth int) error {
	if id == "" || b.seen[id] || len(b.seen) >= maxBlobs {
		return nil
	}
	b.seen[id] = true
	var data []byte
	found := false
	err := b.db.Each(ctx, "SELECT CASE WHEN octet_length(data) <= 67108864 THEN hex(data) END FROM blobs WHERE id = ?", func(c []string) {
		data, _ = hex.DecodeString(c[0]) // the query returns hex
		found = true
	}, id)
	switch {
	case err != nil:
		return err
	case !found:
		b.missing++
	case len(data) > 0 && data[0] == '{':
		b.records++
		var m message
		if decode.Text(string(data), &m) != nil {
			b.bad++
		} else {
			b.take(&m)
		}
	case depth > 0:
		for _, child := range childrenOf(data) {
			if err := b.walk(ctx, child, depth-1); err != nil {
				return err
			}
		}
	}
	return nil
}

// childrenOf returns the blobs that a node lists: the digests in its first field, which comes before the others.
func childrenOf(data []byte) (ids []string) {
	const digest = 32
	for len(data) >= 2+digest && data[0] == 1<<3|2 && data[1] == digest {
		ids = append(ids, hex.EncodeToString(data[2:2+digest]))
		data = data[2+digest:]
	}
	return ids
}
