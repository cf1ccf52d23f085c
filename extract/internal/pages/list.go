package pages

import (
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/extract/internal/names"
)

var listTypes = []string{names.TypeFile, names.TypeIssue, names.TypePR, names.TypeDay, names.TypeWeek, names.TypeProject, names.TypeThreads, names.TypeHome}

// Order returns the position of a page that lists notes, ahead of pages that show their facts; -1 for any
// other note.
func Order(id string) int {
	kind, _, _ := strings.Cut(id, ":")
	return slices.Index(listTypes, kind)
}

// List builds a page that lists notes, or returns nil if its id is not a list's.
func (b *Builder) List(id string) *Page {
	if issue, ok := names.IssueFromID(id); ok {
		return b.issuePage(issue)
	}
	kind, rest, _ := strings.Cut(id, ":")
	build := map[string]func(string) *Page{
		names.TypeFile: b.filePage, names.TypeDay: b.dayPage, names.TypeWeek: b.weekPage, names.TypeProject: b.projectPage,
		names.ThreadsID: b.threadsPage, names.HomeID: b.homePage,
	}[kind]
	if build == nil {
		return nil
	}
	return build(rest)
}
