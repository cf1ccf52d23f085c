package main

import (
	"fmt"
	"math/rand/v2"
)

// project is a folder the sessions work in.
type project struct {
	cwd        string
	root       string // of git, empty without git
	repository string // owner/name, empty without a remote
	files      []string
}

// newProjects makes the projects: most with a remote, a few with git alone, a
// few plain folders.
func newProjects(r *rand.Rand, lex *lexicon) []*project {
	all := make([]*project, projectCount)
	for i := range all {
		name := fmt.Sprintf("%s-%s", pick(r, lex.adjectives), pick(r, lex.nouns))
		p := &project{cwd: "/home/dev/src/" + name}
		if i%8 != 7 {
			p.root = p.cwd
		}
		if i%8 < 6 {
			p.repository = pick(r, []string{"octo-org", "octo-labs", "dev"}) + "/" + name
		}
		for range between(r, 30, 90) {
			p.files = append(p.files, fmt.Sprintf("%s/%s/%s_%s.go", pick(r, []string{"internal", "cmd", "pkg"}),
				pick(r, lex.nouns), pick(r, lex.verbs), pick(r, lex.nouns)))
		}
		all[i] = p
	}
	return all
}

// file picks a path from the project's root; few of them are picked often.
func (p *project) file(r *rand.Rand) string { return p.files[zipf(r, len(p.files))] }
