// Package opencode reads the history that opencode keeps below ~/.local/share/opencode: one
// database with the sessions of all projects, in the tables of version 1 and of version 2, and
// the store of JSON files that versions before 1.2 wrote. A session is read from one place,
// however many hold it: the one with the newest words.
//
// List has to open the databases, for only a table says which sessions there are. Those of accounts,
// credentials and shared links are never read, nor are auth.json, logs and snapshots of work trees.
package opencode

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/builder"
	"github.com/sessionloom/sessionloom/sources/internal/files"
	"github.com/sessionloom/sessionloom/sources/internal/homes"
	"github.com/sessionloom/sessionloom/sources/internal/sqlite"
)

const (
	agentName = "opencode" // of all sessions, and what people call the program
	tested    = "1.18.34"  // the newest version whose database the tests read

	layerSession = agentName + "/session" // of a session: it is listed in notes, so it never changes
	layerAgents  = agentName + "/subagents"
)

// Config says where to look and how much to take. The zero value looks nowhere.
type Config = homes.Config

// Source reads the history of opencode.
type Source struct {
	homes.Reader
	databases sqlite.Pass[*database]
}

// New returns a reader; nothing is opened yet.
func New(c Config) *Source {
	return &Source{Reader: homes.Reader{Config: c, Agent: agentName, Program: agentName, Version: tested, Watched: []string{
		"opencode.db", "opencode.db-wal", "opencode-*.db", "opencode-*.db-wal", "storage/session/*/*.json", "storage/message/*/*.json",
	}}}
}

// List finds the sessions of all databases, and those that only files hold.
func (s *Source) List(ctx context.Context) (sources.Listing, error) {
	return homes.Listing(ctx, s.found(ctx), nil)
}

// Read returns the layer of a session. That of a sub-agent's is one of the session it worked for.
func (s *Source) Read(ctx context.Context, item sources.Item) (out sources.Reading, err error) {
	_, err = os.Stat(item.Path) // a database may be open and gone
	switch {
	case err != nil:
	case item.Parts[0].Shared:
		err = s.database(item.Path).look(ctx, func(t *tables) (err error) {
			out, err = read(ctx, t, item.Session)
			return err
		})
	default:
		out, err = read(ctx, jsonStore{folder: filepath.Join(item.Root, "storage")}, item.Session)
	}
	if err != nil {
		return sources.Reading{}, fmt.Errorf("read session %q in %q: %w", item.Session, item.Path, err)
	}
	return out, ctx.Err()
}

// Digest changes when what a database says of a session does. Those of all are found in one go.
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
	digests map[string]string // by session; nil: not asked for yet
}

func (s *Source) database(path string) *database {
	return s.databases.At(path, func() *database { return &database{Snapshot: sqlite.Snapshot{Path: path, TempDir: s.TempDir}} })
}

// look has fn read from the database. What is damaged there fails this reading and no other.
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

// Close ends a pass: databases are closed, and looked at anew in the next one.
func (s *Source) Close() error { return s.databases.Close() }

// read reads a session. What a sub-agent did is a layer of the session that it worked for.
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

// rootOf finds the session that a sub-agent worked for, over sub-agents between; none where it
// is not there, or where they go in a circle.
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
