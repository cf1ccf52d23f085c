package extract

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/distilled"
	"github.com/sessionloom/sessionloom/testdata"
	"github.com/sessionloom/sessionloom/vault"
)

// withWords are sources with what agents said, as the vault keeps it.
func withWords(v *vault.Vault, srcs ...sources.Source) []sources.Source {
	return append(append([]sources.Source{}, srcs...), distilled.New(v.DistilledFolder()))
}

// distilSome has an agent asked which answers as it likes.
func distilSome(b *bench, w *fakeSource, r *rand.Rand) string {
	growSome(w, r)
	d := Distil{Sessions: 1 + r.IntN(4), Characters: 100_000, By: []string{"claude", "codex"}[r.IntN(2)]}
	d.Ask = func(_ context.Context, question string) (string, error) {
		if r.IntN(8) == 0 {
			return "", errors.New("out of order")
		}
		return answerTo(question, r), nil
	}
	if r.IntN(2) == 0 {
		if living := w.living(); len(living) > 0 {
			d.Names = []string{living[r.IntN(len(living))].s.ID}
		}
	}
	var done, again Distillation
	err := b.pass(w, false, func(s *Engine) (err error) {
		if _, done, err = s.Distil(context.Background(), d); err == nil {
			_, again, err = s.Distil(context.Background(), d)
		}
		return err
	})
	for _, one := range again.Sessions {
		if slices.ContainsFunc(done.Sessions, func(o SessionDistilled) bool { return o.Session == one.Session && o.Lines > 0 }) {
			b.t.Fatalf("asked twice about %s", one.Session)
		}
	}
	return fmt.Sprintf("%v: %+v %v", d.Names, done.Sessions, err)
}

// answerTo quotes lines of a question under texts of all kinds.
func answerTo(question string, r *rand.Rand) string {
	var lines []sources.Distilled
	before := ""
	for line := range strings.Lines(question) {
		quote := before + line
		if before = line; r.IntN(3) > 0 {
			continue
		}
		kinds := sources.DistilledKinds()
		text := []string{"fine", testdata.HostileLine(), testdata.Hostile, "the key is ghp_0123456789abcdefghijABCDEFGHIJ012345", "wholly alpha"}[r.IntN(5)]
		lines = append(lines, sources.Distilled{Kind: kinds[r.IntN(len(kinds))], Text: text, Quote: strings.TrimSpace(quote), Turn: r.IntN(9) - 2})
	}
	text, _ := json.Marshal(map[string]any{"lines": lines})
	if r.IntN(8) == 0 {
		text = text[:len(text)/2]
	}
	return string(text)
}

// takeWords copies what agents said into another vault.
func (b *bench) takeWords(from *bench) {
	b.t.Helper()
	folder := filepath.Join("Agents", ".sessionloom", "distilled")
	if err := os.CopyFS(filepath.Join(b.vault, folder), os.DirFS(filepath.Join(from.vault, folder))); err != nil && !errors.Is(err, os.ErrNotExist) {
		b.t.Fatal(err)
	}
}
