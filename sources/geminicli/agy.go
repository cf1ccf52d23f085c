package geminicli

import (
	"cmp"
	"context"
	"path/filepath"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/geminicli/internal/brain"
	"github.com/sessionloom/sessionloom/sources/internal/decode"
	"github.com/sessionloom/sessionloom/sources/internal/files"
	"github.com/sessionloom/sessionloom/sources/internal/words"
)

// conversation reads a conversation of agy: its transcript, and the artifacts beside it.
func (r *reading) conversation(ctx context.Context) {
	if r.Agent = desktopName; filepath.Base(filepath.Dir(filepath.Dir(r.Item.Path))) == agyName {
		r.Agent = agyName
	}
	var paths []string
	for _, p := range r.Item.Parts {
		if p.Name == partFull || p.Name == partCut || strings.HasPrefix(p.Name, foldChunks) {
			paths = append(paths, r.Item.File(p))
		}
	}
	if len(paths) > 0 {
		r.transcript(ctx, paths)
	}
	r.artifacts()
}

// transcript reads the steps of a conversation. The folder that it worked in stands elsewhere.
func (r *reading) transcript(ctx context.Context, paths []string) {
	la := sources.Layer{Name: layerTranscript, Rank: sources.RankLog}
	t, err := brain.Read(ctx, r.Item.Session, paths)
	if err != nil {
		r.Problem(paths[0], err)
		la.Failed = true
		r.Add(la)
		return
	}
	r.Out.Records += t.Records
	r.Unknown(t.Unknown)
	la.Session, la.Provisional = t.Session, t.Records == 0 || filepath.Base(paths[0]) != partFull // a stand-in may say less
	s := t.Session
	for _, told := range append(r.lines(ctx, partLast), r.lines(ctx, partTyped)...) {
		s.Place.Cwd = told.text // the last one counts
	}
	if s.Place.Cwd == "" {
		s.Place = sources.Place{Cwd: t.Cwd, Guessed: true}
	} else {
		s.ShortenFiles()
	}
	r.Add(la)
}

// kindsOf are the kinds of the artifacts that agy makes of itself.
var kindsOf = map[string]string{"implementation_plan.md": sources.Plan, "task.md": sources.Plan, "walkthrough.md": sources.Summary}

// artifacts reads what the agent wrote beside the conversation: plans, lists of tasks and
// summaries, each with a file that says when.
func (r *reading) artifacts() {
	la := sources.Layer{Name: layerArtifacts, Rank: sources.RankSidecar, Session: &sources.Session{}}
	for _, p := range r.Item.Parts {
		name, ok := strings.CutPrefix(p.Name, foldArtifacts)
		if !ok || !strings.HasSuffix(name, ".md") {
			continue
		}
		a, err := r.Artifact(p, cmp.Or(kindsOf[name], sources.File), name, maxText)
		if err != nil {
			r.Problem(r.Item.File(p), err)
			la.Failed = true
			continue
		}
		if about, ok := r.Item.Part(p.Name + ".metadata.json"); ok {
			var file struct {
				At words.Instant `json:"updatedAt"`
			}
			t, err := files.ReadText(r.Item.File(about), maxText)
			if err != nil {
				r.Problem(r.Item.File(about), err)
			}
			_ = decode.Text(t.Body, &file) // one that is damaged tells no time
			a.At = file.At.Time
		}
		la.Session.Artifacts = append(la.Session.Artifacts, a)
	}
	if la.Failed {
		la.Session = nil
	}
	if la.Failed || len(la.Session.Artifacts) > 0 {
		r.Add(la)
	}
}
