package copilotcli

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/files"
)

// maxSidecar bounds the files beside the log that are no artifacts. Real
// checkpoints have up to 26 KB, real rewind indexes a few hundred.
const maxSidecar = 16 << 20

// readSidecars reads what lies beside the log: workspace.yaml, the metadata VS
// Code adds, checkpoints, saved files and research, the rewind index and a root
// index.md (formats/copilot-cli.md, section 2.3).
func (r *reading) readSidecars(context.Context) error {
	var parts []sources.Part
	for _, p := range r.Item.Parts {
		switch p.Name {
		case partLog, partLegacy, partPlan, partTodos, partStore, partCache:
		default:
			parts = append(parts, p)
		}
	}
	var cached metadata
	if p, ok := r.Item.Part(partCache); ok {
		cached = r.src.cache(p.Path).entry(r.Item)
	}
	if len(parts) == 0 && cached == (metadata{}) {
		return nil
	}
	session, err := r.sidecarSession(parts, cached)
	r.poorer = r.poorer || err != nil
	r.Add(sources.Layer{Name: layerSidecars, Rank: sources.RankSidecar, Session: session, Provisional: r.poorer})
	for _, c := range session.Checkpoints {
		r.sidecars = append(r.sidecars, c.Number)
	}
	return nil
}

// sidecarSession makes the session the sidecars tell of. A part that cannot be
// read is told as a problem; the error is that of the first.
func (r *reading) sidecarSession(parts []sources.Part, cached metadata) (*sources.Session, error) {
	s := &sources.Session{}
	var failed error
	bodies := map[string]string{}
	var found []checkpointFile
	for _, p := range parts {
		if folder, rest, ok := strings.Cut(p.Name, "/"); ok && (folder == "files" || folder == "research") {
			a, err := r.artifact(p, folder, rest)
			failed = firstError(failed, err)
			if err == nil {
				s.Artifacts = append(s.Artifacts, a)
			}
			continue
		}
		text, left, err := r.text(r.Item.File(p))
		failed = firstError(failed, err)
		if left != "" {
			s.Damage = append(s.Damage, p.Name+" is "+left)
		}
		if rest, ok := strings.CutPrefix(p.Name, "checkpoints/"); ok && err == nil {
			found = append(found, checkpointFile{name: rest, text: text, mtime: time.Unix(0, p.Stamp.MTime)})
			continue
		}
		bodies[p.Name] = text
	}
	r.applyBodies(s, bodies, cached)
	s.Checkpoints = checkpoints(found)
	return s, failed
}

func (r *reading) applyBodies(s *sources.Session, bodies map[string]string, cached metadata) {
	w, damaged := readWorkspace(bodies["workspace.yaml"])
	if damaged {
		s.Damage = append(s.Damage, "workspace.yaml is damaged")
	}
	w.apply(s, r.log.first)
	cached.apply(s)
	decodeMetadata(bodies["vscode.metadata.json"]).apply(s)
	if text := strings.TrimSpace(bodies["index.md"]); text != "" {
		s.Summary, s.SummaryFrom = text, sources.TrustUser
	}
	if r.log.rewound {
		return // the index keeps the snapshots of what was taken back
	}
	index := bodies[rewindFolder+"/index.json"]
	touches, ok := rewindTouches(index)
	if !ok && index != "" {
		r.Unknown(map[string]int{"rewind index of another shape": 1})
	}
	for _, t := range touches {
		if !inSessionState(t.Path) {
			s.Files = append(s.Files, t)
		}
	}
}

// readPlan reads plan.md, a text the agent and its user share.
func (r *reading) readPlan(ctx context.Context) error {
	p, ok := r.Item.Part(partPlan)
	if !ok {
		return nil
	}
	layer := sources.Layer{Name: layerPlan, Rank: sources.RankSidecar}
	if a, err := r.artifact(p, "", partPlan); err != nil {
		layer.Failed = true
	} else {
		layer.Session = &sources.Session{Artifacts: []sources.Artifact{a}}
	}
	r.Add(layer)
	return nil
}

// text reads a sidecar; what is no text is empty, and left says why.
func (r *reading) text(path string) (body, left string, err error) {
	t, err := readText(path, maxSidecar)
	r.Out.BytesRead += t.Read
	if err != nil {
		r.Problem(path, err)
	}
	return t.Body, t.Left, err
}

func readText(path string, limit int64) (files.Text, error) { return files.ReadText(path, limit) }

func firstError(a, b error) error {
	if a != nil {
		return a
	}
	return b
}

// inSessionState says that a path lies in a session's own folder, on whichever
// machine and with either slash: no file of a project.
func inSessionState(path string) bool {
	segments := strings.Split(strings.ReplaceAll(path, `\`, "/"), "/")
	i := slices.Index(segments, "session-state")
	return i > 0 && i < len(segments)-2
}
