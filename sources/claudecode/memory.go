package claudecode

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/files"
	"github.com/sessionloom/sessionloom/sources/internal/words"
)

// memory reads the auto memory of a project: MEMORY.md, its index, and a file for each
// thing. What the project is, the transcripts beside it tell.
func (r *reading) memory() error {
	s := &sources.Session{IsMemory: true}
	for _, p := range r.Item.Parts {
		a, err := r.Artifact(p, sources.Memory, strings.TrimPrefix(p.Name, foldMemory), maxText)
		if err != nil {
			r.Problem(r.Item.File(p), err)
			return nil // the stored one stays
		}
		s.Artifacts = append(s.Artifacts, a)
	}
	folder := filepath.Dir(r.Item.Path)
	s.Place.Cwd = cwdIn(folder)
	s.Place.Guessed = s.Place.Cwd == ""
	if name := path.Base(slashed(s.Place.Cwd)); name != "." {
		s.Title, s.TitleFrom = name, sources.TrustDerived
	}
	r.give(agentName+":memory:"+memoryID(filepath.Base(folder)), sources.Layer{Name: layerMemory, Rank: sources.RankSidecar, Session: s})
	return nil
}

// cwdIn is the folder that the name of a project's folder stands for, as one of its
// transcripts tells it: the name alone cannot be turned back.
func cwdIn(folder string) string {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return ""
	}
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".jsonl") || e.IsDir() {
			continue
		}
		if cwd := headOf(filepath.Join(folder, e.Name()), `"cwd":`); cwd != "" && strings.HasPrefix(filepath.Base(folder), folderName(cwd)) {
			return cwd
		}
	}
	return ""
}

// headSize is how much of a transcript is looked at for what each line tells.
const headSize = 64 << 10

// headOf is the first text behind a mark in the beginning of a file, empty where there is
// none.
func headOf(path, mark string) string {
	f, _, err := files.OpenText(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	head, err := io.ReadAll(io.LimitReader(f, headSize))
	if err != nil {
		return ""
	}
	for {
		_, after, found := bytes.Cut(head, []byte(mark))
		if !found {
			return ""
		}
		head = after
		end := 1
		for end < len(head) && head[end] != '"' && head[end] != '\n' {
			if head[end] == '\\' {
				end++
			}
			end++
		}
		if end < len(head) && head[0] == '"' && head[end] == '"' {
			if text, err := strconv.Unquote(string(head[:end+1])); err == nil && text != "" {
				return text
			}
		}
	}
}

// plan reads a file of plans/. It is known to its session by its name, which stands on the
// lines of the transcript. So a plan that changes has no session read again.
func (r *reading) plan() error {
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
