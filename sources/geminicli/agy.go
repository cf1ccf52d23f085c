package geminicli

import (
	"cmp"
	"context"
	"path/filepath"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/geminicli/internal/brain"
	"github.com/sessionloom/sessionloom/sources/internal/decode"
	"github.com/sessionloom/sessionloom/sources/internal/words"
)

// conversation reads a conversation of agy: its transcript, and the artifacts beside it.
func (r *reading) conversation(ctx context.Context) error {
	if r.Agent = desktopName; filepath.Base(filepath.Dir(filepath.Dir(r.Item.Path))) == agyName {
		r.Agent = agyName
	}
	var paths []string
	for _, p := range r.Item.Parts {
		if p.Name == partFull || p.Name == partCut || strings.HasPrefix(p.Name, foldChunks) {
			paths = append(paths, r.Item.File(p))
		}
	}
	la := sources.Layer{Name: layerTranscript, Rank: sources.RankLog}
	if t, err := brain.Read(ctx, r.Item.Session, paths); err != nil {
		r.Problem(paths[0], err)
		la.Failed = true
	} else {
		r.Out.Records += t.Records
		r.Unknown(t.Unknown)
		la.Session, la.Provisional = t.Session, t.Records == 0 || filepath.Base(paths[0]) != partFull // a stand-in may say less
		r.locate(ctx, t)
	}
	r.Add(la)
	r.artifacts()
	return nil
}

// locate finds the folder in which a conversation worked, which stands elsewhere: the last one counts.
func (r *reading) locate(ctx context.Context, t brain.Transcript) {
	s := t.Session
	for _, told := range append(r.lines(ctx, partLast), r.lines(ctx, partTyped)...) {
		s.Place.Cwd = told.text
	}
	if s.Place.Cwd == "" {
		s.Place = sources.Place{Cwd: t.Cwd, Guessed: true}
	} else {
		s.ShortenFiles()
	}
}

// kindsOf are the kinds of the artifacts that agy makes of itself.
var kindsOf = map[string]string{"implementation_plan.md": sources.Plan, "task.md": sources.Plan, "walkthrough.md": sources.Summary}

// artifacts reads what the agent wrote beside the conversation: plans, lists of tasks and summaries, each with a file
// that says when. Where one cannot be read, the layer is not known.
func (r *reading) artifacts() {
	problems := len(r.Out.Problems)
	all, _ := r.Texts(foldArtifacts, ".md", maxText, func(name string) string { return cmp.Or(kindsOf[name], sources.File) })
	la := sources.Layer{Name: layerArtifacts, Rank: sources.RankSidecar, Failed: len(r.Out.Problems) > problems}
	for i, a := range all {
		if about, ok := r.Item.Part(foldArtifacts + a.Name + ".metadata.json"); ok {
			var file struct {
				At words.Instant `json:"updatedAt"`
			}
			if _, err := decode.File(r.Item.File(about), maxText, &file); err != nil { // one that is damaged tells no time
				r.Problem(r.Item.File(about), err)
			}
			all[i].At = file.At.Time
		}
	}
	if !la.Failed {
		la.Session = &sources.Session{Artifacts: all}
	}
	if la.Failed || len(all) > 0 {
		r.Add(la)
	}
}
