// Package cursor reads the history of Cursor: what the IDE keeps in the database of its user folder, the transcripts that IDE
// and CLI write below ~/.cursor, and the stores of the CLI. One uuid is one session in all of them. The formats change about
// twice a year and have no contract, so they are read leniently: what is unknown is counted, what is damaged is told, and the
// rest is read.
//
// The databases hold tokens of the account and keys of chats. Rows are asked for by the names of known keys, never all of a
// table, and of a value the declared fields alone are kept. Settings, logs, credentials, checkpoints and copies of files are
// never opened.
package cursor

import (
	"context"
	"fmt"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/decode"
	"github.com/sessionloom/sessionloom/sources/internal/files"
	"github.com/sessionloom/sessionloom/sources/internal/homes"
	"github.com/sessionloom/sessionloom/sources/internal/sqlite"
	"github.com/sessionloom/sessionloom/sources/internal/words"
)

const (
	agentName = "cursor"     // the agent of sessions of the IDE
	cliName   = "cursor-cli" // of those that the CLI keeps a store of
	tested    = "3.12"       // the newest version of the IDE whose shapes the fixtures have
)

// The layers of a session. They are listed in notes, so they never change.
const (
	layerIDE        = agentName + "/ide"        // composer and bubbles in the database of the IDE
	layerPane       = agentName + "/pane"       // chats of 2023 and 2024, in the database of a workspace
	layerTranscript = agentName + "/transcript" // below ~/.cursor/projects
	layerCLI        = agentName + "/cli"        // the store of the CLI
	layerSubagents  = agentName + "/subagents"
	layerWorkspace  = agentName + "/workspace" // the list of a workspace
	layerPrompts    = agentName + "/prompts"   // typed prompts of a workspace
)

// Config says where to look and how much to take. The zero value looks nowhere.
type Config struct {
	homes.Config // of homes with the layout of ~/.cursor
	Users        Users
}

// Users are the user folders of the IDE to read.
type Users struct {
	Dirs     []string // as given by the user
	Defaults bool     // also read the one that Cursor uses by itself
	GOOS     string   // operating system the default place is that of
}

// Source reads the history of Cursor.
type Source struct {
	homes.Reader
	users  homes.Reader // of the user folders
	stores sqlite.Pass[*store]
}

// New returns a reader; nothing is opened yet. The database of the IDE changes all the time; what is said in it stands in a
// transcript too, since 2026.
func New(c Config) *Source {
	if c.Env == nil {
		c.Env = func(string) string { return "" }
	}
	s := &Source{Reader: homes.Reader{Config: c.Config, Agent: agentName, Program: "Cursor", Version: tested, Watched: []string{
		"projects/*/agent-transcripts/*.jsonl", "projects/*/agent-transcripts/*.txt", "projects/*/agent-transcripts/*/*.jsonl",
		"chats/*/*/store.db", "chats/*/*/store.db-wal",
	}}}
	s.Further, s.users = c.further, homes.Reader{Config: homes.Config{Home: c.Home}, Agent: agentName, Program: s.Program, Further: c.userFolders}
	return s
}

// List finds the sessions by folder walks and stat, but for those of the IDE: they are rows of a database, of which the keys
// alone are read.
func (s *Source) List(ctx context.Context) (sources.Listing, error) {
	var all []*homes.Home
	inIDE := map[string]bool{}
	for _, u := range s.userFolders() {
		u.list(ctx, s.TempDir)
		for _, it := range u.Out.Items {
			inIDE[it.Session] = it.Kind == sources.KindSession && !it.Scaffold
		}
		all = append(all, u.Home)
	}
	for _, one := range s.Open("projects", "chats") {
		h := &home{one, map[string]*candidate{}, inIDE}
		h.list(ctx)
		all = append(all, h.Home)
	}
	return homes.Listing(ctx, all, nil)
}

// Read returns what the files of an item say.
func (s *Source) Read(ctx context.Context, item sources.Item) (sources.Reading, error) {
	r := &reading{src: s, Reading: s.Begin(item)}
	read := r.session
	for part, other := range map[string]func(context.Context) error{partIDE: r.composer, partWorkspace: r.workspace, partAgent: r.agent} {
		if _, ok := item.Part(part); ok {
			read = other
		}
	}
	return r.Done(ctx, read(ctx))
}

type reading struct {
	files.Reading
	src *Source
}

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
	return s.stores.At(path, func() *store { return &store{Snapshot: sqlite.Snapshot{Path: path, TempDir: s.TempDir}} })
}

// Details tells of each user folder what has no note of its own: drafts and sub-agents.
func (s *Source) Details(ctx context.Context) (map[string][]string, error) {
	return homes.Details(ctx, &s.Reader, s.userFolders(), func(u *user) (homes.Tally, error) {
		var n map[string]int
		if u.global == "" {
			return homes.Tally{}, nil
		}
		err := sqlite.View(ctx, files.Below(u.global, partWorkspace), s.TempDir, func(db *sqlite.DB) error {
			n = map[string]int{}
			x, err := newIndex(ctx, db)
			if err != nil {
				return err
			}
			return eachComposer(ctx, db, func(id, text string) {
				var c struct {
					Headers []decode.None `json:"fullConversationHeadersOnly"`
					Inline  []decode.None `json:"conversation"`
				}
				switch {
				case x.root(id) != "":
					n["conversation of sub-agents"]++
				case decode.Text(text, &c) == nil && len(c.Headers)+len(c.Inline) == 0:
					n["conversation in which nothing was said"]++
				}
			})
		})
		if err != nil {
			err = fmt.Errorf("look into the database of %q: %w", u.Root.Path, err)
		}
		return homes.Tally{Counts: n}, err
	})
}
