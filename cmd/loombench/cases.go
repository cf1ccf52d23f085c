package main

import (
	"fmt"
	"strings"
	"time"
)

// benchCase is a row of the table: a command and its preparation.
type benchCase struct {
	name, what string
	corpus     params
	command    string // check or search; empty: sync
	fresh      bool   // vault and state are empty, else as left by earlier runs
	grow       bool   // one session grew by a turn
	floors     []floor
	goal       goal
}

// goal is what a case should reach on two cores. 0 means no goal.
type goal struct {
	times float64       // factor on the floor …
	plus  time.Duration // … plus this
	rate  float64       // MB of the corpus per second
}

// peakGoal limits the memory of every case, in bytes.
const peakGoal = 256e6

// cases returns the cases in the order they run: later ones continue with the vault of the first.
func cases(std params) []benchCase {
	big := params{Kind: long, Sessions: 1, MB: 5 * std.MB, Seed: std.Seed}
	many := params{Kind: logs, Sessions: 10 * std.Sessions, MB: 10 * std.MB, Seed: std.Seed}
	half := params{Kind: chats, Sessions: max(1, std.Sessions/2), MB: max(1, std.MB/2), Seed: std.Seed}
	claude := params{Kind: transcripts, Sessions: std.Sessions, MB: std.MB, Seed: std.Seed}
	codex := params{Kind: rollouts, Sessions: std.Sessions, MB: std.MB, Seed: std.Seed}
	gemini := params{Kind: geminiChats, Sessions: std.Sessions, MB: std.MB, Seed: std.Seed}
	cursor := params{Kind: conversations, Sessions: std.Sessions, MB: std.MB, Seed: std.Seed}
	holes := params{Kind: sparseState, Sessions: std.Sessions, MB: std.MB, Seed: std.Seed}
	huge := params{Kind: longRollout, Sessions: 1, MB: 3 * std.MB, Seed: std.Seed}
	opencode := params{Kind: database, Sessions: std.Sessions, MB: std.MB, Seed: std.Seed}
	cat, find, create := floor{"cat", readSources}, floor{"find", findAll}, floor{"creating and syncing as many files", createAll}
	return []benchCase{
		{name: "first", what: "first sync", corpus: std, fresh: true, floors: []floor{cat, create}},
		{name: "idle", what: "no change", corpus: std, floors: []floor{find}, goal: goal{times: 1.2}},
		{name: "grew", what: "one session grew by one turn", corpus: std, grow: true,
			floors: []floor{{"no change", syncAgain}}, goal: goal{times: 1, plus: 60 * time.Millisecond}},
		{name: "check", what: "check, nothing changed", corpus: std, command: "check", floors: []floor{{"find over the vault", findVault}}},
		{name: "search", what: "60 searches, the slowest", corpus: std, command: "search", floors: []floor{{"no change", syncAgain}}, goal: goal{plus: 100 * time.Millisecond}},
		{name: "big", what: "one large event log, first sync", corpus: big, fresh: true, floors: []floor{cat}, goal: goal{rate: 700}},
		{name: "many", what: "ten times the sessions, no change", corpus: many, floors: []floor{find}, goal: goal{times: 1.5}},
		{name: "chats-first", what: "chats of VS Code, first sync", corpus: half, fresh: true, floors: []floor{cat, create}},
		{name: "chats-idle", what: "the same, no change", corpus: half, floors: []floor{find}, goal: goal{times: 2, plus: 30 * time.Millisecond}},
		{name: "claude-first", what: "transcripts of Claude Code, first sync", corpus: claude, fresh: true, floors: []floor{cat, create}},
		{name: "claude-idle", what: "the same, no change", corpus: claude, floors: []floor{find}, goal: goal{times: 1.5}},
		{name: "codex-first", what: "rollouts of Codex, first sync", corpus: codex, fresh: true, floors: []floor{cat, create}},
		{name: "codex-idle", what: "the same, no change", corpus: codex, floors: []floor{find}, goal: goal{times: 1.5}},
		{name: "gemini-first", what: "chats of Gemini CLI, first sync", corpus: gemini, fresh: true, floors: []floor{cat, create}},
		{name: "gemini-idle", what: "the same, no change", corpus: gemini, floors: []floor{find}, goal: goal{times: 1.5}},
		{name: "cursor-first", what: "conversations of Cursor, first sync", corpus: cursor, fresh: true, floors: []floor{cat, create}},
		{name: "cursor-idle", what: "the same, no change", corpus: cursor, floors: []floor{find}, goal: goal{times: 1.5}},
		{name: "cursor-sparse", what: "the same in a database of 4 GB, no change", corpus: holes, floors: []floor{find}, goal: goal{times: 1, plus: time.Second}},
		{name: "opencode-first", what: "the database of opencode, first sync", corpus: opencode, fresh: true, floors: []floor{cat, create}},
		{name: "opencode-idle", what: "the same, no change", corpus: opencode, floors: []floor{find}, goal: goal{times: 1, plus: 60 * time.Millisecond}},
		{name: "codex-big", what: "one large rollout, first sync", corpus: huge, fresh: true, floors: []floor{cat}},
	}
}

// wrong returns what a run failed to do, or did without being asked: a run that looks at nothing is fast.
func (c benchCase) wrong(o outcome) (all []string) {
	if c.command != "" {
		if o.exit != 0 {
			all = append(all, fmt.Sprintf("exit code %d: check has findings, or searches find nothing", o.exit))
		}
		return all
	}
	r := o.report
	if r.Sessions.Listed < c.corpus.Sessions {
		all = append(all, fmt.Sprintf("%d of %d sessions listed", r.Sessions.Listed, c.corpus.Sessions))
	}
	if n := r.Sessions.Failed + r.Notes.Failed; n > 0 {
		all = append(all, fmt.Sprintf("%d sessions or notes failed", n))
	}
	changes := c.fresh || c.grow
	if changes && r.written() == 0 {
		all = append(all, "no note was written")
	}
	if !changes && r.read()+int64(r.written()) > 0 {
		all = append(all, fmt.Sprintf("%s read, %d notes written", megabytes(r.read()), r.written()))
	}
	for _, p := range r.Problems {
		all = append(all, p.Item+": "+p.Error)
	}
	return all
}

// limit returns the time that the goal allows for a floor; 0: no limit.
func (g goal) limit(floor time.Duration) time.Duration {
	return time.Duration(g.times*float64(floor)) + g.plus
}

// verdict compares the medians of a row with the goals of its case.
func (r row) verdict() string {
	var missed []string
	o := r.medians(0)
	if limit := r.c.goal.limit(r.floor(0)); limit > 0 && o.wall > limit {
		missed = append(missed, fmt.Sprintf("%s over %s", millis(o.wall), millis(limit)))
	}
	if want := r.c.goal.rate; want > 0 && r.rate() < want {
		missed = append(missed, fmt.Sprintf("%.0f under %.0f MB/s", r.rate(), want))
	}
	if o.peak > peakGoal {
		missed = append(missed, fmt.Sprintf("%s over %s", megabytes(o.peak), megabytes(peakGoal)))
	}
	if len(missed) == 0 {
		return "reached"
	}
	return "missed: " + strings.Join(missed, "; ")
}

func (r row) goal() string {
	text := "≤ " + megabytes(peakGoal)
	if g := r.c.goal; g.rate > 0 {
		text = fmt.Sprintf("≥ %.0f MB/s, ", g.rate) + text
	} else if g.times > 0 || g.plus > 0 {
		text = "≤ " + millis(g.limit(r.floor(0))) + ", " + text
	}
	return text
}
