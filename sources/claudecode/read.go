package claudecode

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/builder"
	"github.com/sessionloom/sessionloom/sources/internal/decode"
	"github.com/sessionloom/sessionloom/sources/internal/files"
	"github.com/sessionloom/sessionloom/sources/internal/homes"
	"github.com/sessionloom/sessionloom/sources/internal/jsonl"
	"github.com/sessionloom/sessionloom/sources/internal/tools"
	"github.com/sessionloom/sessionloom/sources/internal/words"
	"github.com/sessionloom/sessionloom/sources/pattern"
)

// The layers of a session. They are listed in notes, so they never change.
const (
	layerTranscript = agentName + "/transcript"
	layerSubagents  = agentName + "/subagents"
	layerTitle      = agentName + "/title"   // custom-title.json, or a line in another transcript
	layerTasks      = agentName + "/tasks"   // tasks/ and todos/
	layerPlan       = agentName + "/plan"    // plans/
	layerPlanned    = agentName + "/planned" // plans according to the transcript
	layerMemory     = agentName + "/memory"  // auto memory
	layerPrompts    = agentName + "/prompts" // history.jsonl
)

const maxText, titleSize = 1 << 20, 200 // limits in bytes of a file beside a transcript, and of a title

type reading struct{ files.Reading }

// title reads the user's title from the file beside the transcript.
func (r *reading) title(ctx context.Context) error {
	la := sources.Layer{Name: layerTitle, Rank: sources.RankSidecar, Session: &sources.Session{}}
	return r.Layer(ctx, la, partTitle, func(la *sources.Layer, path string) error {
		var file record
		damaged, err := decode.File(path, maxText, &file)
		if damaged {
			err = errors.New("it is damaged") // the stored one stays
		}
		if title := titleIn(file.CustomTitle); title != "" {
			la.Session.Title, la.Session.TitleFrom = title, sources.TrustUser
		}
		return err
	})
}

// lists reads the agent's tasks from files beside the transcript, which takes precedence.
func (r *reading) lists() {
	la, found := sources.Layer{Name: layerTasks, Rank: sources.RankSidecar, Session: &sources.Session{}}, false
	for _, p := range r.Item.Parts {
		if p.Name != partTodos && !strings.HasPrefix(p.Name, foldTasks) {
			continue
		}
		found = true
		var kept struct {
			task
			List []tools.Todo `as:"list"`
		}
		switch damaged, err := decode.File(r.Item.File(p), maxText, &kept); {
		case err != nil:
			r.Problem(r.Item.File(p), err)
			r.Add(sources.Layer{Name: la.Name, Rank: la.Rank, Failed: true})
			return
		case damaged:
			la.Session.Damage, la.Provisional = append(la.Session.Damage, p.Name+" is damaged"), true
		case kept.ID.Text != "":
			la.Session.Todos = append(la.Session.Todos, sources.Todo{ID: kept.ID.Text, Title: words.OneLine(kept.Subject, len(kept.Subject)+1),
				Status: tools.Status(kept.Status), Raw: kept.Status, Origin: "tasks", Description: kept.Description, After: kept.BlockedBy})
		}
		la.Session.Todos = append(la.Session.Todos, tools.Todos(kept.List, time.Time{})...)
	}
	if found {
		r.Add(la)
	}
}

// agent reads the transcript of a sub-agent. Its folder, or before version 2.1 its lines, name its session.
func (r *reading) agent(ctx context.Context) error {
	part, _ := r.Item.Part(partAgent)
	path := r.Item.File(part)
	p, log, err := r.parse(ctx, path, "")
	if err != nil {
		return err
	}
	above, _, nested := strings.Cut(filepath.ToSlash(path), "/subagents/")
	parent := sources.FoldUUID(filepath.Base(above))
	if !nested || !sources.IsUUID(parent) {
		parent = sources.FoldUUID(p.foreign)
	}
	s := p.work(strings.TrimPrefix(strings.TrimSuffix(filepath.Base(path), ".jsonl"), "agent-"))
	if s == nil || parent == "" {
		return nil
	}
	s.Damage = log.Damage()
	if meta, has := r.Item.Part(partAgentMeta); has {
		var about struct {
			Description string `json:"description"`
			AgentType   string `json:"agentType"`
		}
		if _, err := decode.File(r.Item.File(meta), maxText, &about); err != nil {
			r.Problem(r.Item.File(meta), err)
		}
		s.Delegated[0].Name = words.OneLine(cmp.Or(about.Description, about.AgentType), titleSize)
	}
	r.Give(parent, sources.Layer{Name: layerSubagents, Rank: sources.RankSidecar, Session: s})
	return nil
}

// memory reads the auto memory of a project. Its folder is known from the transcripts beside it.
func (r *reading) memory(ctx context.Context) error {
	s, whole := &sources.Session{IsMemory: true}, false
	if s.Artifacts, whole = r.Texts(foldMemory, "", maxText, func(string) string { return sources.Memory }); !whole {
		return nil // the stored one stays
	}
	if len(s.Artifacts) == 0 {
		return fmt.Errorf("read %q: nothing known among its parts", r.Item.Key)
	}
	folder := filepath.Dir(r.Item.Path)
	if s.Place.Cwd = cwdIn(ctx, folder); s.Place.Cwd != "" {
		s.Title, s.TitleFrom = path.Base(slashed(s.Place.Cwd)), sources.TrustDerived
	}
	s.Place.Guessed = s.Place.Cwd == ""
	r.Give(agentName+":memory:"+memoryID(filepath.Base(folder)), sources.Layer{Name: layerMemory, Rank: sources.RankSidecar, Session: s})
	return nil
}

var separators = pattern.Lazy(`[^A-Za-z0-9]+`)

// cwdIn returns the folder of a project from one of its transcripts. The project's folder is named
// after it, with dashes as separators; a long name is cut, and ends in a hash.
func cwdIn(ctx context.Context, folder string) string {
	const longest = 200
	logs, _ := fs.Glob(os.DirFS(folder), "*.jsonl") // the pattern is valid
	base := filepath.Base(folder)
	name := separators().ReplaceAllString(base[:min(len(base), longest)], "")
	for _, log := range logs {
		cwd := begin(ctx, filepath.Join(folder, log), "").cwd
		if own := separators().ReplaceAllString(cwd, ""); cwd != "" && (own == name || len(base) > longest && strings.HasPrefix(own, name)) {
			return cwd
		}
	}
	return ""
}

// plan reads a file of plans/, a layer of its own: the lines of its session name it, and the session is not read again
// if it changes.
func (r *reading) plan(context.Context) error {
	p, _ := r.Item.Part(partPlan)
	slug := strings.TrimSuffix(filepath.Base(r.Item.Path), ".md")
	a, err := r.Artifact(p, sources.Plan, slug+".md", maxText)
	if err != nil {
		return fmt.Errorf("read a plan: %w", err)
	}
	s := &sources.Session{Artifacts: []sources.Artifact{a}}
	if _, text, ok := strings.Cut("\n"+a.Text, "\n# "); ok {
		title, _, _ := strings.Cut(text, "\n")
		s.Title, s.TitleFrom = words.OneLine(title, titleSize), sources.TrustPrompt
	}
	r.Give(planID(slug), sources.Layer{Name: layerPlan, Rank: sources.RankSidecar, Session: s})
	return nil
}

// typedLine is a line of history.jsonl: a text typed in the terminal. Version 1 names no session.
type typedLine struct {
	Display   string        `json:"display"`
	Timestamp words.Instant `json:"timestamp"`
	Project   string        `json:"project" max:"4096"`
	SessionID string        `json:"sessionId" max:"64"`
	Pasted    decode.Table[struct {
		Content string `json:"content"`
	}] `json:"pastedContents"`
}

var pasteMark = pattern.Lazy(`\[Pasted text #(\d{1,9})[^\]]*\]`)

// text returns the typed text, with pasted texts inserted.
func (l *typedLine) text() string {
	pasted := maps.Collect(l.Pasted.All())
	return strings.TrimSpace(pasteMark().ReplaceAllStringFunc(l.Display, func(mark string) string {
		return cmp.Or(pasted[pasteMark().FindStringSubmatch(mark)[1]].Content, mark)
	}))
}

type promptList struct {
	all      homes.Prompts
	nameless int // lines of version 1
	jsonl.Log[typedLine]
}

// newPromptList returns a list without the sessions that have a transcript.
func newPromptList(have map[string]bool) *promptList {
	l := &promptList{all: homes.Prompts{}}
	l.Heads = []string{`{"display":"`}
	l.Take = func(line *typedLine) (string, bool) {
		id, text, action := sources.FoldUUID(line.SessionID), line.text(), ""
		if strings.HasPrefix(text, "!") || strings.HasPrefix(text, "/") && isLocal(text) {
			action = builder.ActionKind(text)
		}
		if id == "" {
			l.nameless++
		} else if !have[id] && sources.IsUUID(id) {
			l.all.Add(id, sources.Place{Cwd: projectOf(line.Project)}, action, text, line.Timestamp.Time)
		}
		return "", true
	}
	return l
}

// history reads the prompts of sessions of which nothing else is left.
func (r *reading) history(ctx context.Context, src *Source) error {
	_, names, err := src.listed(ctx)
	if err != nil {
		return err
	}
	list := newPromptList(names)
	if err := list.ReadPart(ctx, &r.Reading, partHistory); err != nil {
		return err
	}
	list.all.GiveTo(&r.Reading, layerPrompts, src.PromptOnly)
	return nil
}
