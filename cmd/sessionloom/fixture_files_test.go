package main

import (
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// workspace writes workspace.yaml, as it is after the last change.
func (s *talk) workspace() {
	var b strings.Builder
	fmt.Fprintf(&b, "id: %s\ncwd: %s\n", s.uuid, s.cwd)
	if s.cwd == widget {
		b.WriteString("git_root: " + s.cwd + "\nrepository: octo-org/widget\nhost_type: github\nbranch: main\n")
	}
	if s.name != "" {
		fmt.Fprintf(&b, "name: %s\nuser_named: %t\n", s.name, s.named)
	}
	fmt.Fprintf(&b, "summary_count: %d\ncreated_at: %s\nupdated_at: %s\n", len(s.checkpoints), iso(s.began), iso(s.clock))
	s.write(s.path("workspace.yaml"), b.String())
}

func iso(t time.Time) string { return t.Format("2006-01-02T15:04:05.000Z") }

// isCalled gives the session a name, by its user or by the model.
func (s *talk) isCalled(name string, byUser bool) *talk {
	s.later(time.Minute)
	s.name, s.named = name, byUser
	s.workspace()
	s.rows.session(s)
	return s
}

// compacts sums up the session so far into a checkpoint.
func (s *talk) compacts(title, overview, next string) *talk {
	s.t.Helper()
	s.checkpoints = append(s.checkpoints, title)
	n := len(s.checkpoints)
	body := fmt.Sprintf("<overview>\n%s\n</overview>\n\n<history>\n1. Talked.\n</history>\n\n<work_done>\n- [x] %s\n</work_done>\n\n"+
		"<technical_details>\n- Numbers matter.\n</technical_details>\n\n<important_files>\n- internal/parse.go\n</important_files>\n\n"+
		"<next_steps>\n- %s\n</next_steps>", overview, title, next)
	s.log("session.compaction_start", fields{})
	s.log("model.messages_snapshot", fields{"messages": strings.Repeat("the whole prompt ", 20)})
	s.log("session.compaction_complete", fields{
		"success": true, "summaryContent": body + "\n\n<checkpoint_title>" + title + "</checkpoint_title>",
		"checkpointNumber": n, "checkpointPath": checkpointFile(n, title), "preCompactionTokens": whole(14206),
	})
	s.write(s.path("checkpoints/"+checkpointFile(n, title)), body)
	s.index()
	s.workspace()
	s.rows.checkpoint(s, n, title, overview, next)
	return s
}

func checkpointFile(n int, title string) string {
	return fmt.Sprintf("%03d-%s.md", n, strings.ReplaceAll(strings.ToLower(title), " ", "-"))
}

// index writes checkpoints/index.md.
func (s *talk) index() {
	text := "# Checkpoint History\n\nCheckpoints are listed in chronological order. Checkpoint 1 is the oldest, higher numbers are more recent.\n\n" +
		"| # | Title | File |\n|---|-------|------|\n"
	for i, title := range s.checkpoints {
		text += fmt.Sprintf("| %d | %s | %s |\n", i+1, title, checkpointFile(i+1, title))
	}
	s.write(s.path("checkpoints/index.md"), text)
}

// plans writes plan.md with the tool that creates files.
func (s *talk) plans(text string) *talk {
	s.t.Helper()
	if strings.Contains(text, "- [ ] ") { // it is under way
		text = "- [x] Look around first\n" + text
	}
	path := "/home/ada/.copilot/" + s.path("plan.md")
	s.call("create", fields{"path": path, "file_text": text}, fields{"fileEdits": []any{fields{"path": path, "kind": "create"}}})
	s.write(s.path("plan.md"), text)
	return s
}

// saves keeps a text among the session's files.
func (s *talk) saves(name, text string) *talk {
	s.t.Helper()
	path := "/home/ada/.copilot/" + s.path("files/"+name)
	s.call("create", fields{"path": path, "file_text": text}, fields{"fileEdits": []any{fields{"path": path, "kind": "create"}}})
	s.write(s.path("files/"+name), text)
	return s
}

// notes sets todos in session.db: titles with their status.
func (s *talk) notes(todos ...string) *talk {
	s.t.Helper()
	s.later(time.Minute)
	s.call("sql", fields{"query": "INSERT INTO todos SELECT * FROM plan"}, fields{})
	path := filepath.Join(s.home, s.path("session.db"))
	db, err := sql.Open("sqlite", path)
	s.check(err)
	_, err = db.Exec(`CREATE TABLE IF NOT EXISTS todos (id TEXT PRIMARY KEY, title TEXT NOT NULL, description TEXT,
		status TEXT DEFAULT 'pending', created_at TEXT, updated_at TEXT)`)
	s.check(err)
	at := s.clock.Format(time.DateTime)
	for i := 0; i+1 < len(todos); i += 2 {
		_, err = db.Exec(`INSERT INTO todos (id, title, status, created_at, updated_at) VALUES (?1, ?1, ?2, ?3, ?3)
			ON CONFLICT (id) DO UPDATE SET status = ?2, updated_at = ?3`, todos[i], todos[i+1], at)
		s.check(err)
	}
	s.check(db.Close())
	s.check(os.Chtimes(path, s.clock, s.clock))
	s.wrote = time.Now()
	return s
}

// rewindsTo takes back all prompts but the first n: the log is rewritten
// with its numbers in another spelling, the checkpoints since are deleted, the
// store keeps all rows.
func (s *talk) rewindsTo(n int) *talk {
	s.t.Helper()
	s.rows.turn(s)
	s.later(time.Minute)
	var kept strings.Builder
	prompts, checkpoints := 0, 0
	for line := range strings.Lines(s.text(s.path("events.jsonl"))) {
		if strings.Contains(line, `"type":"user.message"`) {
			if prompts++; prompts > n {
				break
			}
		}
		if strings.Contains(line, `"type":"session.compaction_complete"`) {
			checkpoints++
		}
		kept.WriteString(strings.ReplaceAll(line, ".0}", "}"))
	}
	s.write(s.path("events.jsonl"), kept.String())
	for i := len(s.checkpoints); i > checkpoints; i-- {
		s.remove(s.path("checkpoints/" + checkpointFile(i, s.checkpoints[i-1])))
	}
	s.checkpoints, s.prompts = s.checkpoints[:checkpoints], n
	s.edited = slices.DeleteFunc(s.edited, func(e edit) bool { return e.prompt > n })
	s.index()
	s.workspace()
	s.log("session.info", fields{"infoType": "rewind", "message": "Rewound the conversation. Your files were left unchanged."})
	return s
}

// forks copies the session into a new one: events with their ids, plan,
// checkpoints and files, but no todos; the store learns of it when it is used.
func (s *talk) forks(uuid string) *talk {
	s.t.Helper()
	s.rows.turn(s)
	s.later(time.Minute)
	child := *s
	child.uuid, child.began, child.name, child.named = uuid, s.clock, s.name+" (fork)", false
	child.prompts, child.next, child.edited = 0, 0, nil
	first, rest, _ := strings.Cut(s.text(s.path("events.jsonl")), "\n")
	child.write(child.path("events.jsonl"), strings.ReplaceAll(first, s.uuid, uuid)+"\n"+rest)
	for _, dir := range []string{"plan.md", "checkpoints", "files"} {
		s.copyTo(s.path(dir), child.path(dir))
	}
	child.workspace()
	child.log("session.info", fields{"infoType": "fork",
		"message": fmt.Sprintf("Forked from %q (%s) as %q (%s).", s.name, s.uuid, child.name, uuid)})
	s.log("session.info", fields{"infoType": "fork", "message": fmt.Sprintf("Forked this session into %q (%s).", child.name, uuid)})
	child.log("session.resume", fields{"resumeTime": s.clock, "context": workplace(s.cwd)})
	return &child
}

func (h *history) copyTo(from, to string) {
	h.t.Helper()
	names, err := filepath.Glob(filepath.Join(h.home, from, "*"))
	h.check(err)
	for _, name := range names {
		h.write(to+"/"+filepath.Base(name), h.text(from+"/"+filepath.Base(name)))
	}
	if info, err := os.Stat(filepath.Join(h.home, from)); err == nil && info.Mode().IsRegular() {
		h.write(to, h.text(from))
	}
}

// isDeleted is `/session delete`: the folder goes, the rows stay.
func (s *talk) isDeleted() {
	s.t.Helper()
	s.later(time.Minute)
	s.remove("session-state/" + s.uuid)
}
