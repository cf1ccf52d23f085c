package geminicli

import (
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/geminicli/internal/chat"
	"github.com/sessionloom/sessionloom/sources/internal/decode"
	"github.com/sessionloom/sessionloom/sources/internal/files"
	"github.com/sessionloom/sessionloom/sources/internal/homes"
	"github.com/sessionloom/sessionloom/sources/internal/jsonl"
	"github.com/sessionloom/sessionloom/sources/internal/words"
)

// maxText limits the bytes of a text beside a chat.
const maxText = 1 << 20

// session reads the chats of an item: a session may continue in later files.
func (r *reading) session(ctx context.Context) error {
	var parts []sources.Part
	for _, p := range r.Item.Parts {
		if _, ok := shortID(path.Base(p.Name)); ok {
			parts = append(parts, p)
		}
	}
	slices.SortStableFunc(parts, func(a, b sources.Part) int { return strings.Compare(path.Base(a.Name), path.Base(b.Name)) })
	chats, err := r.chats(ctx, parts)
	if err != nil {
		return err
	}
	typed := r.lines(ctx, partLogs)
	for _, c := range chats {
		id := c.ID
		if !sources.IsUUID(id) {
			id = agentName + ":" + projectOf(r.Item) + ":" + path.Base(r.Item.Key)
		}
		s := c.Session(r.place(ctx, c), commands(id, typed))
		if c.IsSubagent {
			s.Class = sources.Automatic
		}
		layers := []sources.Layer{{Name: layerChat, Rank: sources.RankLog, Provisional: c.Torn || len(s.Turns)+len(s.TakenBack) == 0, Session: s}}
		if plans, _ := r.Texts(foldPlans+id+"/", ".md", maxText, func(string) string { return sources.Plan }); len(plans) > 0 {
			layers = append(layers, sources.Layer{Name: layerPlans, Rank: sources.RankSidecar, Accumulates: true, Session: &sources.Session{Artifacts: plans}})
		}
		r.Give(id, layers...)
	}
	return nil
}

// chats reads files, and returns the sessions with any content.
func (r *reading) chats(ctx context.Context, parts []sources.Part) ([]*chat.Chat, error) {
	var paths []string
	for _, p := range parts {
		paths = append(paths, r.Item.File(p))
	}
	all, err := chat.Read(ctx, paths)
	for _, c := range all {
		r.Out.Records += c.Records
		r.Unknown(c.Unknown)
	}
	return slices.DeleteFunc(all, func(c *chat.Chat) bool { return c.Records == 0 }), err
}

// commands returns the program's commands that a user typed in a session.
func commands(id string, typed []line) (all []sources.Action) {
	for _, l := range typed {
		if l.session == id && strings.HasPrefix(l.text, "/") {
			all = append(all, sources.Action{Kind: sources.ActionCommand, Text: l.text, At: l.at})
		}
	}
	return all
}

// place returns where a session worked: by a file beside the chat, else by the session itself, if a hash
// confirms it. Otherwise it is a guess, or unknown.
func (r *reading) place(ctx context.Context, c *chat.Chat) sources.Place {
	if p, ok := r.Item.Part(partRoot); ok {
		switch t, err := files.ReadText(r.Item.File(p), 4096); {
		case err != nil:
			r.Problem(r.Item.File(p), err)
		case strings.TrimSpace(t.Body) != "":
			return sources.Place{Cwd: strings.TrimSpace(t.Body)}
		}
	}
	if all := r.lines(ctx, partProjects); len(all) > 0 {
		return sources.Place{Cwd: all[len(all)-1].text}
	}
	for _, folder := range c.Folders {
		if hashOf(folder) == c.Hash {
			return sources.Place{Cwd: folder}
		}
	}
	return sources.Place{Cwd: cmp.Or(append(c.Folders, "")...), Guessed: true}
}

// subagent reads the chat of a sub-agent, a layer of the session that its folder names; if another sub-agent
// called it, a layer of that one's session.
func (r *reading) subagent(ctx context.Context) error {
	chats, err := r.chats(ctx, []sources.Part{{Path: r.Item.Path}})
	if err != nil || len(chats) == 0 {
		return err
	}
	dir := filepath.Dir(r.Item.Path)
	for range 8 { // none is nested deeper
		parent := filepath.Dir(dir)
		above, _ := fs.Glob(os.DirFS(parent), "*/"+filepath.Base(dir)+".json*") // a bad pattern matches nothing
		if len(above) == 0 {
			break
		}
		dir = filepath.Dir(filepath.Join(parent, above[0]))
	}
	base, c := filepath.Base(r.Item.Path), chats[0]
	s := c.Work(sources.FoldUUID(strings.TrimSuffix(base, filepath.Ext(base))), r.place(ctx, c))
	r.Give(sources.FoldUUID(filepath.Base(dir)), sources.Layer{Name: layerSubagents, Rank: sources.RankSidecar, Provisional: c.Torn, Session: s})
	return nil
}

func (r *reading) memory(context.Context) error {
	p, _ := r.Item.Part(partMemory)
	a, err := r.Artifact(p, sources.Memory, partMemory, maxText)
	if err != nil {
		return fmt.Errorf("read memory: %w", err)
	}
	r.Give(agentName+":"+r.Item.Key, sources.Layer{Name: layerMemory, Rank: sources.RankStore, Session: &sources.Session{
		IsMemory: true, Scope: sources.ScopeUser, Title: "Gemini memory", TitleFrom: sources.TrustDerived, Artifacts: []sources.Artifact{a},
	}})
	return nil
}

// prompts reads the lines typed at the terminal in sessions whose chats are gone.
func (r *reading) prompts(ctx context.Context) error {
	p, _ := r.Item.Part(partLogs)
	l, err := r.src.list(ctx, r.Item, p)
	if err != nil {
		return err
	}
	known := r.src.known(ctx)
	place, gone := r.place(ctx, &chat.Chat{}), homes.Prompts{}
	for name, typed := range l {
		r.Out.Records += len(typed)
		for _, one := range typed {
			if !known[name] && sources.IsUUID(one.session) {
				action := ""
				if strings.HasPrefix(one.text, "/") {
					action = sources.ActionCommand
				}
				gone.Add(one.session, place, action, one.text, one.at)
			}
		}
	}
	gone.GiveTo(&r.Reading, layerPrompts, r.src.PromptOnly)
	return nil
}

// list is a file about several items, by their ids there: typed lines by session, or folders by project or
// conversation.
type list map[string][]line

type listed struct {
	list
	err error
}

type line struct {
	session, text string
	at            time.Time
}

func (l list) add(key string, what line) {
	if key != "" && what.text != "" {
		l[key] = append(l[key], what)
	}
}

// list returns the list in a part, read once for each of its stamps.
func (s *Source) list(ctx context.Context, item sources.Item, p sources.Part) (list, error) {
	path := item.File(p)
	l := s.lists.At(fmt.Sprint(p.Name, path, p.Stamp), func() (l listed) {
		l.list, l.err = readList(context.WithoutCancel(ctx), p.Name, path)
		return l
	})
	if l.err != nil {
		return nil, fmt.Errorf("read %q: %w", path, l.err)
	}
	return l.list, ctx.Err()
}

func (r *reading) lines(ctx context.Context, part string) []line {
	p, ok := r.Item.Part(part)
	if !ok {
		return nil
	}
	l, err := r.src.list(ctx, r.Item, p)
	if err != nil {
		r.Problem(r.Item.File(p), err)
	}
	return l[keyIn(r.Item, part)]
}

// Digest returns a value that changes if a shared part's data about an item does.
func (s *Source) Digest(ctx context.Context, item sources.Item, part string) (string, error) {
	p, ok := item.Part(part)
	if !ok {
		return "", nil
	}
	l, err := s.list(ctx, item, p)
	var texts []string
	for _, one := range l[keyIn(item, part)] {
		texts = append(texts, one.session, one.text, one.at.String())
	}
	if texts == nil {
		return "", err
	}
	return files.Hash(texts...), err
}

// readList reads a list. All but one are rewritten each time: of a torn one the readable part counts.
func readList(ctx context.Context, part, at string) (list, error) {
	l, folders := list{}, decode.Table[string]{}
	switch part {
	case partLogs:
		var all []entry
		_, err := decode.File(at, files.MaxLine, &all)
		for _, e := range all {
			if id := sources.FoldUUID(e.Session); e.Type == "user" && id != "" {
				l.add(short(id), line{id, strings.TrimSpace(e.Message), e.At.Time})
			}
		}
		return l, err
	case partProjects:
		var file struct {
			Projects decode.Table[string] `json:"projects"`
		}
		_, err := decode.File(at, files.MaxLine, &file)
		for folder, slug := range file.Projects.All() {
			l.add(slug, line{text: folder})
			l.add(hashOf(folder), line{text: folder})
		}
		return l, err
	case partLast:
		_, err := decode.File(at, files.MaxLine, &folders)
		for folder, id := range folders.All() {
			l.add(sources.FoldUUID(id), line{text: folder})
		}
		return l, err
	}
	log := jsonl.Log[typedLine]{Take: func(t *typedLine) (unknown string, ok bool) {
		if t.Conversation != "" {
			l.add(sources.FoldUUID(t.Conversation), line{text: t.Workspace})
		}
		return "", true
	}}
	return l, log.ReadFile(ctx, at)
}

// entry is an entry of logs.json: a line typed at the terminal.
type entry struct {
	Session string        `json:"sessionId" max:"128"`
	Type    string        `json:"type" max:"64"`
	Message string        `json:"message"`
	At      words.Instant `json:"timestamp"`
}

// typedLine is a line of agy's history.jsonl.
type typedLine struct {
	Workspace    string `json:"workspace" max:"4096"`
	Conversation string `json:"conversationId" max:"128"`
}

func keyIn(item sources.Item, part string) string {
	switch part {
	case partLogs:
		return path.Base(item.Key) // the beginning of an id
	case partProjects:
		return projectOf(item)
	}
	return item.Session
}

func projectOf(item sources.Item) string {
	dir := filepath.Dir(item.Path)
	for at := dir; at != filepath.Dir(at); at = filepath.Dir(at) {
		if filepath.Base(at) == "chats" {
			return filepath.Base(filepath.Dir(at))
		}
	}
	return filepath.Base(dir)
}

// hashOf returns the hash of a folder: the name of a project's folder in versions of 2025, and a member of each chat.
func hashOf(folder string) string {
	return fmt.Sprintf("%x", sha256.Sum256([]byte(folder)))
}
