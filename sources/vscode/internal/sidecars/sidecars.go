// Package sidecars reads what VS Code and its Copilot Chat extension write beside a chat: transcripts, files
// of the memory tool, editing sessions, and the lists of sessions. Each gives sparse sessions, or parts of
// one, that complete the chat or replace it if it is gone.
package sidecars

import (
	"bufio"
	"cmp"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/decode"
	"github.com/sessionloom/sessionloom/sources/internal/editor"
	"github.com/sessionloom/sessionloom/sources/internal/eventlog"
	"github.com/sessionloom/sessionloom/sources/internal/files"
	"github.com/sessionloom/sessionloom/sources/internal/tools"
	"github.com/sessionloom/sessionloom/sources/pattern"
	"github.com/sessionloom/sessionloom/sources/vscode/internal/chat"
)

// Transcript reads GitHub.copilot-chat/transcripts/<id>.jsonl, an event log with few types of events. It
// often begins in the middle of a turn: what comes before the first prompt is a turn with an empty User. VS
// Code makes the ids of calls unique by a suffix, which only stays in replays of the chat's history. Empty
// says that nobody wrote a message, as in the run of a sub-agent.
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

// MaxMemory limits a file of the memory tool, in bytes.
const MaxMemory = 1 << 20

// otherID matches an id that is not a UUID, such as "chat-3". A shorter one may be a word that happens to decode.
var otherID = pattern.Lazy(`^[A-Za-z0-9][A-Za-z0-9._:-]{5,127}$`)

// Segment decodes the name of a folder of the memory tool to the id of a session: standard or URL base64,
// padded or not, or a plain UUID, which is returned in lower case. Other names are memory of the repository.
func Segment(name string) (id string, ok bool) {
	if id = sources.FoldUUID(name); sources.IsUUID(id) {
		return id, true
	}
	text := strings.TrimRight(name, "=_") // the padding is written as _, as all odd characters in a file name
	for _, code := range []*base64.Encoding{base64.RawURLEncoding, base64.RawStdEncoding} {
		raw, err := code.DecodeString(text)
		if err == nil && otherID().Match(raw) {
			return sources.FoldUUID(string(raw)), true
		}
	}
	return "", false
}

// Memory completes a file of the memory tool: a plan.md is a plan, all others are memories, in markdown.
func Memory(a *sources.Artifact) {
	if strings.EqualFold(path.Base(a.Name), "plan.md") {
		a.Kind = sources.Plan
	} else if a.Left == "" {
		a.Text = readable(a.Text, path.Ext(a.Name))
	}
}

// readable makes markdown of a memory: entries of the memory tool become paragraphs, other JSON a block of
// code, other text stays.
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

// entriesOf reads entries of the memory tool, one or several, in an array or one after the other: their
// subjects, facts and other texts; nil for anything else.
func entriesOf(text string) (all []string) {
	type entry = decode.Table[struct {
		Text string   `as:"text"`
		List []string `as:"list"`
	}]
	for d := decode.New(strings.NewReader(text)); ; {
		list := make([]entry, 1)
		switch kind := d.PeekKind(); {
		case kind == 0 && d.AtEnd():
			return all
		case kind == '[' && d.Read(&list) != nil, kind != '[' && d.Read(&list[0]) != nil:
			return nil
		}
		for _, e := range list {
			out, lead := strings.TrimSpace(e.Get("fact").Text), "\n\n"
			if out == "" {
				return nil
			}
			if subject := strings.Join(strings.Fields(e.Get("subject").Text), " "); subject != "" {
				out = "**" + subject + "**\n\n" + out
			}
			for name, told := range e.All() {
				text := strings.Join(strings.Fields(told.Text+strings.Join(told.List, ", ")), " ")
				if text != "" && name != "fact" && name != "subject" {
					out, lead = out+lead+"- "+name+": "+text, "\n"
				}
			}
			all = append(all, out)
		}
	}
}

// editing is the kept part of chatEditingSessions/<key>/state.json, without contents of files.
type editing struct {
	Timeline struct {
		Operations []struct {
			Type      string     `json:"type"`
			RequestID string     `json:"requestId"`
			URI       editor.URI `json:"uri"`
			OldURI    editor.URI `json:"oldUri"`
			NewURI    editor.URI `json:"newUri"`
			Epoch     int64      `json:"epoch"`
		} `json:"operations"`
		CurrentEpoch *int64 `json:"currentEpoch"`
	} `json:"timeline"`
	Recent  snapshot `json:"recentSnapshot"`
	Pending snapshot `json:"pendingSnapshot"`
}

// snapshot lists all files of the session so far, each with the request that changed it, and its state.
type snapshot struct {
	RequestID string `json:"requestId"`
	Entries   []struct {
		Resource      editor.URI `json:"resource"`
		State         int64      `json:"state"`
		IsDeleted     bool       `json:"isDeleted"`
		TelemetryInfo struct {
			RequestID string `json:"requestId"`
		} `json:"telemetryInfo"`
	} `json:"entries"`
}

// Edits reads which files the editor saw changed, with the TurnID of their request. A cut file gives its
// readable part, and Damage; the error is for one that cannot be read at all.
func Edits(path string) (*sources.Session, error) {
	f, _, err := files.OpenText(path)
	if err != nil {
		return nil, fmt.Errorf("open editing session: %w", err)
	}
	defer f.Close()
	var e editing
	err = decode.New(bufio.NewReaderSize(f, 64<<10)).Read(&e)
	if failed := (*fs.PathError)(nil); errors.As(err, &failed) {
		return nil, fmt.Errorf("read editing session %q: %w", path, err)
	}
	t := touches{kinds: map[requestFile][]string{}}
	t.takeTimeline(&e)
	verdicts := map[requestFile]sources.Verdict{}
	for _, of := range []snapshot{e.Recent, e.Pending} {
		for _, f := range of.Entries {
			at := requestFile{cmp.Or(f.TelemetryInfo.RequestID, of.RequestID), f.Resource.File()}
			if f.IsDeleted {
				t.add(at.request, at.path, sources.Deleted, "")
			} else if len(t.kinds[at]) == 0 {
				t.add(at.request, at.path, sources.Edited, "")
			}
			verdicts[at] = cmp.Or(map[int64]sources.Verdict{1: sources.Accepted, 2: sources.Rejected}[f.State], verdicts[at])
		}
	}
	s := &sources.Session{Files: t.files}
	for i, f := range s.Files {
		s.Files[i].Verdict = cmp.Or(f.Verdict, verdicts[requestFile{f.TurnID, f.Path}])
	}
	if err != nil {
		s.Damage = []string{"the editing session could not be read to its end"}
	}
	return s, nil
}

type requestFile struct{ request, path string }

type touches struct {
	files []sources.FileTouch
	kinds map[requestFile][]string
}

// takeTimeline records operations in order. An operation is in force if its epoch is below the current one:
// the person went back to before the others.
func (t *touches) takeTimeline(e *editing) {
	for _, o := range e.Timeline.Operations {
		var verdict sources.Verdict
		if now := e.Timeline.CurrentEpoch; now != nil && o.Epoch >= *now {
			verdict = sources.Rejected
		}
		switch o.Type {
		case "create", "delete", "textEdit", "notebookEdit":
			t.add(o.RequestID, o.URI.File(), tools.ChangeKind(o.Type), verdict)
		case "rename":
			t.add(o.RequestID, o.OldURI.File(), sources.Deleted, verdict)
			t.add(o.RequestID, o.NewURI.File(), sources.Renamed, verdict)
		}
	}
}

// add adds a touch once per request, path and kind.
func (t *touches) add(request, path, kind string, verdict sources.Verdict) {
	at := requestFile{request, path}
	if path == "" || slices.Contains(t.kinds[at], kind) {
		return
	}
	t.kinds[at] = append(t.kinds[at], kind)
	t.files = append(t.files, sources.FileTouch{Path: path, Kind: kind, Turn: -1, TurnID: request, Verdict: verdict})
}
