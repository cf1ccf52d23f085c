package pages

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/extract/internal/commands"
	"github.com/sessionloom/sessionloom/extract/internal/content"
	"github.com/sessionloom/sessionloom/extract/internal/decisions"
	"github.com/sessionloom/sessionloom/extract/internal/ends"
	"github.com/sessionloom/sessionloom/extract/internal/facts"
	"github.com/sessionloom/sessionloom/extract/internal/outcome"
	"github.com/sessionloom/sessionloom/extract/internal/texts"
	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/vault"
)

// Bounds of the rows of a session.
const (
	maxListedFiles = 200 // files
	maxRefRows     = 200
	maxEndRows     = 100 // open, and as many done
	maxListRows    = 20  // commands that worked, fixes, decisions, issues that prompts name
	maxRowText     = 300 // bytes
)

// known is what is found in a session once, for its facts and its note.
type known struct {
	open    []ends.Thread
	done    []ends.Mention
	decided []decisions.Decision
}

func knownOf(s *sources.Session) known {
	open, done := ends.InSession(s)
	return known{open, done, decisions.Of(s)}
}

// rowBuilder gathers what a session tells to list pages.
type rowBuilder struct {
	s      *sources.Session
	zone   *time.Location
	blocks []string
	folder string // in which it can be gone on with
	rows   []facts.Row
}

// rowsOf are what a session tells to list pages, each with the time and the block of its turn.
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
	return r.rows
}

func (r *rowBuilder) add(row facts.Row) {
	row.Text = strings.Clone(texts.CutWords(texts.OneLine(row.Text), maxRowText)) // what it is cut from is not kept
	row.What = strings.ReplaceAll(texts.OneLine(row.What), " ", "_")
	r.rows = append(r.rows, row)
}

// turn is when a turn was answered, and its block; nothing for one that is not known.
func (r *rowBuilder) turn(i int) (time.Time, string) {
	if i < 0 || i >= len(r.s.Turns) {
		return time.Time{}, ""
	}
	t := r.s.Turns[i]
	at := t.At
	if !t.End.IsZero() {
		at = t.End
	}
	return at, r.blocks[i]
}

// days tell of each day what the last answer of it says.
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

// files tell which turns changed a file, and the commit that turn made, else what it was asked.
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

// asked is what a turn was asked, empty where it is not known or says too little.
func (r *rowBuilder) asked(turn int) string {
	if turn < 0 || turn >= len(r.s.Turns) {
		return ""
	}
	return outcome.Asked(r.s.Turns[turn])
}

// commitOf is the commit that a turn made last.
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

// named tell which issues and pull requests the prompts name, and in what words.
func (r *rowBuilder) named() {
	for i, n := range content.Issues(r.s) {
		if i == maxListRows {
			return
		}
		at, block := r.turn(n.Turn)
		r.add(facts.Row{Key: facts.RowNamed, At: at, From: block, What: n.Type + ":" + n.Value, Text: n.Text})
	}
}

// ends tell what was left open, in all its wordings, and what was done.
func (r *rowBuilder) ends(threads []ends.Thread, done []ends.Mention) {
	n := 0
	for _, t := range threads {
		for _, m := range t.Mentions {
			from := cmp.Or(originOf(m, r.blocks), "-")
			if m.State == ends.Unclear {
				from += "?"
			}
			if n++; n <= maxEndRows {
				r.add(facts.Row{Key: facts.RowOpen, At: m.At, From: from, What: m.ID, Text: m.Text})
			}
		}
	}
	for i, m := range done {
		if i == maxEndRows {
			return
		}
		r.add(facts.Row{Key: facts.RowDone, At: m.At, From: originOf(m, r.blocks), Text: m.Text})
	}
}

// openBoxes are the boxes that the note of a session shows, none of them ticked.
func openBoxes(threads []ends.Thread) []vault.Box {
	var out []vault.Box
	for _, t := range threads {
		out = append(out, vault.Box{Section: facts.SectionOpen, ID: t.Newest().ID})
	}
	return out
}

// moreFiles counts the files that the rows leave out.
func moreFiles(files []content.FileUse) int { return max(0, len(files)-maxListedFiles) }

// refNames are the refs of a session as its properties have them.
func refNames(s *sources.Session) (out []string) {
	for _, r := range s.Refs {
		out = append(out, r.Type+" "+cmp.Or(r.Value, r.Text))
	}
	return slices.Clip(out)
}

// commands tell which commands worked, each line once, and which errors were fixed.
func (r *rowBuilder) commands() {
	seen := map[string]bool{}
	for _, c := range slices.Backward(commands.Worked(r.s)) {
		if seen[c.Line] || len(seen) == maxListRows {
			continue
		}
		seen[c.Line] = true
		at, block := r.turn(c.Turn)
		r.add(facts.Row{Key: facts.RowCommand, At: at, From: block, What: string(c.Kind), Text: c.Line})
	}
	for i, f := range commands.Fixes(r.s) {
		if i == maxListRows {
			return
		}
		at, block := r.turn(f.Turn)
		r.add(facts.Row{Key: facts.RowFix, At: at, From: block, Text: f.Text + facts.FixArrow + fixedBy(f)})
	}
}

func fixedBy(f commands.Fix) string {
	if f.Commit != nil {
		return f.Commit.Line()
	}
	return "`" + f.Worked.Line + "`"
}

// decisions tell what was decided, or turned out.
func (r *rowBuilder) decisions(decided []decisions.Decision) {
	for i, d := range decided {
		if i == maxListRows {
			return
		}
		r.add(facts.Row{Key: facts.RowDecision, At: d.At, From: decidedBy(d, r.blocks), Text: d.Text})
	}
}

// decidedBy is what says a decision: a checkpoint, a turn, or the plan.
func decidedBy(d decisions.Decision, blocks []string) string {
	switch {
	case d.Checkpoint > 0:
		return "cp" + strconv.Itoa(d.Checkpoint)
	case d.Turn >= 0 && d.Turn < len(blocks):
		return cmp.Or(blocks[d.Turn], "answer")
	case d.Kind == "memory":
		return d.Kind
	}
	return "plan"
}

// way tells how to go on from here.
func (r *rowBuilder) way() {
	if said := lastPrompt(r.s); said != "" {
		r.add(facts.Row{Key: facts.RowPrompt, Text: said})
	}
	if r.folder != "" {
		r.add(facts.Row{Key: facts.RowCwd, Text: r.folder})
	}
}

// originOf says in a word what told of an end: "plan", "todo", "cp3", or the block of a turn.
func originOf(m ends.Mention, blocks []string) string {
	if m.Turn >= 0 && m.Turn < len(blocks) {
		return cmp.Or(blocks[m.Turn], "answer")
	}
	if number, ok := strings.CutPrefix(m.Origin, "checkpoint "); ok {
		return "cp" + number
	}
	return m.Origin
}
