package main

import (
	"context"
	"crypto/md5"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// userFolder is where a corpus of chats has its user folder.
func userFolder(home string) string { return filepath.Join(home, "Code", "User") }

// generateChats writes a user folder of VS Code of the given parameters: a pure
// function of them. Half of the chats are objects, half are logs.
func generateChats(ctx context.Context, home string, p params, done func(sessions int)) (manifest, error) {
	m := manifest{Params: p}
	lex := newLexicon(p.Seed)
	all := plan(p, lex)
	m.Folders = len(all)
	storage := filepath.Join(userFolder(home), "workspaceStorage")
	byProject := map[*project][]*chatScribe{}
	var order []*project
	for i, s := range all {
		if err := ctx.Err(); err != nil {
			return m, err
		}
		c, err := writeChat(filepath.Join(storage, s.project.hash()), s, lex)
		if err != nil {
			return m, err
		}
		m.LogBytes += c.bytes
		m.ToolBytes += c.heavy
		if byProject[s.project] == nil {
			order = append(order, s.project)
		}
		byProject[s.project] = append(byProject[s.project], c)
		done(i + 1)
	}
	for _, p := range order {
		if err := writeWorkspace(ctx, filepath.Join(storage, p.hash()), p, byProject[p]); err != nil {
			return m, err
		}
	}
	return m, nil
}

// hash names the folder of a workspace.
func (p *project) hash() string { return fmt.Sprintf("%x", md5.Sum([]byte(p.cwd))) }

// kept is how many transcripts the extension keeps of a workspace
// (formats/vscode-copilot-chat.md, section 5.1).
const keptTranscripts = 20

// writeWorkspace writes what lies beside the chats of a workspace.
func writeWorkspace(ctx context.Context, dir string, p *project, chats []*chatScribe) error {
	newest := chats[len(chats)-1].now
	f := &folder{dir: dir, at: newest}
	f.put("workspace.json", string(append(object(nil), '{').str("folder", "file://"+p.cwd).close()))
	for i, c := range chats {
		f.at = c.now
		if len(chats)-i <= keptTranscripts && c.requests > 0 && i%3 == 0 {
			f.put("GitHub.copilot-chat/transcripts/"+c.s.id+".jsonl", c.transcript())
		}
		if c.s.plan {
			f.put("GitHub.copilot-chat/memory-tool/memories/"+c.s.id+"/plan.md", planOf(c.s, c.lex))
		}
	}
	if f.err != nil {
		return f.err
	}
	return writeIndex(ctx, filepath.Join(dir, "state.vscdb"), chats, newest)
}

// transcript is what the extension notes of the prompts.
func (c *chatScribe) transcript() string {
	var o object
	line := func(kind string, data object) {
		o = append(o, '{').str("type", kind)
		o = append(o.key("data"), data...)
		o = append(o.str("timestamp", stamp(c.s.start)).raw("parentId", "null").close(), '\n')
	}
	line("session.start", append(object(nil), '{').str("sessionId", c.s.id).num("version", 1).str("producer", "copilot-agent").close())
	for _, prompt := range c.prompts {
		line("user.message", append(object(nil), '{').str("content", prompt).raw("attachments", "[]").close())
	}
	return string(o)
}

// writeIndex writes the state of a workspace with the index of its chats.
func writeIndex(ctx context.Context, path string, chats []*chatScribe, at time.Time) error {
	o := append(object(nil), '{').num("version", 1).open("entries")
	for _, c := range chats {
		o = o.open(c.s.id).str("sessionId", c.s.id).str("title", c.s.name()).num("lastMessageDate", c.now.UnixMilli()).
			open("timing").num("created", c.s.start.UnixMilli()).close().raw("isEmpty", fmt.Sprint(c.requests == 0)).close()
	}
	db, err := sql.Open("sqlite", path+"?_pragma=journal_mode(MEMORY)&_pragma=synchronous(0)")
	if err != nil {
		return fmt.Errorf("open %q: %w", path, err)
	}
	_, err = db.ExecContext(ctx, "CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);"+
		"INSERT INTO ItemTable VALUES ('chat.ChatSessionStore.index', ?)", string(o.close().close()))
	if e := db.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = os.Chtimes(path, at, at)
	}
	return wrap(err, "write index")
}
