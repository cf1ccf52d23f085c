package codexcli

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/builder"
	"github.com/sessionloom/sessionloom/sources/internal/decode"
	"github.com/sessionloom/sessionloom/sources/internal/files"
	"github.com/sessionloom/sessionloom/sources/internal/homes"
	"github.com/sessionloom/sessionloom/sources/internal/jsonl"
	"github.com/sessionloom/sessionloom/sources/internal/words"
)

const maxText = 1 << 20 // bytes of a text beside the threads that are read

func (r *reading) readMemories(context.Context) error {
	s := &sources.Session{IsMemory: true, Scope: sources.ScopeUser, Title: "Codex memory", TitleFrom: sources.TrustDerived}
	if s.Artifacts, _ = r.Texts("", "", maxText, func(string) string { return sources.Memory }); len(s.Artifacts) > 0 {
		r.Give(agentName+":"+r.Item.Key, sources.Layer{Name: layerMemories, Rank: sources.RankStore, Session: s})
	}
	return nil
}

// readSummaries reads memories/rollout_summaries: a text for each thread, which a header names. Of several the newest counts.
func (r *reading) readSummaries(context.Context) error {
	found := map[string]*sources.Session{}
	for _, p := range r.Item.Parts {
		t, err := files.ReadText(r.Item.File(p), maxText)
		if err != nil {
			r.Problem(r.Item.File(p), err)
			continue
		}
		header, body, _ := strings.Cut(strings.TrimPrefix(strings.TrimSpace(t.Body), "---\n"), "\n\n")
		keys, _ := words.FlatYAML(header)
		id, at, body := sources.FoldUUID(keys["thread_id"]), words.Time(keys["updated_at"]), strings.TrimSpace(body)
		if !sources.IsUUID(id) || body == "" {
			r.Unknown(map[string]int{"summary without a thread": 1})
			continue
		}
		if was := found[id]; was == nil || !at.Before(was.SummaryAt) {
			found[id] = &sources.Session{Summary: body, SummaryFrom: sources.TrustNamed, SummaryAt: at}
		}
	}
	for _, id := range slices.Sorted(maps.Keys(found)) {
		r.Give(id, sources.Layer{Name: layerSummaries, Rank: sources.RankSidecar, Session: found[id]})
	}
	return nil
}

// typedPrompt is a line of history.jsonl: what was typed at the terminal.
type typedPrompt struct {
	Session string       `json:"session_id"`
	At      decode.Whole `json:"ts"` // seconds since 1970
	Text    string       `json:"text"`
}

// readPrompts reads the list of typed prompts, for the threads whose rollouts are gone.
func (r *reading) readPrompts(ctx context.Context) error {
	_, listed := r.src.found(ctx)
	gone := homes.Prompts{}
	log := jsonl.Log[typedPrompt]{Heads: []string{`{"session_id":"`}, Take: func(typed *typedPrompt) (string, bool) {
		id := sources.FoldUUID(typed.Session)
		if !sources.IsUUID(id) || listed[id] || strings.TrimSpace(typed.Text) == "" {
			return "", true
		}
		action, at := "", time.Time{}
		if strings.HasPrefix(typed.Text, "!") || strings.HasPrefix(typed.Text, "/goal") {
			action = builder.ActionKind(typed.Text)
		}
		if typed.At > 0 && typed.At < 1<<40 {
			at = sources.OnCalendar(time.Unix(int64(typed.At), 0))
		}
		gone.Add(id, sources.Place{}, action, typed.Text, at)
		return "", true
	}}
	part, _ := r.Item.Part(partPrompts)
	path := r.Item.File(part)
	if err := log.ReadFile(ctx, path); err != nil {
		return err
	}
	r.Out.Records += log.Records
	for _, what := range log.Damage() {
		r.Problem(path, errors.New(what))
	}
	for id, s := range gone {
		repeats := map[string]int{}
		for i := range s.Turns { // as the rollout would give
			s.Turns[i].ID = promptID(id, s.Turns[i].User, repeats)
		}
	}
	gone.GiveTo(&r.Reading, layerPrompts, r.src.PromptOnly)
	return nil
}
