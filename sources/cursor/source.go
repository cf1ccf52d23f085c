package cursor

import (
	"context"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/decode"
	"github.com/sessionloom/sessionloom/sources/internal/files"
	"github.com/sessionloom/sessionloom/sources/internal/sqlite"
	"github.com/sessionloom/sessionloom/sources/internal/words"
)

// tested is the newest version of the IDE whose shapes the fixtures have.
const tested = "3.12"

// Source reads the history of Cursor.
type Source struct {
	cfg    Config
	stores sqlite.Pass[*store]
}

var _ interface {
	sources.Source
	sources.Digester
	sources.Closer
	sources.Watcher
	sources.Detailer
	sources.Tester
} = (*Source)(nil)

// New returns a reader; nothing is opened yet.
func New(c Config) *Source {
	if c.Env == nil {
		c.Env = func(string) string { return "" }
	}
	return &Source{cfg: c}
}

// Name is "cursor".
func (s *Source) Name() string { return agentName }

// Tested is the newest version whose shapes the tests read.
func (s *Source) Tested() string { return tested }

// List finds the sessions by folder walks and stat, but for those of the IDE: they are rows of a database, of which the keys
// alone are read.
func (s *Source) List(ctx context.Context) (sources.Listing, error) {
	out, inIDE := lister(), map[string]bool{}
	for _, u := range s.cfg.users() {
		u.list(ctx, s.cfg.TempDir)
		u.AddTo(&out)
	}
	for _, it := range out.Out.Items {
		inIDE[it.Session] = it.Kind == sources.KindSession && !it.Scaffold
	}
	for _, h := range s.cfg.homes() {
		h.inIDE = inIDE
		h.list(ctx)
		h.AddTo(&out)
	}
	if err := ctx.Err(); err != nil {
		return sources.Listing{}, err
	}
	return out.Finish(""), nil
}

// Read returns what the files of an item say.
func (s *Source) Read(ctx context.Context, item sources.Item) (sources.Reading, error) {
	if err := ctx.Err(); err != nil {
		return sources.Reading{}, err
	}
	r := &reading{src: s, Reading: files.Reading{Item: item, Source: agentName, Agent: agentName, Program: programName}}
	r.CountBytes("")
	read := r.session
	for part, other := range map[string]func(context.Context) error{partIDE: r.composer, partWorkspace: r.workspace, partAgent: r.agent} {
		if _, ok := item.Part(part); ok {
			read = other
		}
	}
	if err := read(ctx); err != nil {
		return sources.Reading{}, err
	}
	return r.Out, ctx.Err()
}

// reading is one Read of an item under way.
type reading struct {
	files.Reading
	src *Source
}

// count adds up the records of a conversation.
func (r *reading) count(k *talk) {
	r.Out.Records += k.records
	r.Unknown(k.unknown)
}

// finish makes a session of a conversation, whose last turn the agent or its user may have stopped. That nobody typed a prompt
// tells nothing here. What was edited the IDE knows better than a transcript, which does not tell whether it was.
func (r *reading) finish(k *talk, status decode.Loose) *sources.Session {
	if all := k.Turns(); len(all) > 0 {
		stop(all[len(all)-1], status)
	}
	if k.bad > 0 {
		k.Session.Damage = append(k.Session.Damage, words.Count(k.bad, "message")+" could not be read")
	}
	if k.missing > 0 {
		k.Session.Damage = append(k.Session.Damage, words.Count(k.missing, "message")+" missing")
	}
	s := k.Finish()
	s.Class = ""
	if _, inIDE := r.Item.Part(files.Names); inIDE {
		s.Files, s.Refs = nil, nil
	}
	return s
}

// Digest tells whether what the database of the IDE says of a conversation changed.
func (s *Source) Digest(ctx context.Context, item sources.Item, part string) (string, error) {
	p, ok := item.Part(part)
	if !ok {
		return "", nil
	}
	return s.store(item.File(p)).digest(ctx, composerID(item))
}

// Close ends a pass: databases are closed, and looked at anew in the next one.
func (s *Source) Close() error { return s.stores.Close() }

func (s *Source) store(path string) *store {
	return s.stores.At(path, func() *store { return &store{Snapshot: sqlite.Snapshot{Path: path, TempDir: s.cfg.TempDir}} })
}

// watched are the patterns of what is worth a look when it changes. The database of the IDE changes all the time; what is said
// in it stands in a transcript too, since 2026.
var watched = []string{
	"projects/*/agent-transcripts/*.jsonl", "projects/*/agent-transcripts/*.txt", "projects/*/agent-transcripts/*/*.jsonl",
	"chats/*/*/store.db", "chats/*/*/store.db-wal",
}

// Watch names the homes.
func (s *Source) Watch(context.Context) (roots []sources.WatchRoot) {
	for _, h := range s.cfg.homes() {
		roots = append(roots, sources.WatchRoot{Path: h.Root.Path, Files: watched})
	}
	return roots
}
