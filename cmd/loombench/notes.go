package main

import (
	"fmt"
	"strings"
	"time"
)

// checkpoint is the n-th summary of a session, counted from 1, by its sections.
type checkpoint struct {
	number                                          int
	title                                           string
	overview, history, work, technical, files, next string
	at                                              time.Time // set when the log is written
}

// checkpointOf is a pure function of session and number: the log, the file and
// the store tell the same.
func checkpointOf(s *session, n int, lex *lexicon) checkpoint {
	r := s.rng("checkpoint", n)
	c := checkpoint{number: n, title: lex.task(r), overview: lex.paragraph(r, between(r, 3, 6))}
	for i := range between(r, 4, 9) {
		c.history += fmt.Sprintf("%d. %s\n   - %s\n   - %s\n", i+1, lex.sentence(r), lex.sentence(r), lex.sentence(r))
	}
	for range between(r, 3, 8) {
		box := "x"
		if chance(r, 3) {
			box = " "
		}
		c.work += "- [" + box + "] " + lex.task(r) + "\n"
		f := s.project.file(r)
		c.files += "- " + f + "\n   - " + lex.sentence(r) + "\n"
	}
	c.technical = lex.list(r, "- ", between(r, 5, 14))
	c.next = "Remaining work:\n- " + lex.task(r) + "\n- " + lex.task(r)
	return c
}

// text is the body as compaction_complete and, trimmed, the file hold it
// (formats/copilot-cli.md, section 2.3).
func (c checkpoint) text() string {
	var b strings.Builder
	for _, s := range [][2]string{
		{"overview", c.overview}, {"history", c.history}, {"work_done", c.work},
		{"technical_details", c.technical}, {"important_files", c.files}, {"next_steps", c.next},
	} {
		fmt.Fprintf(&b, "<%s>\n%s\n</%s>\n\n", s[0], strings.TrimSpace(s[1]), s[0])
	}
	return strings.TrimSpace(b.String())
}

// file is the name of the checkpoint's file.
func (c checkpoint) file() string {
	slug := strings.Trim(strings.ToLower(strings.ReplaceAll(c.title, " ", "-")), "-")
	if len(slug) > 30 {
		slug = strings.Trim(slug[:30], "-")
	}
	return fmt.Sprintf("%03d-%s.md", c.number, slug)
}

// checkpointIndex is checkpoints/index.md; without checkpoints an empty table.
func checkpointIndex(all []checkpoint) string {
	var b strings.Builder
	b.WriteString("# Checkpoint History\n\nCheckpoints are listed in chronological order. " +
		"Checkpoint 1 is the oldest, higher numbers are more recent.\n\n| # | Title | File |\n|---|-------|------|\n")
	for _, c := range all {
		fmt.Fprintf(&b, "| %d | %s | %s |\n", c.number, c.title, c.file())
	}
	return b.String()
}

// planOf is the session's plan.md.
func planOf(s *session, lex *lexicon) string {
	r := s.rng("plan", 0)
	var b strings.Builder
	fmt.Fprintf(&b, "# Plan: %s\n\n## Problem\n%s\n\n## Steps\n", lex.task(r), lex.paragraph(r, 3))
	for range between(r, 3, 9) {
		box := " "
		if !chance(r, 3) {
			box = "x"
		}
		fmt.Fprintf(&b, "- [%s] %s\n", box, lex.task(r))
	}
	fmt.Fprintf(&b, "\n## Notes\n%s\n", lex.list(r, "- ", 3))
	return b.String()
}

// todo is a row of session.db.
type todo struct{ id, title, description, status string }

func todosOf(s *session, lex *lexicon) []todo {
	r := s.rng("todos", 0)
	all := make([]todo, between(r, 2, 7))
	for i := range all {
		status := pick(r, []string{"done", "done", "done", "pending", "in_progress", "blocked"})
		all[i] = todo{fmt.Sprintf("%s-%d", pick(r, lex.nouns), i), lex.task(r), lex.sentence(r), status}
	}
	return all
}

// researchOf is a report under research/.
func researchOf(s *session, lex *lexicon) (name, text string) {
	r := s.rng("research", 0)
	name = strings.ReplaceAll(lex.phrase(r), " ", "-") + ".md"
	return name, "# " + lex.task(r) + "\n\n" + lex.paragraph(r, 8) + "\n\n" + lex.list(r, "1. ", 8) + "\n"
}

// fileOf is a file the session keeps under files/.
func fileOf(s *session, lex *lexicon) (name, text string) {
	r := s.rng("file", 0)
	if chance(r, 3) {
		return pick(r, lex.nouns) + ".log", lex.plainLog(r, between(r, 20, 400))
	}
	return pick(r, lex.nouns) + "-notes.md", "# " + lex.task(r) + "\n\n" + lex.answer(r) + "\n"
}
