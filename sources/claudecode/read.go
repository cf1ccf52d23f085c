package claudecode

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"
	"unicode"
	"unicode/utf16"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/claudecode/internal/lines"
	"github.com/sessionloom/sessionloom/sources/claudecode/internal/places"
	"github.com/sessionloom/sessionloom/sources/claudecode/internal/transcript"
	"github.com/sessionloom/sessionloom/sources/internal/files"
	"github.com/sessionloom/sessionloom/sources/internal/tools"
	"github.com/sessionloom/sessionloom/sources/internal/words"
)

// titleSize is the size in bytes of a title that is cut out of a text.
const titleSize = 200

// reading is one Read under way.
type reading struct{ files.Reading }

// count takes in what was counted.
func (r *reading) count(records int, unknown map[string]int) {
	r.Out.Records += records
	r.Unknown(unknown)
}

// session reads a transcript and what lies beside it.
func (r *reading) session(ctx context.Context) error {
	if err := r.transcript(ctx); err != nil {
		return err
	}
	r.lists()
	return r.title(ctx)
}

// transcript reads the log of a session. A title in it that is of another session, and the
// plans, are layers of their own.
func (r *reading) transcript(ctx context.Context) error {
	return r.Layer(ctx, sources.Layer{Name: layerTranscript, Rank: sources.RankLog, AppendOnly: true}, partTranscript, func(la *sources.Layer, path string) error {
		t, err := transcript.Read(ctx, path, r.Item.Root, r.Item.Session)
		if err != nil {
			return err
		}
		r.count(t.Records, t.Unknown)
		la.Session, la.Provisional = t.Session, t.Records == 0
		if t.Planned {
			r.Add(sources.Layer{Name: layerPlanned, Rank: sources.RankSidecar, Session: &sources.Session{Artifacts: t.Plans}})
		}
		for _, other := range t.Titles {
			r.give(other.ID, sources.Layer{Name: layerTitle, Rank: sources.RankIndex, Session: &other})
		}
		return nil
	})
}

// give adds a layer of a session that the item does not name.
func (r *reading) give(id string, la sources.Layer) {
	la.Session.ID, la.Session.Agent = id, agentName
	files.SetUpdated(la.Session)
	r.Out.Sessions = append(r.Out.Sessions, sources.SessionLayers{ID: id, Layers: []sources.Layer{la}})
}

// title reads the title that the user gave, as it lies beside the transcript.
func (r *reading) title(ctx context.Context) error {
	return r.Layer(ctx, sources.Layer{Name: layerTitle, Rank: sources.RankSidecar}, partTitle, func(la *sources.Layer, path string) error {
		var file struct {
			Title string `json:"customTitle"`
		}
		damaged, err := readJSON(path, &file)
		la.Session = &sources.Session{}
		if damaged { // the stored one stays
			r.Problem(path, errors.New("it is damaged"))
			la.Session = nil
		} else if title := strings.TrimSpace(file.Title); title != "" {
			la.Session.Title, la.Session.TitleFrom = title, sources.TrustUser
		}
		return err
	})
}

// lists reads what the agent had to do, as it lies beside the transcript: what the
// transcript says wins. Files that are damaged are told, and the others are read.
func (r *reading) lists() {
	la := sources.Layer{Name: layerTasks, Rank: sources.RankSidecar}
	for _, p := range r.Item.Parts {
		if p.Name != partTodos && !strings.HasPrefix(p.Name, foldTasks) {
			continue
		}
		if la.Session == nil {
			la.Session = &sources.Session{}
		}
		var list []tools.Todo
		var one lines.Task
		into := any(&one)
		if p.Name == partTodos {
			into = &list
		}
		damaged, err := readJSON(r.Item.File(p), into)
		if err != nil {
			r.Problem(r.Item.File(p), err)
			la.Failed = true
		}
		if damaged {
			la.Session.Damage, la.Provisional = append(la.Session.Damage, p.Name+" is damaged"), true
		}
		la.Session.Todos = append(la.Session.Todos, tools.Todos(list, time.Time{})...)
		if one.ID.Text != "" {
			la.Session.Todos = append(la.Session.Todos, one.Todo(time.Time{}))
		}
	}
	if la.Failed {
		la.Session = nil
	}
	if la.Failed || la.Session != nil {
		r.Add(la)
	}
}

// agent reads the transcript of a sub-agent. It is a layer of the session that it worked for,
// which its folder names or, before version 2.1, its lines do.
func (r *reading) agent(ctx context.Context) error {
	part, _ := r.Item.Part(partAgent)
	path := r.Item.File(part)
	parent, id := parentIn(path), strings.TrimPrefix(strings.TrimSuffix(filepath.Base(path), ".jsonl"), "agent-")
	t, err := transcript.ReadAgent(ctx, path, r.Item.Root, id)
	if err != nil {
		return err
	}
	r.count(t.Records, t.Unknown)
	if parent = cmp.Or(parent, t.Of); t.Session == nil || parent == "" {
		return nil
	}
	if meta, has := r.Item.Part(partAgentMeta); has {
		var about struct {
			Description string `json:"description"`
			AgentType   string `json:"agentType"`
		}
		if _, err := readJSON(r.Item.File(meta), &about); err != nil {
			r.Problem(r.Item.File(meta), err)
		}
		t.Session.Delegated[0].Name = words.OneLine(cmp.Or(about.Description, about.AgentType), titleSize)
	}
	r.give(parent, sources.Layer{Name: layerSubagents, Rank: sources.RankSidecar, Session: t.Session})
	return nil
}

// parentIn is the session whose folder holds the transcript of a sub-agent, empty where
// none does.
func parentIn(path string) string {
	above, _, ok := strings.Cut(filepath.ToSlash(path), "/subagents/")
	if id := sources.FoldUUID(filepath.Base(above)); ok && sources.IsUUID(id) {
		return id
	}
	return ""
}

// memory reads the auto memory of a project: MEMORY.md, its index, and a file for each
// thing. What the project is, the transcripts beside it tell.
func (r *reading) memory(ctx context.Context) error {
	s := &sources.Session{IsMemory: true}
	for _, p := range r.Item.Parts {
		a, err := r.Artifact(p, sources.Memory, strings.TrimPrefix(p.Name, foldMemory), maxText)
		if err != nil {
			r.Problem(r.Item.File(p), err)
			return nil // the stored one stays
		}
		s.Artifacts = append(s.Artifacts, a)
	}
	if len(s.Artifacts) == 0 {
		return fmt.Errorf("read %q: nothing known among its parts", r.Item.Key)
	}
	folder := filepath.Dir(r.Item.Path)
	s.Place.Cwd = cwdIn(ctx, folder)
	s.Place.Guessed = s.Place.Cwd == ""
	if name := path.Base(places.Slashed(s.Place.Cwd)); name != "." {
		s.Title, s.TitleFrom = name, sources.TrustDerived
	}
	r.give(agentName+":memory:"+memoryID(filepath.Base(folder)), sources.Layer{Name: layerMemory, Rank: sources.RankSidecar, Session: s})
	return nil
}

// cwdIn is the folder that the name of a project's folder stands for, as one of its
// transcripts tells it: the name alone cannot be turned back.
func cwdIn(ctx context.Context, folder string) string {
	logs, _ := fs.Glob(os.DirFS(folder), "*.jsonl") // the pattern is right
	base := filepath.Base(folder)
	for _, name := range logs {
		if cwd := transcript.Begin(ctx, filepath.Join(folder, name), "").Cwd; cwd != "" && (folderName(cwd) == base || len(base) > 200 && strings.HasPrefix(base, folderName(cwd))) {
			return cwd
		}
	}
	return ""
}

// folderName is what the program calls the folder of a project below projects/, cut where it
// puts a hash behind a long one.
func folderName(cwd string) string {
	name := utf16.Encode([]rune(cwd))
	for i, c := range name {
		if c > unicode.MaxASCII || !unicode.IsLetter(rune(c)) && !unicode.IsDigit(rune(c)) {
			name[i] = '-'
		}
	}
	return string(utf16.Decode(name[:min(len(name), 200)]))
}

// plan reads a file of plans/. It is known to its session by its name, which stands on the
// lines of the transcript. So a plan that changes has no session read again.
func (r *reading) plan(context.Context) error {
	p, _ := r.Item.Part(partPlan)
	slug := strings.TrimSuffix(filepath.Base(r.Item.Path), ".md")
	a, err := r.Artifact(p, sources.Plan, slug+".md", maxText)
	if err != nil {
		return fmt.Errorf("read a plan: %w", err)
	}
	s := &sources.Session{Artifacts: []sources.Artifact{a}}
	for line := range strings.Lines(a.Text) {
		if title, ok := strings.CutPrefix(line, "# "); ok {
			s.Title, s.TitleFrom = words.OneLine(title, titleSize), sources.TrustPrompt
			break
		}
	}
	r.give(transcript.PlanID(slug), sources.Layer{Name: layerPlan, Rank: sources.RankSidecar, Session: s})
	return nil
}
