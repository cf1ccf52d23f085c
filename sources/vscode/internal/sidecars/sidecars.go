// Package sidecars reads what VS Code and its Copilot Chat extension keep beside a chat: transcripts,
// files of the memory tool, editing sessions and the database of the agent host. Each gives a sparse
// session, or a part of one, that completes the chat or stands for it where the chat is gone.
package sidecars

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/editor"
	"github.com/sessionloom/sessionloom/sources/internal/eventlog"
	"github.com/sessionloom/sessionloom/sources/internal/sqlite"
	"github.com/sessionloom/sessionloom/sources/internal/tools"
	"github.com/sessionloom/sessionloom/sources/pattern"
	"github.com/sessionloom/sessionloom/sources/vscode/internal/chat"
)

// AgentHost reads agentSessionData/<id>/session.db, which holds no messages but the changes the agent
// made to files, in order, and what the editor noted of the session. The contents of files in it are
// not read. Copies, where needed, are made below tempDir.
func AgentHost(ctx context.Context, path, tempDir string) (*sources.Session, error) {
	var s *sources.Session
	err := sqlite.View(ctx, path, tempDir, func(db *sqlite.DB) error {
		s = &sources.Session{}
		return errors.Join(fileEdits(ctx, db, s), sessionMetadata(ctx, db, s))
	})
	if err != nil {
		return nil, fmt.Errorf("read agent session %q: %w", path, err)
	}
	return s, nil
}

// fileEdits reads the changes. Before schema version 3 all were edits.
func fileEdits(ctx context.Context, db *sqlite.DB, s *sources.Session) error {
	seen := map[sources.FileTouch]bool{}
	add := func(path, kind string) {
		if t := (sources.FileTouch{Path: editor.FileOf(path), Kind: kind, Turn: -1}); t.Path != "" && !seen[t] {
			seen[t] = true
			s.Files = append(s.Files, t)
		}
	}
	return rows(ctx, db, "file_edits", func(c []string) {
		kind := tools.ChangeKind(c[1])
		if kind == sources.Renamed {
			add(c[2], sources.Deleted)
		}
		add(c[0], kind)
	}, "file_path", "edit_type", "original_path")
}

// sessionMetadata reads the title, the place and whether the user archived the session.
func sessionMetadata(ctx context.Context, db *sqlite.DB, s *sources.Session) error {
	return rows(ctx, db, "session_metadata", func(c []string) {
		value := strings.TrimSpace(c[1])
		switch c[0] {
		case "customTitle":
			if value != "" {
				s.Title, s.TitleFrom = value, sources.TrustCustom
			}
		case "isArchived":
			s.Archived = value == "true"
		case "copilot.workingDirectory":
			s.Place.Cwd = editor.FileOf(value)
		case "copilot.project.uri":
			s.Place.GitRoot = editor.FileOf(value)
		case "copilot.worktree.branchName":
			s.Place.Branch = value
		}
	}, "key", "value")
}

// rows gives the rows of a table in their order, none of one that lacks the first column.
func rows(ctx context.Context, db *sqlite.DB, table string, each func([]string), columns ...string) error {
	have, err := db.Columns(ctx, table)
	if err != nil || !have[columns[0]] {
		return err
	}
	return db.Each(ctx, sqlite.Select(have, table, "ORDER BY rowid", columns...), each)
}

// Transcript reads GitHub.copilot-chat/transcripts/<id>.jsonl, an event log of few types of events. It
// begins when something first asks for it, most in the middle of a turn: what precedes the first prompt
// is a turn with an empty User. VS Code makes the ids of calls unique by a suffix, which stays in what it
// replays of the chat's history alone. Empty says that nobody wrote a message: the run of a sub-agent.
func Transcript(ctx context.Context, path string) (eventlog.Reading, error) {
	log, err := eventlog.ReadDialect(ctx, path, eventlog.Dialect{
		Typed:    func(prompt string) (string, bool) { return chat.CleanPrompt(prompt), !chat.NobodyTyped(prompt) },
		PathOf:   editor.FileOf,
		Replayed: "__vscode-",
		Of:       " of the transcript",
	})
	if err != nil {
		return log, err
	}
	s := log.Session
	log.Empty = !slices.ContainsFunc(s.Turns, func(t sources.Turn) bool { return t.User != "" })
	for i := range s.Turns {
		s.Turns[i].ID, s.Turns[i].Attachments = "", nil
	}
	s.Complete, s.Place.Cwd, s.Updated = false, editor.FileOf(s.Place.Cwd), time.Time{}
	return log, nil
}

// MaxMemory bounds a file of the memory tool, in bytes.
const MaxMemory = 1 << 20

// otherID is an id that is no UUID, such as "chat-3". A shorter one may be a word that happens to decode.
var otherID = pattern.Lazy(`^[A-Za-z0-9][A-Za-z0-9._:-]{5,127}$`)

// Segment decodes the name of a folder of the memory tool to the id of a session: standard or URL base64, padded or
// not, or a plain UUID. UUIDs are given in lower case. What does not decode is memory of the repository.
func Segment(name string) (id string, ok bool) {
	if id = sources.FoldUUID(name); sources.IsUUID(id) {
		return id, true
	}
	text := strings.TrimRight(name, "=_") // the padding is written as _, as all that is odd in a file name
	for _, code := range []*base64.Encoding{base64.RawURLEncoding, base64.RawStdEncoding} {
		raw, err := code.DecodeString(text)
		if err == nil && otherID().Match(raw) {
			return sources.FoldUUID(string(raw)), true
		}
	}
	return "", false
}

// Memory completes a file of the memory tool, which may have any name: a plan.md is a plan, all else
// memory, in markdown.
func Memory(a *sources.Artifact) {
	if strings.EqualFold(path.Base(a.Name), "plan.md") {
		a.Kind = sources.Plan
	} else if a.Left == "" {
		a.Text = readable(a.Text, path.Ext(a.Name))
	}
}

// readable makes markdown of a memory: entries as the memory tool writes them become paragraphs,
// other JSON a block of code, the rest is markdown already.
func readable(text, ext string) string {
	trimmed := strings.TrimSpace(text)
	if !strings.HasPrefix(trimmed, "{") && !strings.HasPrefix(trimmed, "[") {
		return text
	}
	if entries := entriesOf(trimmed); len(entries) > 0 {
		return strings.Join(entries, "\n\n") + "\n"
	}
	if ext = strings.ToLower(ext); ext == ".json" || ext == ".jsonl" {
		fence := strings.Repeat("`", max(3, chat.Backticks(trimmed)+1))
		return fence + "json\n" + trimmed + "\n" + fence + "\n"
	}
	return text
}

// entry is what the memory tool writes.
type entry struct {
	Subject, Fact, Reason, Category string
	Citations                       citations
}

// citations are a text or several.
type citations string

// UnmarshalJSON implements json.Unmarshaler.
func (c *citations) UnmarshalJSON(text []byte) error {
	var list []string
	if json.Unmarshal(text, (*string)(c)) == nil {
		return nil
	}
	err := json.Unmarshal(text, &list)
	*c = citations(strings.Join(list, ", "))
	return err
}

// entriesOf reads entries, one or several, in an array or one after the other; nil: it is anything
// else, or not all of it would be shown.
func entriesOf(text string) (all []string) {
	d := json.NewDecoder(strings.NewReader(text))
	d.DisallowUnknownFields()
	for {
		list := make([]entry, 1)
		var into any = &list[0]
		if strings.HasPrefix(strings.TrimSpace(text[d.InputOffset():]), "[") {
			into = &list
		}
		if err := d.Decode(into); errors.Is(err, io.EOF) {
			return all
		} else if err != nil {
			return nil
		}
		for _, e := range list {
			if e.Fact == "" {
				return nil
			}
			all = append(all, e.markdown())
		}
	}
}

// markdown writes an entry: its subject, the fact, and what else is told of it.
func (e *entry) markdown() string {
	out, lead := strings.TrimSpace(e.Fact), "\n\n"
	if subject := strings.Join(strings.Fields(e.Subject), " "); subject != "" {
		out = "**" + subject + "**\n\n" + out
	}
	for _, more := range [][2]string{{"citations", string(e.Citations)}, {"reason", e.Reason}, {"category", e.Category}} {
		if text := strings.Join(strings.Fields(more[1]), " "); text != "" {
			out, lead = out+lead+"- "+more[0]+": "+text, "\n"
		}
	}
	return out
}
