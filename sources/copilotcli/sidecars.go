package copilotcli

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/decode"
	"github.com/sessionloom/sessionloom/sources/internal/eventlog"
	"github.com/sessionloom/sessionloom/sources/internal/words"
)

// How many bytes of a file beside the log are read. Real checkpoints have up to 26 KB.
const (
	maxArtifact = 1 << 20
	maxSidecar  = 16 << 20
)

// savedKinds are the kinds of what is saved in a folder.
var savedKinds = map[string]string{"files": sources.File, "research": sources.Research}

// readSidecars reads what lies beside the log: workspace.yaml, the metadata VS
// Code adds, checkpoints, saved files and research, the rewind index and a root index.md.
func (r *reading) readSidecars(context.Context) error {
	s := &sources.Session{}
	bodies := map[string]string{}
	var found []checkpointFile
	none := true
	for _, p := range r.Item.Parts {
		folder, rest, _ := strings.Cut(p.Name, "/")
		switch folder {
		case partLog, partLegacy, partPlan, partTodos, partStore:
			continue
		}
		none = false
		kind, limit := savedKinds[folder], int64(maxArtifact)
		if kind == "" {
			limit = maxSidecar
		}
		a, err := r.Artifact(p, kind, rest, limit)
		switch {
		case err != nil:
			r.poorer = true
			r.Problem(r.Item.File(p), err)
		case kind != "":
			s.Artifacts = append(s.Artifacts, a)
		case a.Left != "":
			s.Damage = append(s.Damage, p.Name+" is "+a.Left)
		case folder == "checkpoints":
			found = append(found, checkpointFile{name: rest, text: a.Text, mtime: time.Unix(0, p.Stamp.MTime)})
		default:
			bodies[p.Name] = a.Text
		}
	}
	if none {
		return nil
	}
	w, damaged := readWorkspace(bodies[partWorkspace])
	if damaged {
		s.Damage = append(s.Damage, "workspace.yaml is damaged")
	}
	w.apply(s, r.log.prompt)
	applyMetadata(s, bodies[partMetadata])
	if text := strings.TrimSpace(bodies[partSummary]); text != "" {
		s.Summary, s.SummaryFrom = text, sources.TrustUser
	}
	if index := bodies[partRewind]; index != "" && !r.log.rewound { // else it has what was taken back
		var ok bool
		if s.Files, ok = rewindTouches(index); !ok {
			r.Unknown(map[string]int{"rewind index of another shape": 1})
		}
	}
	s.Checkpoints = checkpoints(found)
	for _, c := range s.Checkpoints {
		r.known = append(r.known, c.Number)
	}
	r.Add(sources.Layer{Name: layerSidecars, Rank: sources.RankSidecar, Session: s, Provisional: r.poorer})
	return nil
}

// readPlan reads plan.md, a text the agent and its user share.
func (r *reading) readPlan(ctx context.Context) error {
	return r.Layer(ctx, sources.Layer{Name: layerPlan, Rank: sources.RankSidecar}, partPlan, func(la *sources.Layer, _ string) error {
		p, _ := r.Item.Part(partPlan)
		a, err := r.Artifact(p, sources.Plan, partPlan, maxArtifact)
		la.Session = &sources.Session{Artifacts: []sources.Artifact{a}}
		return err
	})
}

// applyMetadata fills what the session's own files left open with what VS Code keeps
// beside the log of a session it started.
func applyMetadata(s *sources.Session, text string) {
	var m words.Metadata
	_ = decode.Text(text, &m) // what was understood before an error stays
	offer(s, "", m.CustomTitle, sources.TrustCustom)
	p, told := &s.Place, m.Place()
	p.Cwd, p.GitRoot, p.Branch = cmp.Or(p.Cwd, told.Cwd), cmp.Or(p.GitRoot, told.GitRoot), cmp.Or(p.Branch, told.Branch)
	p.BaseBranch = told.BaseBranch
}

// partRewind is the index of what can be rewound. The backups beside it are
// whole files of the user and never read. The index of older versions, in
// rewind-snapshots/, lists what git called dirty when a prompt was typed, whoever
// changed it: it tells of no edit and is not read.
const (
	rewindFolder = "rewind-file-snapshots"
	partRewind   = rewindFolder + "/index.json"
)

// rewindIndex has each file with its image before and after the prompt.
type rewindIndex struct {
	Snapshots []struct {
		Timestamp string `json:"timestamp"`
		Files     decode.Table[struct {
			Path string      `json:"path"`
			Pre  rewindImage `json:"preimage"`
			Post rewindImage `json:"postimage"`
		}] `json:"files"`
	} `json:"snapshots"`
}

type rewindImage struct {
	Kind string `json:"kind"`
	Hash string `json:"contentHash"`
}

// rewindTouches lists the files of each snapshot, by path within one snapshot.
// It reports false for what is no such index.
func rewindTouches(text string) (touches []sources.FileTouch, ok bool) {
	var index *rewindIndex
	if decode.Text(text, &index) != nil || index == nil {
		return nil, false
	}
	for _, snapshot := range index.Snapshots {
		start := len(touches)
		for _, f := range snapshot.Files.All() {
			if kind := changeOf(f.Pre, f.Post); kind != "" && f.Path != "" && !eventlog.InStateFolder(f.Path) {
				touches = append(touches, sources.FileTouch{Path: f.Path, Kind: kind, Turn: -1, At: words.Time(snapshot.Timestamp)})
			}
		}
		slices.SortFunc(touches[start:], func(a, b sources.FileTouch) int { return strings.Compare(a.Path, b.Path) })
	}
	return touches, true
}

// changeOf is what the images tell of a file, empty where they are equal or not there.
func changeOf(before, after rewindImage) string {
	const absent = "absent"
	switch {
	case before.Kind == "" || after.Kind == "" || before == after && (before.Hash != "" || before.Kind == absent):
		return ""
	case after.Kind == absent:
		return sources.Deleted
	case before.Kind == absent:
		return sources.Created
	}
	return sources.Edited
}
