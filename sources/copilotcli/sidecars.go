package copilotcli

import (
	"cmp"
	"context"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/decode"
	"github.com/sessionloom/sessionloom/sources/internal/eventlog"
	"github.com/sessionloom/sessionloom/sources/internal/words"
	"github.com/sessionloom/sessionloom/sources/pattern"
)

// Limits in bytes of files beside the log. Real checkpoints have up to 26 KB.
const (
	maxArtifact = 1 << 20
	maxSidecar  = 16 << 20
)

// readSidecars reads the files beside the log: workspace.yaml, the metadata that VS Code adds,
// checkpoints, saved files and research, the rewind index and a root index.md.
func (r *reading) readSidecars(context.Context) error {
	s, bodies, isThere := &sources.Session{}, map[string]string{}, false
	var found []checkpointFile
	for _, p := range r.Item.Parts {
		if slices.Contains([]string{partLog, partFlat, partLegacy, partPlan, partTodos, partStore}, p.Name) {
			continue
		}
		isThere = true
		limit, kind, name := int64(maxArtifact), "", ""
		if kind, name = eventlog.ArtifactAt(p.Name); kind == "" {
			limit = maxSidecar
		}
		a, err := r.Artifact(p, kind, name, limit)
		switch {
		case err != nil:
			r.poorer = true
			r.Problem(r.Item.File(p), err)
		case kind != "":
			s.Artifacts = append(s.Artifacts, a)
		case a.Left != "":
			s.Damage = append(s.Damage, p.Name+" is "+a.Left)
		case path.Dir(p.Name) == "checkpoints":
			found = append(found, checkpointFile{name: path.Base(p.Name), text: a.Text, mtime: time.Unix(0, p.Stamp.MTime)})
		default:
			bodies[p.Name] = a.Text
		}
	}
	if !isThere {
		return nil
	}
	w, damaged := words.FlatYAML(bodies[partWorkspace])
	if damaged {
		s.Damage = append(s.Damage, "workspace.yaml is damaged")
	}
	applyWorkspace(s, w, r.log.prompt)
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

// applyWorkspace fills a session from the keys of workspace.yaml. The branch is from the start; updated_at is
// left out, as it changes on resume and rename, not with the conversation.
func applyWorkspace(s *sources.Session, w map[string]string, prompt string) {
	trust := sources.TrustNamed
	if w["user_named"] == "true" {
		trust = sources.TrustUser
	}
	offer(s, prompt, w["name"], trust)
	offer(s, prompt, w["summary"], sources.TrustNamed)
	s.Place = sources.Place{Cwd: w["cwd"], GitRoot: w["git_root"], Repository: w["repository"], HostType: w["host_type"], Branch: w["branch"]}
	s.Created = words.Time(w["created_at"])
}

// applyMetadata fills empty fields from VS Code's data about a session it started.
func applyMetadata(s *sources.Session, text string) {
	var m words.Metadata
	_ = decode.Text(text, &m) // keys read before an error stay
	offer(s, "", m.CustomTitle, sources.TrustCustom)
	p, told := &s.Place, m.Place()
	p.Cwd, p.GitRoot, p.Branch = cmp.Or(p.Cwd, told.Cwd), cmp.Or(p.GitRoot, told.GitRoot), cmp.Or(p.Branch, told.Branch)
	p.BaseBranch = told.BaseBranch
}

// offer sets the title if it is more trusted than the current one. A title that repeats the first prompt is
// trusted like a prompt, unless the user gave it.
func offer(s *sources.Session, prompt, title string, trust sources.Trust) {
	if title = strings.TrimSpace(title); title == "" {
		return
	}
	if trust < sources.TrustCustom && words.IsPrompt(prompt, title, storeCut) {
		trust = sources.TrustPrompt
	}
	if trust > s.TitleFrom {
		s.Title, s.TitleFrom = title, trust
	}
}

// storeCut is where the CLI cuts the first prompt for a summary, in UTF-16 units, before "...".
const storeCut = 100

// partRewind is the index of possible rewinds. The backups beside it are whole files of the user and
// never read. The index of older versions, in rewind-snapshots/, lists what git called dirty at a
// prompt, whoever changed it: it shows no edit and is not read.
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

// rewindTouches lists the files of each snapshot by path; ok is false for an invalid index.
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

// changeOf returns the change of a file that its images show, or "" if they are equal or missing.
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

type checkpointFile struct {
	name, text string
	mtime      time.Time // only for order, never for output

	sources.Checkpoint
}

var (
	// numberOf matches the number at the beginning of a file's name; more digits are a UUID's.
	numberOf = pattern.Lazy(`^(\d{1,6})[-.]`)
	// tableRow splits a row of checkpoints/index.md from the outside in, as titles may hold a pipe.
	tableRow = pattern.Lazy(`(?m)^\|\s*\d+\s*\|(.*)\|\s*([^|\n]+?)\s*\|\s*$`)
)

// checkpoints reads the folder: tagged sections, JSON variants, and the index with the titles.
func checkpoints(files []checkpointFile) []sources.Checkpoint {
	titles := map[string]string{} // titles by file name
	var found []checkpointFile
	for _, f := range files {
		ok := true
		switch ext := path.Ext(f.name); {
		case f.name == "index.md":
			for _, m := range tableRow().FindAllStringSubmatch(f.text, -1) {
				titles[m[2]] = strings.TrimSpace(m[1])
			}
			continue
		case ext == ".json":
			f.Checkpoint, ok = checkpointJSON(f.text)
		default:
			f.Checkpoint = eventlog.ParseSections(f.text)
		}
		if m := numberOf().FindStringSubmatch(f.name); m != nil && f.Number == 0 {
			f.Number, _ = strconv.Atoi(m[1])
		}
		if ok {
			found = append(found, f)
		}
	}
	for i := range found {
		found[i].Title = cmp.Or(titles[found[i].name], found[i].Title)
	}
	return numbered(found)
}

// numbered sorts checkpoints: by number; those without one last, by their own time, else by their file's;
// markdown before JSON. Numbers are unique: a taken or missing one becomes the next free.
func numbered(found []checkpointFile) (out []sources.Checkpoint) {
	highest := 0
	for _, c := range found {
		highest = max(highest, c.Number)
	}
	slices.SortStableFunc(found, func(a, b checkpointFile) int {
		return cmp.Or(
			cmp.Compare(uint(a.Number-1), uint(b.Number-1)), // -1, for none, becomes the largest
			strings.Compare(path.Ext(b.name), path.Ext(a.name)), a.At.Compare(b.At), a.mtime.Compare(b.mtime), strings.Compare(a.name, b.name),
		)
	})
	taken, known := map[int]bool{}, map[[2]string]bool{}
	for _, c := range found {
		text := [2]string{c.Overview, c.WorkDone}
		if known[text] { // one checkpoint may be there in two forms
			continue
		}
		known[text] = text != [2]string{}
		if c.Number == 0 || taken[c.Number] {
			highest++
			c.Number = highest
		}
		taken[c.Number] = true
		out = append(out, c.Checkpoint)
	}
	slices.SortStableFunc(out, func(a, b sources.Checkpoint) int { return cmp.Compare(a.Number, b.Number) })
	return out
}

// checkpointJSON reads a checkpoint in JSON, with fields in either spelling.
func checkpointJSON(text string) (c sources.Checkpoint, ok bool) {
	var file decode.Table[words.Flat]
	if decode.Text(text, &file) != nil {
		return c, false
	}
	fields := map[string]string{}
	for name, value := range file.All() {
		fields[strings.ToLower(strings.ReplaceAll(name, "_", ""))] = string(value)
	}
	c = sources.Checkpoint{
		Overview: fields["overview"], History: fields["history"], WorkDone: fields["workdone"],
		Technical: fields["technicaldetails"], Important: fields["importantfiles"], NextSteps: fields["nextsteps"],
	}
	if c == (sources.Checkpoint{}) {
		c = eventlog.ParseSections(cmp.Or(fields["content"], fields["summary"], fields["summarycontent"]))
	}
	ok = c != sources.Checkpoint{}
	c.Title = cmp.Or(fields["title"], fields["checkpointtitle"], c.Title)
	c.At = words.Time(cmp.Or(fields["createdat"], fields["timestamp"]))
	if n, err := strconv.ParseUint(cmp.Or(fields["number"], fields["checkpointnumber"]), 10, 30); err == nil {
		c.Number = int(n)
	}
	return c, ok
}
