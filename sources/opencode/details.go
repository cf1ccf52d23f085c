package opencode

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"golang.org/x/mod/semver"

	"github.com/sessionloom/sessionloom/sources/internal/homes"
	"github.com/sessionloom/sessionloom/sources/internal/sqlite"
	"github.com/sessionloom/sessionloom/sources/internal/words"
)

// Details tells of each home what the rows of its sessions tell.
func (s *Source) Details(ctx context.Context) (map[string][]string, error) {
	out := map[string][]string{}
	var failures error
	for _, h := range s.cfg.homes() {
		h.list(ctx, s.cfg.TempDir)
		rows := map[string]row{} // by session: one may be in several tables
		for _, name := range h.databases() {
			err := sqlite.View(ctx, h.in(name), s.cfg.TempDir, func(db *sqlite.DB) error { return addRows(ctx, &tables{DB: db}, rows) })
			if err != nil {
				failures = errors.Join(failures, fmt.Errorf("look at %q: %w", h.in(name), err))
			}
		}
		if lines := linesOf(rows, h.inFiles()); len(lines) > 0 {
			out[h.Root.Path] = lines
		}
	}
	return out, errors.Join(ctx.Err(), failures)
}

// row is what the table of sessions tells of one.
type row struct {
	version                   string
	isAgent, isArchived, isV2 bool
}

func addRows(ctx context.Context, t *tables, rows map[string]row) error {
	for _, table := range []string{tableSession, tableSessionV2} {
		err := t.each(ctx, table, "", func(c []string) {
			rows[c[0]] = row{version: c[1], isAgent: c[2] != "", isArchived: c[3] != "", isV2: table == tableSessionV2}
		}, nil, "id", "version", "parent_id", "time_archived")
		if err != nil {
			return err
		}
	}
	return nil
}

// inFiles counts the sessions that no database has.
func (h *home) inFiles() (n int) {
	for _, at := range h.found {
		if at.database == nil {
			n++
		}
	}
	return n
}

func linesOf(rows map[string]row, inFiles int) (out []string) {
	var agents, archived, v2 int
	var newest string
	for _, r := range rows {
		agents, archived, v2 = agents+one(r.isAgent), archived+one(r.isArchived), v2+one(r.isV2)
		if v := "v" + r.version; semver.IsValid(v) && semver.Compare(v, "v"+newest) > 0 {
			newest = r.version
		}
	}
	if newest != "" {
		out = append(out, homes.WrittenBy(newest, tested))
	}
	for what, n := range map[string]int{
		"of sub-agents, which stand in the note of the session that they worked for": agents,
		"archived":                        archived,
		"in the tables of version 2":      v2,
		"in files of versions before 1.2": inFiles,
	} {
		if n > 0 {
			out = append(out, words.Count(n, "session")+" "+what)
		}
	}
	slices.Sort(out)
	return out
}

func one(is bool) int {
	if is {
		return 1
	}
	return 0
}
