package pages

import (
	"slices"
	"strconv"
	"strings"

	"github.com/sessionloom/sessionloom/extract/internal/commands"
	"github.com/sessionloom/sessionloom/extract/internal/content"
	"github.com/sessionloom/sessionloom/extract/internal/identity"
	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/extract/internal/outcome"
	"github.com/sessionloom/sessionloom/extract/internal/texts"
	"github.com/sessionloom/sessionloom/extract/resume"
	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/templates"
)

const (
	listedFiles    = 20 // rows of the files table of a session
	listedCommands = 60 // limit for a session, the last ones
)

// maxPart limits the bytes of one part of a conversation, so that every note stays well below 1 MB.
const maxPart = 700 << 10

func (b *Builder) splitTurns(s *sources.Session, pr identity.Project) [][]templates.Turn {
	v := templates.Session{Transcript: templates.Text(b.Transcript)}
	if v.Transcript == "none" || len(s.Turns) == 0 {
		return [][]templates.Turn{nil}
	}
	v.Turns = b.turnViews(s, pr)
	return templates.SplitTurns(v, maxPart)
}

// sessionBody renders one part of a session note. folders are the projects of its folders, if there are
// several.
func (b *Builder) sessionBody(m *OpenSession, pr identity.Project, part int, folders []string, k known) (string, error) {
	s := &m.Session
	if m.parts == nil {
		m.parts = b.splitTurns(s, pr)
	}
	parts := m.parts
	v := templates.Session{
		Title: templates.Text(texts.OneLine(s.Title)), Project: b.projectLink(pr.Key), Agent: templates.Text(s.Agent),
		Transcript: templates.Text(b.Transcript), Turns: parts[part], Part: part + 1, Parts: len(parts), Prompts: content.PromptCount(s.Turns),
	}
	for i := range parts {
		if i == part {
			continue
		}
		id, text := names.SessionID(s.ID), "part 1"
		if i > 0 {
			id, text = names.PartID(s.ID, i+1), "part "+strconv.Itoa(i+1)
		}
		v.PartLinks = append(v.PartLinks, b.link(id, text))
	}
	v.Folders = b.folderLinks(pr.Key, folders)
	if part == 0 {
		turn := turnLinks(s.ID, parts, b)
		b.fillFront(&v, s, pr, turn, k)
		b.fillFiles(&v, s, turn)
	}
	return b.Templates.Page(v)
}

func (b *Builder) fillFront(v *templates.Session, s *sources.Session, pr identity.Project, turn func(number int) templates.Link, k known) {
	v.Branch, v.BaseBranch = templates.Code(s.Place.Branch), templates.Code(s.Place.BaseBranch)
	b.fillSummary(v, s, turn)
	v.Models, v.Spans, v.Damage = typed[templates.Code](s.Models), b.spans(s), typed[templates.Text](s.Damage)
	if s.Parent != "" {
		v.Parent = b.parentLink(s.Parent)
	}
	open, later := b.closedLater(k.told, k.open) // now that all notes are known
	v.Open = b.openEnds(s, open)
	if len(s.Refs) == 0 {
		v.Done = doneBoxes(k.done)
	}
	v.Done = append(v.Done, b.laterBoxes(later)...)
	for _, r := range s.Refs {
		ref := templates.Ref{Type: templates.Text(r.Type), Value: templates.Text(r.Value), Text: templates.Text(r.Text), URL: templates.Address(refURL(pr, r)), Turn: shown(turn(r.Turn + 1))}
		if r.Type == sources.Commit {
			v.Commits = append(v.Commits, ref)
		} else {
			v.Others = append(v.Others, ref)
		}
	}
	b.fillCheckpoints(v, s)
	b.fillCommands(v, s, turn)
	v.Headless, v.SubAgents, v.Actions = s.Headless, subAgents(s, turn), userActions(s, turn)
	if b.Transcript != "none" {
		v.TakenBack = takenBack(s, b.local)
	}
	v.Words = b.words(s, k.said, turn)
	v.Decided, v.Remembered = decided(k, turn), remembered(s, turn)
	v.Ended = b.ended(s, k.ending, turn)
	v.GoOn = goOn(b.way(s, pr.Key), lastPrompt(s), v.Open)
	for _, a := range s.Artifacts {
		if a.Text != "" && a.Kind != sources.Memory {
			v.Saved = append(v.Saved, b.linkTo(names.MemoryID(s.ID, a)))
		}
		if a.Left != "" {
			v.LeftOut = append(v.LeftOut, templates.Text(a.Name+": "+a.Left))
		}
	}
}

func (b *Builder) fillCommands(v *templates.Session, s *sources.Session, turn func(number int) templates.Link) {
	all := commands.Of(s)
	for _, c := range all[max(0, len(all)-listedCommands):] {
		row := templates.Command{Turn: turn(c.Turn + 1), What: templates.Text(c.Description), Line: templates.Code(c.Line)}
		if c.Failed {
			v.Failed++
			row.Failed = "as the tool says"
			if c.Exit != nil {
				row.Failed = templates.Text("exit code " + strconv.Itoa(*c.Exit))
			}
		}
		v.Commands = append(v.Commands, row)
	}
}

// way returns how to resume a session. If no source has its folder any more, the note's folder counts.
func (b *Builder) way(s *sources.Session, project string) resume.Way {
	w := resume.Way{Agent: s.Agent, ID: s.ID, Folder: identity.FromHome(identity.WorkFolder(s.Place)), Title: texts.OneLine(s.Title)}
	if w.Folder != "" {
		return w
	}
	for _, f := range b.Notes.Project(project).Sessions {
		if f.ID == names.SessionID(s.ID) {
			known, _ := WayFrom(f)
			w.Folder = known.Folder
		}
	}
	return w
}

// blocks returns the ids of the blocks of the turns, or nil if the conversation is not shown.
func (b *Builder) blocks(s *sources.Session) []string {
	if b.Transcript == "none" {
		return make([]string, len(s.Turns))
	}
	return content.ShownBlocks(s.Turns, b.Zone)
}

// fillSummary sets the outcome of a session and its evidence, without repeating a single answer as a whole.
func (b *Builder) fillSummary(v *templates.Session, s *sources.Session, turn func(number int) templates.Link) {
	came := outcome.Of(s)
	v.Summary = templates.Text(came.Prose)
	if came.Prose == "" || len(s.Turns) == 1 && texts.OneLine(s.Turns[0].Assistant) == came.Prose {
		v.Summary = ""
		return
	}
	switch {
	case came.Checkpoint > 0:
		v.SummaryFrom = b.link(names.CheckpointID(s.ID, came.Checkpoint), "checkpoint "+strconv.Itoa(came.Checkpoint))
	case came.BySummary:
		v.SummaryFrom.Text = "a summary by the agent"
	case came.ProseTurn < len(s.Turns)-1:
		v.SummaryFrom = turn(came.ProseTurn + 1)
		v.SummaryFrom.Text = "answer " + v.SummaryFrom.Text
	default:
		v.SummaryFrom.Text = "the last answer"
	}
}

func (b *Builder) parentLink(id string) templates.Link {
	l := b.linkTo(names.SessionID(id))
	if l.Path == "" {
		l.Text = "a session that is not here"
	}
	return l
}

func (b *Builder) fillCheckpoints(v *templates.Session, s *sources.Session) {
	for _, c := range s.Checkpoints {
		link := b.link(names.CheckpointID(s.ID, c.Number), content.CheckpointTitle(c))
		v.Checkpoints = append(v.Checkpoints, templates.CheckpointLine{
			Number: c.Number, Link: link, At: b.local(c.At), Overview: templates.Text(texts.FirstSentence(c.Overview))})
	}
}

// turnLinks returns a function that links to turns by number, in any part.
func turnLinks(id string, parts [][]templates.Turn, b *Builder) func(number int) templates.Link {
	at := map[int]templates.Path{}
	for i, turns := range parts {
		note := templates.Path("")
		if i > 0 {
			if note = b.linkTo(names.PartID(id, i+1)).Path; note == "" {
				continue
			}
		}
		for _, t := range turns {
			for _, shown := range append([]templates.Turn{t}, t.Joined...) {
				at[shown.Number] = note + "#^" + t.Block
			}
		}
	}
	return func(number int) templates.Link {
		if number < 1 { // nobody knows which one
			return templates.Link{}
		}
		return templates.Link{Path: at[number], Text: templates.Text(strconv.Itoa(number))}
	}
}

func (b *Builder) fillFiles(v *templates.Session, s *sources.Session, turn func(number int) templates.Link) {
	for _, u := range slices.Concat(content.Files(s), content.FilesElsewhere(s)) {
		if len(v.Files) == listedFiles {
			v.MoreFiles++
			continue
		}
		what := u.Kinds
		if u.Undone {
			what = []string{strings.Join(what, ", ") + " (undone)"}
		}
		row := templates.FileLine{Path: templates.Code(u.Path), What: typed[templates.Text](what)}
		for _, number := range u.Prompts {
			row.Prompts = append(row.Prompts, turn(number))
		}
		if len(row.Prompts) == 0 {
			row.Prompts = []templates.Link{{Text: "by a command"}}
		}
		v.Files = append(v.Files, row)
	}
}

func typed[T ~string](list []string) []T {
	var out []T
	for _, s := range list {
		out = append(out, T(s))
	}
	return out
}

func refURL(pr identity.Project, r sources.Ref) string {
	if r.Repo != "" {
		pr = identity.ProjectOf(sources.Place{Repository: r.Repo})
	}
	switch r.Type {
	case sources.Commit:
		return pr.CommitURL(r.Value)
	case sources.PR:
		return pr.PullURL(r.Value)
	case sources.Issue:
		return pr.IssueURL(r.Value)
	}
	return ""
}

func (b *Builder) turnViews(s *sources.Session, pr identity.Project) []templates.Turn {
	// fewTurns limits the turns that a note shows unfolded; with more, only the last one is.
	const fewTurns = 3
	out := make([]templates.Turn, 0, len(s.Turns))
	model, mode, day, in := "", "", "", identity.NewPathResolver(s)
	blocks := content.ShownBlocks(s.Turns, b.Zone)
	for i, t := range s.Turns {
		v := templates.Turn{
			Number: i + 1, Block: templates.Path(blocks[i]), At: b.local(t.At), Prompt: templates.Text(t.User), Answer: templates.Text(t.Assistant), Status: templates.Text(t.Status), Error: templates.Text(t.Error), Inherited: t.Inherited,
			Tools: toolLines(t.Tools), Digest: b.Transcript == "digest",
		}
		if d := v.At.Format("2006-01-02"); !v.At.IsZero() && d != day {
			v.NewDay, day = day != "", d
		}
		if t.Model != "" && t.Model != model {
			if model != "" {
				v.Model = templates.Code(t.Model)
			}
			model = t.Model
		}
		if now := unusualMode(t.Mode); now != mode {
			v.Mode, mode = templates.Text(t.Mode), now
		}
		for _, a := range t.Attachments {
			v.Attachments = append(v.Attachments, templates.Code(in.Shown(a.Name)))
			if path := names.PicturePath(pr, a); path != "" {
				if at := b.Files.Picture(pr.Key, path); at != "" {
					v.Images = append(v.Images, templates.Path(at))
				}
			}
		}
		for _, c := range t.Citations {
			v.Citations = append(v.Citations, templates.Text(strings.TrimSpace(c.License+" "+c.Value)))
		}
		if last := len(out) - 1; i > 0 && blocks[i] == blocks[i-1] {
			out[last].Joined = append(out[last].Joined, v)
			continue
		}
		out = append(out, v)
	}
	for i := range out {
		out[i].Open = len(out) <= fewTurns || i == len(out)-1
	}
	return out
}

// unusualMode returns a mode, or "" for an agent's default.
func unusualMode(mode string) string {
	if mode == "interactive" || mode == "agent" {
		return ""
	}
	return mode
}

// toolLines groups the calls of a turn by kind, in order of first use; a sub-agent's calls are within the
// call that started it.
func toolLines(tools []sources.Tool) []templates.ToolLine {
	within := map[int][]int{} // number of a call → indexes of those made in it
	for i, t := range tools {
		if t.Within < 0 || t.Within > i { // it cannot have started an earlier call
			t.Within = 0
		}
		within[t.Within] = append(within[t.Within], i)
	}
	return linesWithin(tools, within, within[0])
}

func linesWithin(tools []sources.Tool, within map[int][]int, calls []int) []templates.ToolLine {
	type group struct{ kind, name string }
	type place struct{ line, detail int }
	type same struct {
		line   int
		text   string
		failed bool
	}
	var out []templates.ToolLine
	lines, details := map[group]int{}, map[same]int{}
	inner := map[place][]int{}
	var order []place
	for _, call := range calls {
		t := tools[call]
		g := group{kind: t.Kind}
		if t.Kind == sources.ToolOther || t.Kind == sources.ToolMCP {
			g.name = t.Name
		}
		i, ok := lines[g]
		if !ok {
			i, lines[g] = len(out), len(out)
			out = append(out, templates.ToolLine{Kind: templates.Text(g.kind), Name: templates.Code(g.name)})
		}
		line := &out[i]
		d := same{i, t.Detail, t.OK != nil && !*t.OK}
		j, ok := details[d]
		if !ok {
			j, details[d] = len(line.Details), len(line.Details)
			line.Details = append(line.Details, templates.ToolDetail{Text: templates.Text(d.text), Failed: d.failed})
		}
		line.Details[j].Times++
		if more := within[call+1]; len(more) > 0 {
			at := place{i, j}
			if inner[at] == nil {
				order = append(order, at)
			}
			inner[at] = append(inner[at], more...)
		}
	}
	for _, at := range order {
		out[at.line].Details[at.detail].Within = linesWithin(tools, within, inner[at])
	}
	return out
}
