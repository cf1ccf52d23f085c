package codexcli

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/builder"
	"github.com/sessionloom/sessionloom/sources/internal/decode"
	"github.com/sessionloom/sessionloom/sources/internal/files"
	"github.com/sessionloom/sessionloom/sources/internal/homes"
	"github.com/sessionloom/sessionloom/sources/internal/jsonl"
	"github.com/sessionloom/sessionloom/sources/internal/sqlite"
	"github.com/sessionloom/sessionloom/sources/internal/words"
)

// nameList holds the names of threads in one file: the table threads of the state database, whose column "name" holds
// the name and nothing else (its "title" is the first prompt), or session_index.jsonl, where names are appended and the
// last one counts.
type nameList struct {
	told    atomic.Bool // a failure was reported: one problem a pass is enough
	err     error
	names   map[string]string   // names by thread
	renamed map[string]bool     // threads that were renamed
	of      map[string][]string // threads by name
}

// nameList returns the names of a shared part, read once a pass for each stamp, and to the end, as others ask for the
// same.
func (s *Source) nameList(ctx context.Context, item sources.Item, p sources.Part) *nameList {
	return s.names.At(fmt.Sprint(p.Path, p.Stamp), func() *nameList {
		l, ctx := &nameList{}, context.WithoutCancel(ctx)
		if p.Name == partState {
			l.err = sqlite.View(ctx, item.File(p), s.TempDir, func(db *sqlite.DB) error { return l.readTable(ctx, db) })
		} else {
			l.err = l.readIndex(ctx, item.File(p))
		}
		for _, id := range slices.Sorted(maps.Keys(l.names)) {
			l.of[l.names[id]] = append(l.of[l.names[id]], id)
		}
		return l
	})
}

func (l *nameList) forget() {
	l.names, l.renamed, l.of = map[string]string{}, map[string]bool{}, map[string][]string{}
}

// readTable reads the state database, starting again if the file changed meanwhile.
func (l *nameList) readTable(ctx context.Context, db *sqlite.DB) error {
	l.forget()
	columns, err := db.Columns(ctx, "threads")
	if err != nil || !columns["id"] || !columns["name"] {
		return err
	}
	return db.Each(ctx, sqlite.Select(columns, "threads", "WHERE name <> ''", "id", "name"), func(c []string) { l.add(c[0], c[1]) })
}

// readIndex reads session_index.jsonl. Invalid lines are left out.
func (l *nameList) readIndex(ctx context.Context, path string) error {
	type entry struct {
		ID   string `json:"id"`
		Name string `json:"thread_name"`
	}
	l.forget()
	log := jsonl.Log[entry]{Heads: []string{`{"id":"`}, Take: func(e *entry) (string, bool) {
		l.add(e.ID, e.Name)
		return "", true
	}}
	return log.ReadFile(ctx, path)
}

func (l *nameList) add(id, name string) {
	if name = strings.TrimSpace(name); id == "" || name == "" {
		return
	}
	id = sources.FoldUUID(id)
	was := l.names[id]
	l.renamed[id] = l.renamed[id] || was != "" && was != name
	l.names[id] = name
}

// digest changes if the name of a thread does, or the set of threads that share it, which reveals forks.
func (l *nameList) digest(id string) string {
	name := l.names[id]
	if name == "" {
		return ""
	}
	return files.Hash(append([]string{name, fmt.Sprint(l.renamed[id])}, l.of[name]...)...)
}

// readNames adds the name of a thread; the database takes precedence over the index. Codex asks a model for a name
// after the first prompt; a changed name was given by the user. A fork has its parent's name until it gets its own.
func (r *reading) readNames(ctx context.Context, parent string) {
	id, named := r.Item.Session, &sources.Session{TitleFrom: sources.TrustNamed}
	la := sources.Layer{Name: layerNames, Rank: sources.RankIndex}
	for _, part := range []string{partState, partIndex} {
		p, ok := r.Item.Part(part)
		if !ok {
			continue
		}
		list := r.src.nameList(ctx, r.Item, p)
		if list.err != nil {
			if la.Failed = true; !list.told.Swap(true) {
				r.Problem(p.Path, list.err)
			}
			continue
		}
		if name := list.names[id]; named.Title == "" && name != "" {
			if named.Title = name; parent != "" && list.names[parent] == name {
				named.Title += " (fork)"
			}
		}
		if list.renamed[id] {
			named.TitleFrom = sources.TrustUser
		}
	}
	if named.Title != "" {
		la.Failed, la.Session = false, named
	}
	if la.Failed || la.Session != nil {
		r.Add(la)
	}
}

const maxText = 1 << 20 // limit in bytes of other texts

func (r *reading) readMemories(context.Context) error {
	s := &sources.Session{IsMemory: true, Scope: sources.ScopeUser, Title: "Codex memory", TitleFrom: sources.TrustDerived}
	if s.Artifacts, _ = r.Texts("", "", maxText, func(string) string { return sources.Memory }); len(s.Artifacts) > 0 {
		r.Give(agentName+":"+r.Item.Key, sources.Layer{Name: layerMemories, Rank: sources.RankStore, Session: s})
	}
	return nil
}

// readSummaries reads memories/rollout_summaries: a text for each thread, which a header names. The newest of several
// counts.
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

// typedPrompt is a line of history.jsonl: a text typed at the terminal.
type typedPrompt struct {
	Session string       `json:"session_id"`
	At      decode.Whole `json:"ts"` // seconds since 1970
	Text    string       `json:"text"`
}

// readPrompts reads the prompts of threads whose rollouts are gone.
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
	if err := log.ReadPart(ctx, &r.Reading, partPrompts); err != nil {
		return err
	}
	for id, s := range gone {
		repeats := map[string]int{}
		for i := range s.Turns { // ids as in the rollout
			s.Turns[i].ID = promptID(id, s.Turns[i].User, repeats)
		}
	}
	gone.GiveTo(&r.Reading, layerPrompts, r.src.PromptOnly)
	return nil
}
