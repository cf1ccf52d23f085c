package claudecode

import (
	"context"
	"fmt"
	"io"
	"path"
	"path/filepath"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/files"
	"github.com/sessionloom/sessionloom/sources/internal/words"
)

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
	if name := path.Base(slashed(s.Place.Cwd)); name != "." {
		s.Title, s.TitleFrom = name, sources.TrustDerived
	}
	r.give(agentName+":memory:"+memoryID(filepath.Base(folder)), sources.Layer{Name: layerMemory, Rank: sources.RankSidecar, Session: s})
	return nil
}

// cwdIn is the folder that the name of a project's folder stands for, as one of its
// transcripts tells it: the name alone cannot be turned back.
func cwdIn(ctx context.Context, folder string) string {
	logs, _ := filepath.Glob(filepath.Join(folder, "*.jsonl")) // of a bad pattern there are none
	for _, path := range logs {
		if cwd := beginning(ctx, path, "").place.cwd; cwd != "" && strings.HasPrefix(filepath.Base(folder), folderName(cwd)) {
			return cwd
		}
	}
	return ""
}

// beginning reads the first part of a transcript: what each line tells stands in it, and
// mostly the first prompt. Of one that cannot be read it is empty.
func beginning(ctx context.Context, path, id string) *parser {
	const size = 256 << 10
	p := newParser(id)
	f, _, err := files.OpenText(path)
	if err != nil {
		return p
	}
	defer f.Close()
	_ = p.transcript().Read(ctx, io.NewSectionReader(f, 0, size), 0) // what was read until then
	return p
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
			s.Title, s.TitleFrom = words.OneLine(title, detailSize), sources.TrustPrompt
			break
		}
	}
	r.give(planID(slug), sources.Layer{Name: layerPlan, Rank: sources.RankSidecar, Session: s})
	return nil
}
