package cursor

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/sessionloom/sessionloom/sources/internal/decode"
	"github.com/sessionloom/sessionloom/sources/internal/files"
	"github.com/sessionloom/sessionloom/sources/internal/sqlite"
)

// The database of the IDE is a table of keys and values, of up to 22 GB. A conversation is a row
// composerData:<conversation>, called composer, and a row bubbleId:<conversation>:<bubble> for
// each message. The other keys are the bulk, and none of ours. Keys are looked up in the index of
// the table, by what they begin with; ';' is the letter behind ':'.
const (
	tableRows    = "cursorDiskKV"
	tableItems   = "ItemTable"
	tableHeaders = "composerHeaders" // from version 3.12 on

	keyHeaders = "composer.composerHeaders" // of ItemTable, from version 3.0 on
)

// value is a value as text, NULL where it is larger than files.MaxLine.
const value = "CASE WHEN octet_length(value) <= 67108864 THEN CAST(value AS TEXT) END"

// listed is a conversation as the keys tell it.
type listed struct {
	id     string
	spoken bool // it has bubbles of its own
}

// conversationsOf finds all conversations by their keys alone.
func conversationsOf(ctx context.Context, db *sqlite.DB) (all []listed, err error) {
	if ok, err := isTable(ctx, db, tableRows); !ok {
		return nil, err
	}
	err = db.Each(ctx, `SELECT substr(key, 14), EXISTS (SELECT 1 FROM cursorDiskKV b WHERE b.key > 'bubbleId:' || substr(c.key, 14) || ':'
		AND b.key < 'bubbleId:' || substr(c.key, 14) || ';') FROM cursorDiskKV c WHERE c.key > 'composerData:' AND c.key < 'composerData;' ORDER BY c.key`,
		func(c []string) { all = append(all, listed{c[0], c[1] == "1"}) })
	return all, err
}

// isTable tells whether a database has a table of keys and values of that name.
func isTable(ctx context.Context, db *sqlite.DB, name string) (bool, error) {
	columns, err := db.Columns(ctx, name)
	return columns["key"] && columns["value"], err
}

// itemsOf are the values of known keys of ItemTable.
func itemsOf(ctx context.Context, db *sqlite.DB, keys ...any) (map[string]string, error) {
	items := map[string]string{}
	if ok, err := isTable(ctx, db, tableItems); !ok {
		return items, err
	}
	query := "SELECT key, " + value + " FROM ItemTable WHERE key IN (?" + strings.Repeat(", ?", len(keys)-1) + ")"
	return items, db.Each(ctx, query, func(c []string) { items[c[0]] = c[1] }, keys...)
}

// store is the database of a user folder during a pass.
type store struct {
	sqlite.Snapshot
	of    *sqlite.DB // whose index that is
	index *index
}

// view gives the database and its index to fn.
func (s *store) view(ctx context.Context, fn func(*sqlite.DB, *index) error) error {
	return s.View(ctx, func(db *sqlite.DB) error {
		if s.of != db {
			s.of, s.index = nil, newIndex()
			if err := s.index.load(ctx, db); err != nil {
				return fmt.Errorf("look through the conversations: %w", err)
			}
			s.of = db
		}
		return fn(db, s.index)
	})
}

// digest sums up what the database says of a conversation: its composer by content, the names and
// rows of its bubbles, how long the newest of them are, and what the very newest says. A bubble that
// is written anew becomes a new row, or is one of the newest.
func (s *store) digest(ctx context.Context, id string) (sum string, err error) {
	err = s.view(ctx, func(db *sqlite.DB, x *index) error {
		b, told := x.bubbles[id], ""
		if b != nil {
			args := make([]any, newest)
			for i := range args {
				args[i] = b.rows[min(i, len(b.rows)-1)]
			}
			query := "SELECT (SELECT total(octet_length(value)) FROM cursorDiskKV WHERE rowid IN (?" + strings.Repeat(", ?", newest-1) + ")), " +
				value + " FROM cursorDiskKV WHERE rowid = ?"
			if err := db.Each(ctx, query, func(c []string) { told = files.Hash(c...) }, append(args, slices.Max(b.rows))...); err != nil {
				return err
			}
			told = fmt.Sprint(b.count, b.sum, told)
		}
		sum = files.Hash(x.prints[id], fmt.Sprintf("%+v", x.headers[id]), x.root(id), told)
		return nil
	})
	return sum, err
}

// index is what is known of all conversations before one of them is read.
type index struct {
	headers map[string]header
	parents map[string]string // of sub-agents, by who worked for whom
	prints  map[string]string // hashes of composers
	bubbles map[string]*rows
}

func newIndex() *index {
	return &index{headers: map[string]header{}, parents: map[string]string{}, prints: map[string]string{}, bubbles: map[string]*rows{}}
}

// newest is how many bubbles of a conversation are looked at for their length.
const newest = 8

// rows are the bubbles of a conversation.
type rows struct {
	count int
	sum   uint64  // of their names and row numbers
	rows  []int64 // the highest numbers
}

func (r *rows) add(name, number string) {
	h := fnv.New64a()
	_, _ = io.WriteString(h, name+" "+number) // a hash never fails
	r.sum ^= h.Sum64()
	r.count++
	row, _ := strconv.ParseInt(number, 10, 64) // it is one
	if len(r.rows) < newest {
		r.rows = append(r.rows, row)
	} else if least := slices.Index(r.rows, slices.Min(r.rows)); r.rows[least] < row {
		r.rows[least] = row
	}
}

func (x *index) load(ctx context.Context, db *sqlite.DB) error {
	if err := x.loadHeaders(ctx, db); err != nil {
		return err
	}
	if ok, err := isTable(ctx, db, tableRows); !ok {
		return err
	}
	return errors.Join(x.loadComposers(ctx, db), x.loadBubbles(ctx, db))
}

// loadHeaders reads the list of conversations, which versions keep in two places. What the table
// says goes before the older list.
func (x *index) loadHeaders(ctx context.Context, db *sqlite.DB) error {
	items, err := itemsOf(ctx, db, keyHeaders)
	if err != nil {
		return err
	}
	var list struct {
		All []header `json:"allComposers" as:"list"`
	}
	if decode.Text(items[keyHeaders], &list) == nil {
		for _, h := range list.All {
			x.headers[h.ID] = h
			x.adopt(h.ID, string(h.Sub.Parent))
		}
	}
	columns, err := db.Columns(ctx, tableHeaders)
	if err != nil || !columns["composerid"] {
		return err
	}
	return db.Each(ctx, sqlite.Select(columns, tableHeaders, "", "composerid", "value", "isarchived", "issubagent", "workspaceid"), func(c []string) {
		var h header
		if decode.Text(c[1], &h) != nil {
			h = x.headers[c[0]]
		}
		h.ID, h.Archived, h.IsSub = c[0], h.Archived || c[2] == "1", c[3] == "1"
		if h.Workspace.ID == "" {
			h.Workspace.ID = loose(c[4])
		}
		x.headers[c[0]] = h
		x.adopt(c[0], string(h.Sub.Parent))
	})
}

// adopt notes for whom a sub-agent worked.
func (x *index) adopt(child, parent string) {
	if child != "" && parent != "" && child != parent {
		x.parents[child] = parent
	}
}

// loadComposers goes through the composers, one at a time: each is hashed, and read where it has
// sub-agents or is one.
func (x *index) loadComposers(ctx context.Context, db *sqlite.DB) error {
	return eachComposer(ctx, db, func(id, text string) {
		x.prints[id] = files.Hash(text)
		if !strings.Contains(text, `"parentComposerId"`) && (!strings.Contains(text, `"subagentComposerIds"`) || strings.Contains(text, `"subagentComposerIds":[]`)) {
			return
		}
		var family struct {
			Agents []string `json:"subagentComposerIds"`
			Sub    subagent `json:"subagentInfo"`
		}
		if decode.Text(text, &family) != nil {
			return // its reading tells
		}
		for _, child := range family.Agents {
			x.adopt(child, id)
		}
		x.adopt(id, string(family.Sub.Parent))
	})
}

// eachComposer goes through the composers as they stand there.
func eachComposer(ctx context.Context, db *sqlite.DB, do func(id, text string)) error {
	return db.Each(ctx, "SELECT substr(key, 14), "+value+" FROM cursorDiskKV WHERE key > 'composerData:' AND key < 'composerData;'",
		func(c []string) { do(c[0], c[1]) })
}

// loadBubbles goes through the index of the keys alone.
func (x *index) loadBubbles(ctx context.Context, db *sqlite.DB) error {
	id, of := "", (*rows)(nil)
	return db.Each(ctx, "SELECT substr(key, 10), rowid FROM cursorDiskKV WHERE key > 'bubbleId:' AND key < 'bubbleId;' ORDER BY key", func(c []string) {
		composer, name, _ := strings.Cut(c[0], ":")
		if of == nil || composer != id {
			id, of = strings.Clone(composer), &rows{}
			x.bubbles[id] = of
		}
		of.add(name, c[1])
	})
}

// root is the conversation for which a sub-agent worked in the end, empty for a conversation of its
// own.
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
