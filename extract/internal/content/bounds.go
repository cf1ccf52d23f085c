package content

import (
	"strings"

	"github.com/sessionloom/sessionloom/extract/internal/texts"
	"github.com/sessionloom/sessionloom/extract/redact"
	"github.com/sessionloom/sessionloom/sources"
)

// maxLine is the most that is kept of a text of one line (a title, name, path or
// label), in bytes. What was said has no such bound.
const maxLine = 1000

// Bound shortens the fields of one line in what was read of a session. Those by
// which something is known end in a digest then, so that two stay two.
func Bound(s *sources.Session) {
	label := func(fields ...*string) {
		for _, t := range fields {
			*t = texts.Cut(*t, maxLine)
		}
	}
	name := func(fields ...*string) {
		for _, t := range fields {
			*t = boundName(*t)
		}
	}
	names := func(list []string) {
		for i := range list {
			name(&list[i])
		}
	}
	label(&s.Title, &s.Place.HostType, &s.Place.Branch, &s.Place.BaseBranch)
	name(&s.Place.Cwd, &s.Place.GitRoot, &s.Place.Repository, &s.Place.Host, &s.Place.Workspace)
	names(s.Place.Folders)
	names(s.Models)
	for i := range s.Damage {
		label(&s.Damage[i])
	}
	for i := range s.Turns {
		boundTurn(&s.Turns[i], label, name)
	}
	for i := range s.Checkpoints {
		label(&s.Checkpoints[i].Title)
	}
	for i := range s.Artifacts {
		name(&s.Artifacts[i].Name)
		label(&s.Artifacts[i].Left)
	}
	for i := range s.Todos {
		t := &s.Todos[i]
		label(&t.Title, &t.Raw, &t.Origin)
		name(&t.ID)
		names(t.After)
	}
	for i := range s.Files {
		f := &s.Files[i]
		name(&f.Path)
		label(&f.Tool)
	}
	for i := range s.Refs {
		r := &s.Refs[i]
		name(&r.Value, &r.Repo)
		label(&r.Type, &r.Text)
	}
}

func boundTurn(t *sources.Turn, label, name func(...*string)) {
	label(&t.Model, &t.Mode, &t.Agent)
	for i := range t.Tools {
		label(&t.Tools[i].Name, &t.Tools[i].Detail)
	}
	for i := range t.Attachments {
		label(&t.Attachments[i].Kind)
		name(&t.Attachments[i].Name)
	}
	for i := range t.Citations {
		label(&t.Citations[i].License, &t.Citations[i].Value)
	}
}

// boundName shortens a text by which something is known.
func boundName(s string) string {
	if len(s) <= maxLine {
		return s
	}
	return strings.TrimSpace(texts.CutRunes(s, maxLine-32)) + "…" + texts.Digest(redact.Number(s)[0], 16)
}
