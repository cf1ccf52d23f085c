package opencode

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/sessionloom/sessionloom/sources/internal/files"
	"github.com/sessionloom/sessionloom/sources/internal/sqlite"
)

// database is one during a pass.
type database struct {
	sqlite.Snapshot

	once    sync.Mutex
	digests map[string]string // by session; nil: not asked for yet
}

// read has fn read from the database. What is damaged there fails this reading and no other.
func (d *database) read(ctx context.Context, fn func(*sqlite.DB) error) error {
	var failure error
	err := d.View(ctx, func(db *sqlite.DB) error {
		if failure = fn(db); errors.Is(failure, files.ErrBusy) || ctx.Err() != nil {
			return failure
		}
		return nil
	})
	return errors.Join(err, failure)
}

// allDigests gives a value for each session that changes when what is read of it does. All are
// found in one go.
func (d *database) allDigests(ctx context.Context) (map[string]string, error) {
	d.once.Lock()
	defer d.once.Unlock()
	if d.digests != nil {
		return d.digests, nil
	}
	var all map[string]string
	err := d.read(ctx, func(db *sqlite.DB) (err error) {
		all, err = digestsOf(ctx, db)
		return err
	})
	if err != nil {
		return nil, err
	}
	d.digests = all
	return all, nil
}

// digestsOf makes the digests of all sessions: of the row of each, of the tasks, and of how far
// its log of events is, which tells every change of a message. Versions that keep no such log
// are asked for numbers and times of rows.
func digestsOf(ctx context.Context, db *sqlite.DB) (map[string]string, error) {
	facts := map[string][]string{}
	add := func(c []string) { facts[c[0]] = append(facts[c[0]], strings.Join(c[1:], "\x00")) }
	for _, table := range []string{tableSession, tableSessionV2} {
		columns, err := db.Columns(ctx, table)
		if err != nil || !columns["id"] {
			if err != nil {
				return nil, err
			}
			continue
		}
		if err := db.Each(ctx, sqlite.Select(columns, table, "", infoColumns...), add); err != nil {
			return nil, err
		}
	}
	logged := map[string]bool{}
	for _, q := range []struct {
		table, query string
		each         func(c []string)
	}{
		{tableSequence, "SELECT aggregate_id, seq FROM event_sequence", func(c []string) { logged[c[0]] = true; add(c) }},
		{tableTodo, "SELECT session_id, count(*), max(time_updated) FROM todo GROUP BY session_id", add},
	} {
		if columns, err := db.Columns(ctx, q.table); err != nil || len(columns) == 0 {
			if err != nil {
				return nil, err
			}
			continue
		}
		if err := db.Each(ctx, q.query, q.each); err != nil {
			return nil, err
		}
	}
	out := map[string]string{}
	for id, all := range facts {
		rows, err := rowDigest(ctx, db, id, logged[id])
		if err != nil {
			return nil, err
		}
		out[id] = files.Hash(append(all, rows...)...)
	}
	return out, nil
}

// rowDigest tells of the rows of a session: which tables it has, and where no log tells of
// changes how many there are and when they changed. A part changes while its message is
// written, and that is the newest.
func rowDigest(ctx context.Context, db *sqlite.DB, id string, logged bool) (facts []string, err error) {
	ask := func(table, query string) error {
		columns, err := db.Columns(ctx, table)
		if err != nil || len(columns) == 0 {
			return err
		}
		return db.Each(ctx, query, func(c []string) { facts = append(facts, fmt.Sprintf("%s %q", table, c)) }, id)
	}
	if logged { // what an index tells besides: an older version, on the same database, logs nothing
		return facts, errors.Join(
			ask(tableMessage, "SELECT count(*), max(time_created) FROM message WHERE session_id = ?1"),
			ask(tableMessageV2, "SELECT count(*), max(seq), max(time_updated) FROM session_message WHERE session_id = ?1"),
		)
	}
	newest := "SELECT id FROM message WHERE session_id = ?1 ORDER BY time_created DESC, id DESC LIMIT 1"
	return facts, errors.Join(
		ask(tableMessage, "SELECT count(*), max(time_updated), max(id) FROM message WHERE session_id = ?1"),
		ask(tablePart, "SELECT count(*) FROM part WHERE session_id = ?1"),
		ask(tablePart, "SELECT max(time_updated), sum(octet_length(data)) FROM part WHERE message_id = ("+newest+")"),
		ask(tableMessageV2, "SELECT count(*), max(seq), max(time_updated), sum(octet_length(data)) FROM session_message WHERE session_id = ?1"),
	)
}
