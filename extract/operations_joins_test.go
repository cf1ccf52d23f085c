package extract

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/extract/internal/identity"
	"github.com/sessionloom/sessionloom/sources"
)

// join says in the vault's settings which projects are another one.
func (b *bench) join(projects map[string]string) {
	b.t.Helper()
	b.joins = projects
	at := filepath.Join(b.vault, "Agents", ".sessionloom", "vault.yaml")
	text, err := os.ReadFile(at)
	must(b.t, err)
	settings, _, _ := strings.Cut(string(text), "projects:\n")
	if len(projects) > 0 {
		settings += "projects:\n"
	}
	for _, key := range slices.Sorted(maps.Keys(projects)) {
		settings += fmt.Sprintf("  %q: %q\n", key, projects[key])
	}
	must(b.t, os.WriteFile(at, []byte(settings), 0o600))
}

// joinSome joins projects of the fake source to repositories at random, in chains and circles too,
// or parts them.
func joinSome(b *bench, _ *fakeSource, r *rand.Rand) string {
	keys := []string{"github.com/octo-org/widget", "github.com/octo-org/docs", "github.com/octo-org/renamed"}
	repositories := len(keys)
	for _, folder := range []string{"/home/dev/lab/latency", "/home/dev/src/widget", "/home/dev/src/widget/cmd"} {
		keys = append(keys, identity.ProjectOf(sources.Place{Cwd: folder}).Key)
	}
	projects := map[string]string{}
	for range r.IntN(4) {
		projects[keys[r.IntN(len(keys))]] = keys[r.IntN(repositories)]
	}
	b.join(projects)
	return fmt.Sprint(projects)
}
