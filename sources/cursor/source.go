// Package cursor reads the history of Cursor: the database in the IDE's user folder, the transcripts that IDE
// and CLI write below ~/.cursor, and the stores of the CLI. One uuid is one session in all of them. The
// formats change about twice a year and have no contract: unknown records are counted, damage is reported,
// and the rest is read.
//
// The databases hold account tokens and keys of chats. Rows are selected by known keys, never a whole table,
// and only declared fields of a value are kept. Settings, logs, credentials, checkpoints and copies of files
// are never opened.
package cursor

import (
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/decode"
	"github.com/sessionloom/sessionloom/sources/internal/editor"
	"github.com/sessionloom/sessionloom/sources/internal/files"
	"github.com/sessionloom/sessionloom/sources/internal/homes"
	"github.com/sessionloom/sessionloom/sources/internal/sqlite"
	"github.com/sessionloom/sessionloom/sources/internal/words"
)

const (
	agentName = "cursor"     // the agent of sessions of the IDE
	cliName   = "cursor-cli" // agent of sessions in a store of the CLI
	tested    = "3.12"       // the newest version of the IDE with fixtures
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
	homes.Config // homes with the layout of ~/.cursor
	Users        Users
}

// Users are the user folders of the IDE to read.
type Users struct {
	Dirs     []string // given by the user
	Defaults bool     // also read Cursor's default one
	GOOS     string   // operating system of the default place
}

// Source reads the history of Cursor.
type Source struct {
	homes.Reader
	users  homes.Reader // reader of the user folders
	stores files.Pass[*store]
}

// New returns a reader; it opens nothing. Since 2026 transcripts repeat the database of the IDE.
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

// List finds the sessions. It walks folders and calls stat; of the IDE's database it reads the keys.
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

// Read returns the layers of an item.
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

// finish builds a session from a conversation, whose last turn may have been stopped. A missing prompt proves
// nothing here. The IDE knows edits better than a transcript, which does not say whether they were made.
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

// Digest returns a value that changes if the IDE's data about a conversation does.
func (s *Source) Digest(ctx context.Context, item sources.Item, part string) (string, error) {
	p, ok := item.Part(part)
	if !ok {
		return "", nil
	}
	return s.store(item.File(p)).digest(ctx, composerID(item))
}

// Close ends a pass: databases are closed, and opened again in the next one.
func (s *Source) Close() error { return s.stores.Close() }

func (s *Source) store(path string) *store {
	return s.stores.At(path, func() *store { return &store{Snapshot: sqlite.Snapshot{Path: path, TempDir: s.TempDir}} })
}

// Details counts in each user folder what has no note of its own: drafts and sub-agents.
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

// Names of parts.
const (
	partIDE       = "ide" // shared by all conversations of a user folder
	partWorkspace = "state.vscdb"
	partFolder    = "workspace.json"
	partLines     = "transcript.jsonl"
	partText      = "transcript.txt"
	partStore     = "store.db"
	partMeta      = "meta.json"
	partAgent     = "agent.jsonl"
)

// composerID returns the database's id of an item's conversation.
func composerID(item sources.Item) string { return path.Base(item.Key) }

// sessionID returns the session id of a conversation with Cursor's name.
func sessionID(name string) string {
	if id := sources.FoldUUID(name); sources.IsUUID(id) {
		return id
	}
	return agentName + ":" + name
}

// further returns the homes beside the one that a variable names: the IDE still writes to the usual one.
func (c Config) further() (folders []string) {
	for _, at := range [][2]string{{c.Env("XDG_CONFIG_HOME"), "cursor"}, {c.Home, ".cursor"}} {
		if dir := filepath.Join(at[0], at[1]); c.Defaults && at[0] != "" && isThere(dir) {
			folders = append(folders, dir)
		}
	}
	return folders
}

// userFolders returns the user folders to read. The first default place is listed even if it is missing.
func (c Config) userFolders() (folders []string) {
	for _, dir := range c.Users.Dirs {
		folders = append(folders, editor.UserFolder(dir))
	}
	if c.Users.Defaults {
		for i, base := range editor.AppFolders(c.Users.GOOS, c.Home, c.Env) {
			if dir := filepath.Join(base, "Cursor", "User"); i == 0 || isThere(dir) {
				folders = append(folders, dir)
			}
		}
	}
	return folders
}

func isThere(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// home is a folder with the layout of ~/.cursor, with its content.
type home struct {
	*homes.Home
	found map[string]*candidate // candidates by session
	inIDE map[string]bool       // sessions that a database of the IDE has
}

type candidate struct {
	logs   []string // transcripts
	store  string   // the folder of the CLI's store, or ""
	agents map[string]bool
}

func (h *home) list(ctx context.Context) {
	for _, e := range h.ReadDir(h.Tag, h.Real["projects"]) {
		if e.IsDir() && ctx.Err() == nil {
			h.project(filepath.Join(h.Real["projects"], e.Name(), "agent-transcripts"))
		}
	}
	for _, e := range h.ReadDir(h.Tag, h.Real["chats"]) {
		dir := files.Below(h.Real["chats"], e.Name())
		if !e.IsDir() || ctx.Err() != nil {
			continue
		}
		for _, one := range h.ReadDir(h.Tag, dir) {
			if c := h.at(one.Name()); one.IsDir() && c != nil && c.store == "" {
				c.store = files.Below(dir, one.Name())
			}
		}
	}
	for name, c := range h.found {
		h.session(name, c)
	}
}

// at returns the candidate of a name, or nil for a name that is not a conversation's.
func (h *home) at(name string) *candidate {
	if !plainName().MatchString(name) {
		return nil
	}
	id := sources.FoldUUID(name)
	if h.found[id] == nil {
		h.found[id] = &candidate{agents: map[string]bool{}}
	}
	return h.found[id]
}

// logParts maps the suffixes of transcripts to names of parts.
var logParts = map[string]string{".jsonl": partLines, ".txt": partText}

// project lists the transcripts of a project: a text, a file of lines, or a folder with that file and its sub-agents'
// files.
func (h *home) project(dir string) {
	for _, e := range h.ReadDir(h.Tag, dir) {
		path, ext := files.Below(dir, e.Name()), filepath.Ext(e.Name())
		switch c := h.at(strings.TrimSuffix(e.Name(), ext)); {
		case c == nil:
		case e.IsDir():
			for _, in := range h.ReadDir(h.Tag, path) {
				if in.Name() == e.Name()+".jsonl" {
					c.logs = append(c.logs, files.Below(path, in.Name()))
				} else if in.IsDir() && in.Name() == "subagents" {
					h.agents(c, sources.FoldUUID(e.Name()), files.Below(path, in.Name()))
				}
			}
		case logParts[ext] != "":
			c.logs = append(c.logs, path)
		}
	}
}

// agents creates the items of a session's sub-agents, which may be in two projects.
func (h *home) agents(c *candidate, of, dir string) {
	for _, e := range h.ReadDir(h.Tag, dir) {
		name, ok := strings.CutSuffix(e.Name(), ".jsonl")
		if !ok || !plainName().MatchString(name) || c.agents[name] {
			continue
		}
		c.agents[name] = true
		it := sources.Item{Key: h.Tag + "/agent/" + of + "/" + name, Kind: sources.KindMemory, Path: files.Below(dir, e.Name())}
		parts := h.Parts(it.Key)
		parts.File(partAgent, it.Path, e)
		h.item(sessionID(of), it, parts)
	}
}

// session creates the item of a session, and another for each further transcript: a session may have been
// open in two windows, or begun by an older version.
func (h *home) session(name string, c *candidate) {
	slices.SortStableFunc(c.logs, func(a, b string) int { return rank(b) - rank(a) })
	if len(c.logs) == 0 { // only of the CLI
		c.logs = []string{c.store}
	}
	for i, path := range c.logs {
		it := sources.Item{Key: h.Tag + "/session/" + name, Kind: sources.KindSession, Session: sessionID(name), Path: path}
		if i > 0 {
			rel, _ := filepath.Rel(h.Real["projects"], path) // path is below it
			it.Key += "/" + files.Hash(filepath.ToSlash(rel))[:8]
		}
		parts := h.Parts(it.Key)
		if part := logParts[filepath.Ext(path)]; part != "" {
			parts.File(part, path, nil)
		}
		if i == 0 && c.store != "" {
			parts.Database(partStore, files.Below(c.store, partStore))
			parts.File(partMeta, files.Below(c.store, partMeta), nil)
		}
		h.item(it.Session, it, parts)
	}
}

// rank sorts transcripts of one session: the newest format first, one from a window without a folder last.
func rank(log string) (n int) {
	if projectOf(log) != "" {
		n = 4
	}
	switch {
	case filepath.Ext(log) == ".txt":
		return n
	case filepath.Base(filepath.Dir(log)) == "agent-transcripts":
		return n + 1
	}
	return n + 2
}

// item adds an item of a session, with a part that says whether the IDE has it too.
func (h *home) item(session string, it sources.Item, parts files.Parts) {
	var more []sources.Part
	if h.inIDE[session] {
		more = []sources.Part{{Name: files.Names, Path: h.Root.Path, Stamp: sources.Stamp{Size: 1}}}
	}
	h.Add(it, parts, more...)
}

// projectOf returns the project folder of a transcript, or "" for a window without a folder: its name is a number.
func projectOf(log string) string {
	above, _, _ := strings.Cut(filepath.ToSlash(log), "/agent-transcripts/")
	name := path.Base(above)
	if name == "empty-window" || strings.Trim(name, "0123456789") == "" {
		return ""
	}
	return name
}
