package extract

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sessionloom/sessionloom/extract/internal/facts"
	"github.com/sessionloom/sessionloom/extract/internal/index"
	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/vault"
	"github.com/sessionloom/sessionloom/vault/note"
)

var wikilinkTarget = regexp.MustCompile(`\[\[([^\]|\\#]+)`)

// quotedBlock is a block to copy, in a callout.
var quotedBlock = regexp.MustCompile("(?s)> ```text\r?\n.*?\n> ```")

// isLeftOver reports whether nothing tells any longer what a note says: it is that of a checkpoint that
// a transcript alone knew, of which an older one may have known more, or that was rewound and
// its user wrote in; or of a session that became a part of one whose note was deleted.
func isLeftOver(v *vault.Vault, w *fakeSource, f facts.Facts) bool {
	st := w.sessions[f.Session()]
	if st != nil && f.Type == names.TypeCheckpoint {
		stands := func(c sources.Checkpoint) bool { return names.CheckpointID(st.s.ID, c.Number) == f.ID }
		return st.derived || !slices.ContainsFunc(st.s.Checkpoints, stands)
	}
	return slices.ContainsFunc(w.living(), func(of *fixture) bool {
		return slices.Contains(of.s.Aliases, f.Session()) && v.HasTombstone(names.SessionID(of.s.ID))
	})
}

// checkLinks finds links that lead nowhere. In a body that the user edited, or
// whose source is not here or to be forgotten, only the navigation can be kept up to date, as in
// what is left over; of what is broken, was deleted once or has a twin nothing is.
func checkLinks(t *testing.T, b *bench, w *fakeSource, files map[string]string) {
	t.Helper()
	v, err := vault.Open(b.vault, "Agents", vault.Options{})
	must(t, err)
	defer func() { _ = v.Close() }()
	bearers := map[string]int{}
	for path, text := range files {
		bearers[note.Parse(path, []byte(text)).ID]++
	}
	for path, text := range files {
		n := note.Parse(path, []byte(text))
		if !strings.HasPrefix(path, "Agents/") || strings.Contains(path, "/.sessionloom/") || strings.Contains(text, "by hand") || bearers[n.ID] > 1 || n.Broken != "" || v.HasTombstone(n.ID) {
			continue
		}
		f := facts.From(n, time.UTC)
		st, parent := w.sessions[f.Session()], w.sessions[f.Parent] // without it a fork is not told from it, and stays as it is
		gone := f.Session() != "" && (st == nil || st.gone || index.ForgottenSession(v, f.Session()) || index.ForgottenProject(v, f.Project)) || parent != nil && parent.gone
		if n.Touched || gone || isLeftOver(v, w, f) {
			_, text, _ = strings.Cut(text, "%% sessionloom nav")
		}
		for _, m := range wikilinkTarget.FindAllStringSubmatch(quotedBlock.ReplaceAllString(text, ""), -1) {
			_, whole := files[m[1]] // with its ending: no note
			if _, ok := files[m[1]+".md"]; !ok && !whole {
				t.Fatalf("%s links to %q, which is not there", path, m[1])
			}
		}
	}
}
