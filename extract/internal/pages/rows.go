package pages

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/extract/internal/commands"
	"github.com/sessionloom/sessionloom/extract/internal/content"
	"github.com/sessionloom/sessionloom/extract/internal/decisions"
	"github.com/sessionloom/sessionloom/extract/internal/distil"
	"github.com/sessionloom/sessionloom/extract/internal/ends"
	"github.com/sessionloom/sessionloom/extract/internal/facts"
	"github.com/sessionloom/sessionloom/extract/internal/outcome"
	"github.com/sessionloom/sessionloom/extract/internal/texts"
	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/vault"
)

// Limits of the rows of a session.
const (
	maxListedFiles = 200 // files
	maxRefRows     = 200
	maxEndRows     = 100 // open, and the same for done
	maxListRows    = 20  // commands that worked, fixes, decisions, issues in prompts
	maxRowText     = 400 // bytes
)

// known is data of a session that is computed once, for its facts and its note.
type known struct {
	open, done []ends.Mention
	told       facts.Facts // facts of the note
	decided    []decisions.Decision
	ending     outcome.Ending
	said       []sources.Distillate
}

// knownOf computes it. Closing words are only quoted if the conversation is shown.
func knownOf(s *sources.Session, transcript string) known {
	open, done := ends.InSession(s)
	k := known{open: open, done: done, decided: decisions.Of(s), ending: outcome.EndingOf(s), said: distil.Shown(s)}
	if transcript == "none" {
		k.ending.Words = nil
	}
	return k
}

type rowBuilder struct {
	s      *sources.Session
	zone   *time.Location
	blocks []string
	folder string // where it can be resumed
	rows   []facts.Row
}

// rowsOf returns the rows of a session for list pages, each with the time and the block of its turn.
func rowsOf(s *sources.Session, zone *time.Location, folder string, blocks []string, files []content.FileUse, k known) []facts.Row {
	r := rowBuilder{s: s, zone: zone, folder: folder, blocks: blocks}
	r.days()
	r.files(files)
	r.refs()
	r.named()
	r.ends(k.open, k.done)
	r.commands()
	r.decisions(k.decided)
	r.way()
	r.ending(k.ending)
	r.said(k.said)
	return r.rows
}

func (r *rowBuilder) add(row facts.Row) {
	row.Text = strings.Clone(texts.CutWords(texts.OneLine(row.Text), maxRowText)) // so that the long text is freed
	row.What = strings.ReplaceAll(texts.OneLine(row.What), " ", "_")
	r.rows = append(r.rows, row)
}

// turn returns when a turn was answered, and its block; zero values for an unknown one.
func (r *rowBuilder) turn(i int) (time.Time, string) {
	if i < 0 || i >= len(r.s.Turns) {
		return time.Time{}, ""
	}
	return cmp.Or(r.s.Turns[i].End, r.s.Turns[i].At), r.blocks[i]
}

// days adds the days of a session, each with its last answer.
func (r *rowBuilder) days() {
	days := content.Days(r.s, r.zone)
	rows := make([]facts.Row, len(days))
	for i, day := range days {
		rows[i] = facts.Row{Key: facts.RowDay, What: day}
	}
	for i := len(r.s.Turns) - 1; i >= 0; i-- {
		at, block := r.turn(i)
		if at.IsZero() || r.s.Turns[i].Inherited {
			continue
		}
		row := &rows[slices.Index(days, at.In(r.zone).Format(time.DateOnly))]
		if row.At.IsZero() {
			row.At, row.From = at, block
		}
		if row.Text == "" {
			row.Text = outcome.Said(r.s.Turns[i])
		}
	}
	for _, row := range rows {
		r.add(row)
	}
}

// files adds rows for the turns that changed a file, with the commit of the turn or else its prompt.
func (r *rowBuilder) files(files []content.FileUse) {
	for i, f := range files {
		if i == maxListedFiles {
			return
		}
		prompts := f.Prompts
		if len(prompts) == 0 {
			prompts = []int{f.Seen}
		}
		for _, number := range prompts {
			at, block := r.turn(number - 1)
			commit := r.commitOf(number - 1)
			r.rows = append(r.rows, facts.Row{Key: facts.RowFile, At: at, From: block, What: commit, Text: f.Path})
			if asked := r.asked(number - 1); commit == "" && block != "" && asked != "" {
				r.add(facts.Row{Key: facts.RowAsk, At: at, From: block, Text: asked}) // once, however many files
			}
		}
	}
}

// asked returns the prompt of a turn, or "" if it is unknown or too short.
func (r *rowBuilder) asked(turn int) string {
	if turn < 0 || turn >= len(r.s.Turns) {
		return ""
	}
	return outcome.Asked(r.s.Turns[turn])
}

func (r *rowBuilder) commitOf(turn int) (value string) {
	for _, ref := range r.s.Refs {
		if ref.Type == sources.Commit && ref.Turn == turn && turn >= 0 {
			value = ref.Value
		}
	}
	return strings.Join(strings.Fields(value), "_")
}

func (r *rowBuilder) refs() {
	for i, ref := range r.s.Refs {
		if i == maxRefRows {
			return
		}
		at, block := r.turn(ref.Turn)
		value := ref.Value
		if ref.Repo != "" {
			value = ref.Repo + "#" + value
		}
		r.add(facts.Row{Key: facts.RowRef, At: at, From: block, What: ref.Type + ":" + value, Text: ref.Text})
	}
}

// named adds the issues and pull requests that the prompts name, with their words.
func (r *rowBuilder) named() {
	for i, n := range content.Issues(r.s) {
		if i == maxListRows {
			return
		}
		at, block := r.turn(n.Turn)
		r.add(facts.Row{Key: facts.RowNamed, At: at, From: block, What: n.Type + ":" + n.Value, Text: n.Text})
	}
}

func (r *rowBuilder) ends(open, done []ends.Mention) {
	for i, m := range open[:min(len(open), maxEndRows)] {
		r.add(facts.Row{Key: facts.RowOpen, At: m.At, From: facts.FromAct(fmt.Sprintf("%s.%03d", m.Kind, i), withBlock(m, r.blocks).Block), What: m.ID, Text: m.Text})
	}
	for _, m := range done[:min(len(done), maxEndRows)] {
		r.add(facts.Row{Key: facts.RowDone, At: m.At, From: facts.FromAct(string(m.Kind), ""), Text: m.Text})
	}
}

func withBlock(m ends.Mention, blocks []string) ends.Mention {
	if m.Turn >= 0 && m.Turn < len(blocks) {
		m.Block = blocks[m.Turn]
	}
	return m
}

func openBoxes(open []ends.Mention) []vault.Box {
	var out []vault.Box
	for _, m := range open {
		out = append(out, vault.Box{Section: facts.SectionOpen, ID: m.ID})
	}
	return out
}

func refNames(s *sources.Session) (out []string) {
	for _, r := range s.Refs {
		out = append(out, r.Type+" "+cmp.Or(r.Value, r.Text))
	}
	return slices.Clip(out)
}

func (r *rowBuilder) commands() {
	seen := map[string]bool{}
	for _, c := range slices.Backward(commands.Worked(r.s)) {
		_, key := commands.First(c.Line, r.s.Place)
		if seen[key] || len(seen) == maxListRows {
			continue
		}
		seen[key] = true
		at, block := r.turn(c.Turn)
		r.add(facts.Row{Key: facts.RowCommand, At: at, From: block, What: string(c.Kind), Text: c.Line})
	}
	for i, f := range commands.Fixes(r.s) {
		if i == maxListRows {
			return
		}
		at, block := r.turn(f.Turn)
		r.add(facts.Row{Key: facts.RowFix, At: at, From: block, Text: f.Text + facts.FixArrow + f.By()})
	}
}

func (r *rowBuilder) decisions(decided []decisions.Decision) {
	for _, d := range decided[:min(len(decided), maxListRows)] {
		_, block := r.turn(d.Turn)
		r.add(facts.Row{Key: facts.RowDecision, At: d.At, From: facts.FromAct(string(d.Kind), block), Text: d.Text})
	}
}

func (r *rowBuilder) way() {
	if said := lastPrompt(r.s); said != "" {
		r.add(facts.Row{Key: facts.RowPrompt, From: strings.Join(starts(r.s.Turns), ","), Text: said})
	}
	if r.folder != "" {
		r.add(facts.Row{Key: facts.RowCwd, Text: r.folder})
	}
}

// starts returns the first prompts for comparison, without nods.
func starts(turns []sources.Turn) (out []string) {
	const most = 3
	if first := content.FirstPrompt(turns); first != "" && !content.IsNod(sources.Turn{User: first}) {
		out = append(out, ends.StartOf(first))
	}
	for _, t := range turns {
		if start := ends.StartOf(t.User); len(out) < most && !t.Inherited && strings.TrimSpace(t.User) != "" && !content.IsNod(t) && !slices.Contains(out, start) {
			out = append(out, start)
		}
	}
	return out
}

// ending adds how the session ended. Its closing words are in one line.
func (r *rowBuilder) ending(e outcome.Ending) {
	words := e.Words
	if e.Broke != "" {
		words = append([]string{e.Broke}, words...)
	}
	if len(words) > 0 {
		at, block := r.turn(e.Turn)
		r.add(facts.Row{Key: facts.RowEnd, At: at, From: block, Text: strings.Join(words, " · ")})
	}
	for i, step := range e.Steps {
		r.add(facts.Row{Key: facts.RowStep, At: e.At, From: "cp" + strconv.Itoa(e.Checkpoint), What: strconv.Itoa(i + 1), Text: step})
	}
	if c := e.Check; c != nil {
		at, block := r.turn(c.Turn)
		r.add(facts.Row{Key: facts.RowCheck, At: at, From: block, What: exitOf(c), Text: c.Line})
	}
	details, number := outcome.Details(r.s)
	for i, text := range details {
		r.add(facts.Row{Key: facts.RowDetail, From: "cp" + strconv.Itoa(number), What: strconv.Itoa(i + 1), Text: text})
	}
}

func exitOf(c *outcome.Check) string {
	if c.Exit == nil {
		return ""
	}
	return strconv.Itoa(*c.Exit)
}

// said adds the lines that the page of a project shows.
func (r *rowBuilder) said(all []sources.Distillate) {
	for _, d := range all {
		for _, line := range d.Lines {
			if line.Kind == "decision" || line.Kind == "learned" {
				_, block := r.turn(line.Turn)
				r.add(facts.Row{Key: facts.RowWords, At: d.At, From: block, What: d.By, Text: line.Text})
			}
		}
	}
}
