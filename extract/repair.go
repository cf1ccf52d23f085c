package extract

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/extract/internal/facts"
	"github.com/sessionloom/sessionloom/extract/internal/index"
	"github.com/sessionloom/sessionloom/extract/internal/verify"
	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/vault"
	"github.com/sessionloom/sessionloom/vault/inspect"
)

// Repair mends what a check finds, as far as it is ours: it puts back what is
// known, has the rest rendered anew by a run, and checks once more. What a human
// wrote is never changed, and what they alone can decide is left to them.
type Repair struct {
	Check *Check
	Sync  *Sync // of the same vault and ledger
}

// RepairReport is what a repair has to tell (schema 1).
type RepairReport struct {
	Schema   int      `json:"schema"`
	DryRun   bool     `json:"dry_run"`
	Notes    int      `json:"notes"` // notes of ours
	Repaired []Action `json:"repaired"`
	Left     []Action `json:"left"`
	Pass     Report   `json:"-"` // the run that rendered anew
}

// Action is what became of a finding.
type Action struct {
	Finding
	What string `json:"what"` // what was done, or why nothing was
}

// repair is the state of one Run.
type repair struct {
	*Repair
	ctx  context.Context
	done map[string]string // by note and kind: what is done about it
	left map[string]string // by note and kind: why nothing is
	seen map[string]bool   // notes that were dealt with, by path and way
	// afterwards is done once the ledger knows of it.
	afterwards []func() error
}

// Run repairs. What is left is no error. In a dry run nothing is written, and the
// report tells what would be done.
func (r *Repair) Run(ctx context.Context) (RepairReport, error) {
	out := RepairReport{Schema: 1, DryRun: r.Sync.Mode.DryRun, Repaired: []Action{}, Left: []Action{}}
	if err := r.Sync.checkRepoIdle(); err != nil {
		return out, err
	}
	r.Check.Full = true
	before, err := r.Check.Run(ctx)
	if err != nil {
		return out, err
	}
	out.Notes = before.Notes
	if err := r.Sync.Ledger.Begin(); err != nil {
		return out, err
	}
	w := repair{Repair: r, ctx: ctx, done: map[string]string{}, left: map[string]string{}, seen: map[string]bool{}}
	for _, f := range before.Findings {
		if err := w.prepare(f); err != nil {
			return out, fmt.Errorf("repair %q: %w", f.Note, err)
		}
	}
	if err := w.keep(); err != nil {
		return out, err
	}
	stale, err := w.renderAll()
	if err != nil {
		return out, err
	}
	if out.Pass, err = r.Sync.Run(ctx); err != nil {
		return out, err
	}
	return out, w.tell(&out, append(before.Findings, stale...))
}

// renderAll renders all notes anew and tells which were not as they would be written. A
// dry run has them among its findings.
func (w *repair) renderAll() ([]Finding, error) {
	if w.Sync.Mode.DryRun {
		return nil, nil
	}
	if err := w.Sync.Ledger.SetValue(ledger.Rendering, []byte("repaired")); err != nil {
		return nil, err
	}
	r, _, err := w.Sync.Rerender(w.ctx)
	var found []Finding
	for _, c := range r.Changed {
		f := verify.Stale(c.Note)
		if c.Outcome != string(vault.Kept) && c.ID != "" && !w.dealt(c.Note) {
			w.done[keyOf(f)] = renderedAnew
			found = append(found, f)
		}
	}
	return found, err
}

// dealt tells whether something else was found about a note.
func (w *repair) dealt(note string) bool {
	for key := range w.seen {
		if _, at, _ := strings.Cut(key, "\x00"); at == note {
			return true
		}
	}
	return false
}

// keep makes what was prepared last, then does what rests on it. The run that
// follows is to look at every note.
func (w *repair) keep() error {
	if err := w.Sync.Vault.Flush(); err != nil {
		return err
	}
	if err := w.Sync.Ledger.SetValue(ledger.VaultPrint, nil); err != nil {
		return err
	}
	if err := w.Sync.Ledger.Commit(); err != nil {
		return err
	}
	if len(w.afterwards) == 0 {
		return nil
	}
	if err := w.Sync.Ledger.Last(); err != nil { // that we put a file aside must be known wherever it is gone
		return err
	}
	for _, do := range w.afterwards {
		if err := do(); err != nil {
			return err
		}
	}
	return w.Sync.Vault.Flush()
}

// keyOf tells findings apart: one kind of one note.
func keyOf(f Finding) string { return f.Kind + "\x00" + f.Note }

// tell compares what was found with what is found now.
func (w *repair) tell(out *RepairReport, before []Finding) error {
	w.Check.Anew = nil // all was rendered
	after, err := w.Check.Run(w.ctx)
	if err != nil {
		return err
	}
	stays := map[string]bool{}
	for _, f := range after.Findings {
		stays[keyOf(f)] = true
	}
	out.Notes = after.Notes
	known := map[string]bool{}
	for _, f := range before {
		known[keyOf(f)] = true
		dry := out.DryRun && w.done[keyOf(f)] != "" && w.left[keyOf(f)] == "" && onlySeen(f.Kind)
		if stays[keyOf(f)] && !dry {
			out.Left = append(out.Left, Action{f, cmp.Or(w.left[keyOf(f)], f.Hint)})
		} else {
			out.Repaired = append(out.Repaired, Action{f, cmp.Or(w.done[keyOf(f)], "mended by the pass that followed")})
		}
	}
	for _, f := range after.Findings {
		if !known[keyOf(f)] {
			out.Left = append(out.Left, Action{f, f.Hint})
		}
	}
	return nil
}

// onlySeen tells of kinds of damage that a check sees on the disk alone, so that
// the check after a dry run still finds them.
func onlySeen(kind string) bool {
	return slices.Contains([]string{inspect.FindingLeftover, inspect.FindingFile, verify.FindingLedger}, kind)
}

// prepare does about a finding what the run cannot do, and makes due what it can.
func (w *repair) prepare(f Finding) error {
	at, inside := inFolder(w.Sync.Folder, f.Note)
	switch f.Kind {
	case inspect.FindingLeftover:
		w.done[keyOf(f)] = "cleared away, or put aside where it held a text of yours"
		return nil
	case inspect.FindingFile:
		return w.once(f, func() (string, string, error) { return w.renewFile(at) })
	case inspect.FindingMarkers, inspect.FindingNoID, inspect.FindingDamaged, inspect.FindingFront:
		return w.once(f, func() (string, string, error) { return w.mend(at) })
	case inspect.FindingLive, inspect.FindingSecret, inspect.FindingLink, inspect.FindingBack:
		return w.once(f, func() (string, string, error) { return w.renderAnew(at) })
	case verify.FindingLedger:
		if f.Note == "" || !inside {
			return nil
		}
		return w.once(f, func() (string, string, error) { return w.distrust(at) })
	}
	return nil
}

// once does something about a note and remembers what came of it.
func (w *repair) once(f Finding, do func() (done, left string, err error)) error {
	if w.seen[keyOf(f)] {
		return nil
	}
	w.seen[keyOf(f)] = true
	done, left, err := do()
	if done != "" {
		w.done[keyOf(f)] = done
	}
	if left != "" {
		w.left[keyOf(f)] = left
	}
	return err
}

const renderedAnew = "what is ours in it was rendered anew"

// renderAnew makes a note due.
func (w *repair) renderAnew(at string) (done, left string, err error) {
	row, known, err := w.Sync.Ledger.NoteAt(at)
	if err != nil || !known {
		return "", "the ledger does not know this note", err
	}
	return renderedAnew, "", w.due(row)
}

func (w *repair) due(row ledger.NoteRow) error {
	kind, owner, err := w.Sync.ownerOf(row.ID)
	if err != nil || kind == "" {
		return err
	}
	return w.Sync.Ledger.MarkDue(kind, owner)
}

// mend puts back in a note what is known to have stood there.
func (w *repair) mend(at string) (done, left string, err error) {
	row, known, err := w.Sync.Ledger.NoteAt(at)
	if err != nil || !known {
		return "", "the ledger does not know this note: bring it back from version control", err
	}
	k := vault.Known{ID: row.ID, Hash: row.Hash, Stamp: index.VaultStamp(row.Stamp), Props: facts.DecodeProperties(row.Base)}
	if k.Body, k.Nav, err = index.BasesOf(w.Sync.Ledger, row.ID)(); err != nil {
		return "", "", err
	}
	m, err := w.Sync.Vault.Mend(w.ctx, at, k)
	switch {
	case err != nil:
		return "", err.Error(), nil // this one alone; the others are gone on with
	case m.Lacks:
		return w.renewNote(row)
	case m.Done == "":
		return "", m.Left, nil
	case m.Rescued != "":
		m.Done += "; " + w.rescuedWords(m.Rescued)
	}
	return m.Done, "", w.due(row)
}

// rescuedWords tell where lies what was put aside.
func (w *repair) rescuedWords(at string) string {
	return "what stood there lies in " + path.Join(w.Sync.Folder, at)
}

// renewNote puts a note aside of which nobody knows what it was made from, where it can be
// rendered as completely as it says.
func (w *repair) renewNote(row ledger.NoteRow) (done, left string, err error) {
	st, err := w.Sync.stages(w.Sync.recorder())
	if err != nil {
		return "", "", err
	}
	if can, err := st.publish.Renders(row); err != nil || !can {
		return "", "what it was made from is not here: bring it back from version control or mend it by hand", err
	}
	w.afterwards = append(w.afterwards, func() error {
		rescued, err := w.Sync.Vault.Quarantine(w.ctx, "", row.Path)
		for _, kind := range []string{inspect.FindingMarkers, inspect.FindingNoID, inspect.FindingDamaged, inspect.FindingFront} {
			if key := keyOf(Finding{Kind: kind, Note: path.Join(w.Sync.Folder, row.Path)}); err != nil {
				w.left[key] = err.Error()
			} else {
				w.done[key] = "written anew; " + w.rescuedWords(rescued)
			}
		}
		return nil
	})
	return "", "", w.forgetNote(row)
}

// forgetNote has a note be rendered as if it had never been.
func (w *repair) forgetNote(row ledger.NoteRow) error {
	if err := w.Sync.Ledger.DropNote(row.ID); err != nil {
		return err
	}
	return w.due(row)
}

// distrust has the next run take in a note as if it had never seen it.
func (w *repair) distrust(at string) (done, left string, err error) {
	row, known, err := w.Sync.Ledger.NoteAt(at)
	if err != nil || !known {
		return "it was taken in as it stands", "", err
	}
	n, err := w.Sync.Vault.Load(at)
	if isGone(err) {
		return "what was remembered of it is forgotten; it was written anew unless it was deleted", "",
			w.forgetNote(row)
	}
	if err != nil || n.ID != row.ID {
		return "", "another text stands in its place", err
	}
	if done, _, err = w.mend(at); err != nil {
		return "", "", err
	}
	row.Stamp, row.Facts = [4]int64{}, nil
	if err := w.Sync.Ledger.PutNote(row, true); err != nil {
		return cmp.Or(done, "it was taken in as it stands"), "", err
	}
	return cmp.Or(done, "it was taken in as it stands"), "", w.due(row)
}

// inFolder is where something lies in the managed folder, false for what lies
// elsewhere in the vault.
func inFolder(folder, at string) (string, bool) {
	if folder == "." {
		return at, true
	}
	return strings.CutPrefix(at, folder+"/")
}
