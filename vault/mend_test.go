package vault

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/vault/note"

	"github.com/sessionloom/sessionloom/vault/inspect"
)

// rememberedOf is what the ledger remembers of a draft that was written.
func rememberedOf(d Draft) inspect.LastKnown {
	body, nav := d.Content().Regions()
	return inspect.LastKnown{ID: d.ID, Props: d.Props, Body: body, Nav: nav}
}

// TestMendTakesNoSaveForDamage: only what stands in a file that nobody saved since
// it was last seen is damage. The rest may be anybody's.
func TestMendTakesNoSaveForDamage(t *testing.T) {
	v, dir := newVault(t, Options{})
	d := firstDraft()
	seen := mustPut(t, v, d).Note
	at := filepath.Join(dir, filepath.FromSlash(d.Path))
	mine := strings.Replace(readFile(t, at), "a box", "my x", 1)
	writeFile(t, at, mine)
	k := rememberedOf(d)
	k.Hash, k.Stamp = seen.Hash, seen.Stamp
	if m, err := v.Mend(t.Context(), d.Path, k); err != nil || m.Done != "" || readFile(t, at) != mine {
		t.Errorf("%+v, %v:\n%s", m, err, readFile(t, at))
	}
	now, err := v.Load(d.Path)
	if err != nil {
		t.Fatal(err)
	}
	k.Stamp = now.Stamp // as if the disk had changed it
	if m, err := v.Mend(t.Context(), d.Path, k); err != nil || m.Done == "" || readFile(t, at) != string(note.Render(d.Content())) {
		t.Errorf("%+v, %v:\n%s", m, err, readFile(t, at))
	}
}

func TestMendGivesWayToAHuman(t *testing.T) {
	v, dir := newVault(t, Options{})
	d := firstDraft()
	mustPut(t, v, d)
	at := filepath.Join(dir, filepath.FromSlash(d.Path))
	harmed := strings.Replace(readFile(t, at), "%% sessionloom:end body %%\n", "", 1)
	writeFile(t, at, harmed)
	saves := 0
	worldOf(v).step = func(s step) {
		if s == stepSwap {
			saves++
			writeFile(t, at, harmed+strings.Repeat("mine\n", saves))
		}
	}
	m, err := v.Mend(t.Context(), d.Path, rememberedOf(d))
	if err != nil || m.Done != "" || !strings.HasSuffix(readFile(t, at), strings.Repeat("mine\n", saves)) {
		t.Errorf("%+v, %v, after %d saves:\n%s", m, err, saves, readFile(t, at))
	}
}
