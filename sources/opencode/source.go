// Package opencode reads the history that opencode keeps below ~/.local/share/opencode: one database with the
// sessions of all projects, in the tables of versions 1 and 2, and the stores of JSON files from before 1.2,
// those before 0.6 one for each project. A session is read from one place, however many hold it: the one with
// the newest words.
//
// List has to open the databases, as only a table has the sessions. Tables of accounts, credentials and
// shared links are never read, nor are auth.json, logs and snapshots of work trees.
package opencode

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"golang.org/x/mod/semver"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/builder"
	"github.com/sessionloom/sessionloom/sources/internal/decode"
	"github.com/sessionloom/sessionloom/sources/internal/files"
	"github.com/sessionloom/sessionloom/sources/internal/homes"
	"github.com/sessionloom/sessionloom/sources/internal/sqlite"
)

const (
	agentName = "opencode" // agent of all sessions, and display name of the program
	tested    = "1.18.34"  // the newest version whose database the tests read

	layerSession = agentName + "/session" // layer of a session, listed in notes, so that it never changes
	layerAgents  = agentName + "/subagents"
)

// Config says where to look and how much to take. The zero value looks nowhere.
type Config = homes.Config

// Source reads the history of opencode.
type Source struct {
	homes.Reader
	databases files.Pass[*database]
}

// New returns a reader; it opens nothing.
func New(c Config) *Source {
	return &Source{Reader: homes.Reader{Config: c, Agent: agentName, Program: agentName, Version: tested, Watched: []string{
		"opencode.db", "opencode.db-wal", "opencode-*.db", "opencode-*.db-wal", "storage/session/*/*.json", "storage/message/*/*.json",
	}}}
}

// List finds the sessions of all databases, and those that are only in files.
func (s *Source) List(ctx context.Context) (sources.Listing, error) {
	return homes.Listing(ctx, s.found(ctx), nil)
}

// Read returns the layer of a session; a sub-agent's is part of its parent's session.
func (s *Source) Read(ctx context.Context, item sources.Item) (out sources.Reading, err error) {
	_, err = os.Stat(item.Path) // a database may be open and deleted
	switch {
	case err != nil:
	case item.Parts[0].Shared:
		err = s.database(item.Path).look(ctx, func(t *tables) (err error) {
			out, err = read(ctx, t, item.Session)
			return err
		})
	default:
		out, err = read(ctx, storeOf(item.Path), item.Session)
	}
	if err != nil {
		return sources.Reading{}, fmt.Errorf("read session %q in %q: %w", item.Session, item.Path, err)
	}
	return out, ctx.Err()
}

// Digest changes if a database's data about a session does. The digests of all sessions are read at once.
func (s *Source) Digest(ctx context.Context, item sources.Item, _ string) (string, error) {
	d := s.database(item.Path)
	d.once.Lock()
	defer d.once.Unlock()
	if d.digests == nil {
		err := d.look(ctx, func(t *tables) (err error) {
			d.digests, err = t.digests(ctx)
			return err
		})
		if err != nil {
			d.digests = nil
			return "", fmt.Errorf("look for changes in %q: %w", item.Path, err)
		}
	}
	return d.digests[item.Session], nil
}

type database struct {
	sqlite.Snapshot

	once    sync.Mutex
	digests map[string]string // digests by session; nil: not read yet
}

func (s *Source) database(path string) *database {
	return s.databases.At(path, func() *database { return &database{Snapshot: sqlite.Snapshot{Path: path, TempDir: s.TempDir}} })
}

// look calls fn with the database. Damage there fails only this reading.
func (d *database) look(ctx context.Context, fn func(*tables) error) error {
	var failure error
	err := d.View(ctx, func(db *sqlite.DB) error {
		if failure = fn(&tables{DB: db}); errors.Is(failure, files.ErrBusy) || ctx.Err() != nil {
			return failure
		}
		return nil
	})
	return errors.Join(err, failure)
}

// Close ends a pass: databases are closed, and opened again in the next one.
func (s *Source) Close() error { return s.databases.Close() }

// read reads a session. A sub-agent's work is a layer of the session that it worked for.
func read(ctx context.Context, a archive, id string) (out sources.Reading, err error) {
	i, err := a.info(ctx, id)
	if err != nil || i == nil { // it was deleted meanwhile
		return out, err
	}
	p := newParser(i)
	err = p.read(ctx, a)
	root, rerr := rootOf(ctx, a, i)
	if err = cmp.Or(err, rerr); err != nil {
		return out, err
	}
	la := sources.Layer{Name: layerSession, Rank: sources.RankLog, Provisional: i.bad || len(p.damage) > 0, Session: p.finish()}
	if out = p.out; root == "" {
		out.Layers = []sources.Layer{la}
		return out, nil
	}
	la.Name, la.Session = layerAgents, builder.WorkOf(la.Session, sources.Delegation{ID: i.ID, Name: agentTitle(i.Title, i.Agent)})
	la.Session.ID, la.Session.Agent = root, agentName
	out.Sessions = []sources.SessionLayers{{ID: root, Layers: []sources.Layer{la}}}
	return out, nil
}

// rootOf finds the session that a sub-agent worked for; none if it is missing, or in a circle.
func rootOf(ctx context.Context, a archive, i *info) (root string, err error) {
	const maxDepth = 20 // sub-agents call each other
	for range maxDepth {
		if i.Parent == "" {
			return root, nil
		}
		above, err := a.info(ctx, i.Parent)
		if err != nil || above == nil {
			return "", err
		}
		i, root = above, above.ID
	}
	return "", nil
}

// home is a folder with the layout of ~/.local/share/opencode, with its content.
type home struct {
	*homes.Home
	found map[string]*place // places by session
}

// place is where a session is read: a database, or its file in the JSON store.
type place struct {
	database *sources.Part
	newest   int64 // time of the newest message with words, or 0
	updated  int64 // from the session's row
	file     string
}

// isBetter prefers the newest words, then the row written last.
func (p *place) isBetter(than *place) bool {
	return than == nil || cmp.Or(cmp.Compare(p.newest, than.newest), cmp.Compare(p.updated, than.updated)) > 0
}

// found opens the homes, and creates the items of their sessions.
func (s *Source) found(ctx context.Context) (all []*home) {
	for _, one := range s.Open() {
		h := &home{one, map[string]*place{}}
		h.list(ctx, s.TempDir)
		all = append(all, h)
	}
	return all
}

// databases names the databases of all channels, sorted: opencode.db, opencode-beta.db.
func (h *home) databases() (names []string) {
	if !h.Root.Found {
		return nil
	}
	for _, e := range h.ReadDir(h.Tag, h.Root.Path) {
		if stem, ok := strings.CutSuffix(e.Name(), ".db"); ok && (stem == "opencode" || strings.HasPrefix(stem, "opencode-")) {
			names = append(names, e.Name())
		}
	}
	return names
}

func (h *home) list(ctx context.Context, tempDir string) {
	for _, name := range h.databases() {
		parts := h.Parts(h.Tag)
		parts.Database(name, h.In(name))
		for _, p := range parts.List {
			p.Path, p.Shared = h.In(name), true
			h.Root.Bytes += p.Stamp.Size
			if err := h.look(ctx, p, tempDir); err != nil && ctx.Err() == nil {
				h.Problem(h.Tag, p.Path, fmt.Errorf("list sessions: %w", err))
			}
		}
	}
	if h.Root.Found {
		h.lookAtFiles(ctx)
	}
	for id, at := range h.found {
		item := sources.Item{Source: agentName, Key: h.Tag + "/" + id, Kind: sources.KindSession, Session: id, Root: h.Root.Path}
		if at.database != nil {
			item.Path, item.Parts = at.database.Path, []sources.Part{*at.database}
		} else {
			item.Path, item.Parts = at.file, h.fileParts(id, at.file)
		}
		if len(item.Parts) > 0 {
			h.Out.Items = append(h.Out.Items, item)
		}
	}
}

// look finds the sessions of a database. Another program's database of the same name has none.
func (h *home) look(ctx context.Context, p sources.Part, tempDir string) error {
	var found map[string]*place
	err := sqlite.View(ctx, p.Path, tempDir, func(db *sqlite.DB) error {
		found = map[string]*place{}
		t := &tables{DB: db}
		v1, v2, err := t.newest(ctx, "s.id")
		for _, table := range sessionTables {
			query := "SELECT s.id, s.time_updated, max(coalesce(" + v1 + ", 0), coalesce(" + v2 + ", 0)) FROM " + table + " s"
			err = errors.Join(err, t.Ask(ctx, table, nil, query, func(c []string) {
				at := &place{database: &p}
				at.updated, _ = decode.Number(c[1])
				at.newest, _ = decode.Number(c[2])
				if id := sessionID(c[0]); id != "" && at.isBetter(found[id]) {
					found[id] = at
				}
			}))
		}
		return err
	})
	if err != nil {
		return err
	}
	for id, at := range found {
		if at.isBetter(h.found[id]) {
			h.found[id] = at
		}
	}
	return nil
}

// sessionID returns the id of a session as stored, or "" for an invalid one.
func sessionID(id string) string {
	if len(id) > 200 || strings.ContainsFunc(id, func(r rune) bool { return r <= ' ' || r == '/' || r == '\\' || r == 0x7f || r == '\ufffd' }) {
		return ""
	}
	return id
}

// lookAtFiles finds the sessions of the JSON stores whose words no database has: many were left.
func (h *home) lookAtFiles(ctx context.Context) {
	sessions := h.In("storage/session")
	for _, project := range h.ReadDir(h.Tag, sessions) {
		if project.IsDir() {
			h.lookInto(ctx, files.Below(sessions, project.Name()))
		}
	}
	for _, project := range h.ReadDir(h.Tag, h.In("project")) { // left by 0.6 if the folder of a project was gone
		if project.IsDir() {
			h.lookInto(ctx, h.In("project/"+project.Name()+"/storage/session/"+oldSessions))
		}
	}
}

func (h *home) lookInto(ctx context.Context, folder string) {
	for _, e := range h.ReadDir(h.Tag, folder) {
		id, ok := strings.CutSuffix(e.Name(), ".json")
		if id = sessionID(id); !ok || id == "" || e.IsDir() || ctx.Err() != nil {
			continue
		}
		file := files.Below(folder, e.Name())
		if at := h.found[id]; at == nil || at.database != nil && at.newest == 0 && h.hasWords(id, storeOf(file)) {
			h.found[id] = &place{file: file}
		}
	}
}

// hasWords reports whether a JSON store has a message of a session with its parts.
func (h *home) hasWords(id string, j jsonStore) bool {
	return slices.ContainsFunc(h.ReadDir(h.Tag, j.in("message", id)), func(e os.DirEntry) bool {
		message, ok := strings.CutSuffix(e.Name(), ".json")
		return ok && len(h.ReadDir(h.Tag, j.in("part", id, message))) > 0
	})
}

// fileParts returns the parts of a session in a JSON store. A message is rewritten when its parts are
// complete, so that the parts need no stamps.
func (h *home) fileParts(id, file string) []sources.Part {
	j := storeOf(file)
	parts, messages := h.Parts(h.Tag+"/"+id), j.in("message", id)
	parts.File("session", file, nil)
	parts.File("todo", filepath.Join(j.folder, "todo", id+".json"), nil)
	parts.Folder("messages", messages, h.ReadInfo(h.Tag, messages))
	return parts.Sorted()
}

// Details describes each home by the rows of its sessions.
func (s *Source) Details(ctx context.Context) (map[string][]string, error) {
	return homes.Details(ctx, &s.Reader, s.found(ctx), func(h *home) (homes.Tally, error) { return h.tally(ctx, s.TempDir) })
}

func (h *home) tally(ctx context.Context, tempDir string) (t homes.Tally, err error) {
	t.Counts = map[string]int{}
	known := map[[2]string]bool{}
	tell := func(what, id string, is bool) { // once: a session may be in several tables
		if key := [2]string{what, id}; is && !known[key] {
			known[key] = true
			t.Counts["session "+what]++
		}
	}
	for id, at := range h.found {
		tell("in files of versions before 1.2", id, at.database == nil)
	}
	row := func(table string, c []string) {
		tell("archived", c[0], c[1] != "")
		tell("in the tables of version 2", c[0], table == "session_v2")
		tell("of sub-agents, which stand in the note of the session that they worked for", c[0], c[2] != "")
		if v := "v" + c[3]; semver.IsValid(v) && semver.Compare(v, "v"+t.Version) > 0 {
			t.Version = c[3]
		}
	}
	for _, name := range h.databases() {
		err = errors.Join(err, sqlite.View(ctx, h.In(name), tempDir, func(db *sqlite.DB) (err error) {
			for _, table := range sessionTables {
				err = cmp.Or(err, (&tables{DB: db}).each(ctx, table, "", func(c []string) { row(table, c) }, nil, "id", "time_archived", "parent_id", "version"))
			}
			return err
		}))
	}
	return t, err
}
