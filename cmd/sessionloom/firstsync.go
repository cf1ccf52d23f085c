package main

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/obsidian"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/present"
	"github.com/sessionloom/sessionloom/extract"
)

// homeNote is the id of the note to begin with, in each layout.
const homeNote = "home"

func (e *engine) noNotesYet() bool {
	if e.Mode.DryRun || e.opened.scratch != "" {
		return false
	}
	if _, err := os.Stat(filepath.Join(e.config.Managed(), "Home.md")); !errors.Is(err, fs.ErrNotExist) {
		return false
	}
	n, _, _ := e.Ledger.Count("session") // without Home, for that was deleted
	return n == 0
}

func (a *app) firstSync(ctx context.Context, e *engine, r *extract.Report) present.FirstSync {
	f := present.FirstSync{Missing: e.missing(r)}
	f.Sessions, _, _ = e.Ledger.Count("session")
	if home, ok := e.Ledger.Note(homeNote); ok {
		f.Home = filepath.Join(e.config.Managed(), filepath.FromSlash(home.Path))
		f.Link = obsidian.Link(f.Home)
	}
	f.Limits = e.config.Limits()
	if !a.sample && a.todo(ctx, e.config).Timer {
		f.Next = a.command("schedule install", e.config)
	}
	return f
}

// passLines completes the lines of what a run did; first tells that the vault had no
// notes before.
func (a *app) passLines(ctx context.Context, e *engine, p *present.Pass, lines []string, first bool) []string {
	r := &p.Report
	if !first || r.Notes.Created == 0 || a.json || a.print.Quiet {
		return append(lines, p.CommitLines()...)
	}
	f := a.firstSync(ctx, e, r)
	if f.Sessions == 0 {
		return append(lines, p.CommitLines()...)
	}
	lines = append(f.Words(r, a.home), lines[1:]...)
	return append(append(lines, p.CommitLines()...), f.NextLine()...)
}
