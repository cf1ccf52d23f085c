package codexcli

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/decode"
	"github.com/sessionloom/sessionloom/sources/internal/files"
	"github.com/sessionloom/sessionloom/sources/internal/jsonl"
	"github.com/sessionloom/sessionloom/sources/internal/words"
)

// memoryFiles are what Codex remembers of its user, whatever they work on. raw_memories.md
// is what these were made of.
var memoryFiles = []string{"MEMORY.md", "memory_summary.md"}

// maxArtifact is how many bytes of a text beside the threads are read.
const maxArtifact = 1 << 20

// readMemory reads an item that is no thread.
func (r *reading) readMemory(ctx context.Context) error {
	if p, ok := r.Item.Part(partPrompts); ok {
		return r.readPrompts(ctx, r.Item.File(p))
	}
	if strings.HasSuffix(r.Item.Key, "/summaries") {
		return r.readSummaries(ctx)
	}
	s := &sources.Session{IsMemory: true, Scope: sources.ScopeUser, Title: "Codex memory", TitleFrom: sources.TrustDerived}
	for _, p := range r.Item.Parts {
		a, err := r.Artifact(p, sources.Memory, p.Name, maxArtifact)
		if err != nil {
			r.Problem(r.Item.File(p), err)
			continue
		}
		s.Artifacts = append(s.Artifacts, a)
	}
	if len(s.Artifacts) > 0 {
		r.session(agentName+":"+r.Item.Key, sources.Layer{Name: layerMemories, Rank: sources.RankStore, Session: s})
	}
	return ctx.Err()
}

// session adds what a layer says of a session.
func (r *reading) session(id string, la sources.Layer) {
	la.Session.ID, la.Session.Agent = id, agentName
	files.SetUpdated(la.Session)
	r.Out.Sessions = append(r.Out.Sessions, sources.SessionLayers{ID: id, Layers: []sources.Layer{la}})
}

// readSummaries reads memories/rollout_summaries: a text for each thread, which a header
// names. Of several the newest counts.
func (r *reading) readSummaries(ctx context.Context) error {
	found := map[string]*sources.Session{}
	for _, p := range r.Item.Parts {
		t, err := files.ReadText(r.Item.File(p), maxArtifact)
		if err != nil {
			r.Problem(r.Item.File(p), err)
			continue
		}
		header, body := headerOf(t.Body)
		id, at := sources.FoldUUID(header["thread_id"]), words.Time(header["updated_at"])
		if !sources.IsUUID(id) || body == "" {
			r.Unknown(map[string]int{"summary without a thread": 1})
			continue
		}
		if was := found[id]; was == nil || !at.Before(was.SummaryAt) {
			found[id] = &sources.Session{Summary: body, SummaryFrom: sources.TrustNamed, SummaryAt: at}
		}
	}
	for _, id := range slices.Sorted(maps.Keys(found)) {
		r.session(id, sources.Layer{Name: layerSummaries, Rank: sources.RankSidecar, Session: found[id]})
	}
	return ctx.Err()
}

// headerOf takes a text apart into the lines "key: value" that it begins with and the rest.
func headerOf(text string) (header map[string]string, body string) {
	header = map[string]string{}
	rest := text
	for rest != "" {
		line, after, _ := strings.Cut(rest, "\n")
		line = strings.TrimSpace(line)
		key, value, isHeader := strings.Cut(line, ":")
		if isHeader = isHeader && key != "" && !strings.ContainsAny(key, " #*"); !isHeader && line != "---" && (line != "" || len(header) > 0) {
			break
		}
		if isHeader {
			header[key] = strings.TrimSpace(value)
		}
		rest = after
	}
	return header, strings.TrimSpace(rest)
}

// typedPrompt is a line of history.jsonl: what was typed at the terminal.
type typedPrompt struct {
	Session string       `json:"session_id"`
	At      decode.Whole `json:"ts"` // seconds since 1970
	Text    string       `json:"text"`
}

// readPrompts reads the list of typed prompts, for the threads whose rollouts are gone. They
// were deleted by their user, so they are named, and given only where Config.PromptOnly
// says so.
func (r *reading) readPrompts(ctx context.Context, path string) error {
	_, listed, err := r.src.cfg.found(ctx)
	if err != nil {
		return err
	}
	gone := map[string]*promptList{}
	log := jsonl.Log[typedPrompt]{Heads: []string{`{"session_id":"`}, Take: func(typed *typedPrompt) (string, bool) {
		if id := sources.FoldUUID(typed.Session); sources.IsUUID(id) && !listed[id] {
			if gone[id] == nil {
				gone[id] = &promptList{id: id, repeats: map[string]int{}}
			}
			gone[id].add(*typed)
		}
		return "", true
	}}
	if err := log.ReadFile(ctx, path); err != nil {
		return err
	}
	r.Out.Records += log.Records
	for _, what := range log.Damage() {
		r.Problem(path, errors.New(what))
	}
	for _, id := range slices.Sorted(maps.Keys(gone)) {
		if l := gone[id]; len(l.session.Turns) > 0 {
			r.Out.RowsOnly = append(r.Out.RowsOnly, id)
			if r.src.cfg.PromptOnly {
				l.session.Damage = []string{"only the list of prompts is left"}
				r.session(id, sources.Layer{Name: layerPrompts, Rank: sources.RankIndex, Session: &l.session})
			}
		}
	}
	return nil
}

// promptList is what was typed in one thread. Ids of its turns are those that the rollout
// would give.
type promptList struct {
	id      string
	repeats map[string]int
	session sources.Session
}

func (l *promptList) add(typed typedPrompt) {
	s, at := &l.session, time.Time{}
	if typed.At > 0 && typed.At < 1<<40 {
		at = sources.OnCalendar(time.Unix(int64(typed.At), 0))
	}
	for begin, kind := range map[string]string{"!": sources.ActionShell, "/goal": sources.ActionGoal} {
		if strings.HasPrefix(typed.Text, begin) {
			s.Actions = append(s.Actions, sources.Action{Kind: kind, Text: typed.Text, Turn: len(s.Turns) - 1, At: at})
			return
		}
	}
	if strings.TrimSpace(typed.Text) == "" {
		return
	}
	if s.Created.IsZero() {
		s.Created = at
	}
	s.Turns = append(s.Turns, sources.Turn{Index: len(s.Turns), ID: promptID(l.id, typed.Text, l.repeats), At: at, User: typed.Text, Status: sources.Pending})
}
