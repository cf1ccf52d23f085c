package extract

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/sessionloom/sessionloom/extract/internal/texts"
	"github.com/sessionloom/sessionloom/extract/internal/verify"
	"github.com/sessionloom/sessionloom/sources"
)

// stopping stops the pass that asks it for anything.
type stopping struct {
	sources.Source
	stop context.CancelFunc
}

func (s stopping) List(context.Context) (sources.Listing, error) {
	s.stop()
	return sources.Listing{}, context.Canceled
}

// TestRepairOfFilesThatIsStopped: a view, canvas or picture that a repair put aside
// was deleted by nobody, even if the repair ends before it is written anew.
func TestRepairOfFilesThatIsStopped(t *testing.T) {
	b, pictured := newBench(t), pictureItem()
	src := &pile{name: "tale", items: []*thing{pictured}}
	for _, id := range []string{idB, idC} {
		src.items = append(src.items, of(id, sources.KindSession, true, "tale/log", 0, chat(id, 5, widget)))
	}
	b.mustSync(src)
	sound, files := tree(t, b.vault), append(b.views(".base", ".canvas"), b.pictures()...)
	if len(files) != 5 {
		t.Fatalf("files %q", files)
	}
	for _, f := range files {
		must(t, os.WriteFile(filepath.Join(b.vault, filepath.FromSlash(f)), []byte("views: [\x00 "+f), 0o644))
	}
	ctx, stop := context.WithCancel(t.Context())
	err := b.pass(stopping{src, stop}, false, func(s *Sync) error {
		_, err := (&Repair{Sync: s, Check: &verify.Check{Vault: s.Vault, Ledger: s.Ledger, Folder: s.Folder, Masker: s.Masker, Now: time.Unix(2e9, 0)}}).Run(ctx)
		return err
	})
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("the repair was not stopped: %v", err)
	}
	if left := append(b.views(".base", ".canvas"), b.pictures()...); !slices.Equal(left, b.pictures()) || len(left) != 2 {
		t.Fatalf("the repair was stopped elsewhere: %q", left)
	}
	b.mustSync(src)
	now := tree(t, b.vault)
	for _, f := range files {
		if now[f] != sound[f] {
			t.Errorf("%q holds %q", f, now[f])
		}
		if name := "Agents/.sessionloom/rescued/" + texts.Digest("views: [\x00 "+f, 16) + ".md"; now[name] == "" {
			t.Errorf("what stood in %q is not kept", f)
		}
	}
	b.steady(false, src)
}
