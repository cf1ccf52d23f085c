package extract

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/extract/internal/contain"
	"github.com/sessionloom/sessionloom/extract/internal/facts"
	"github.com/sessionloom/sessionloom/extract/internal/index"
	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/extract/internal/owned"
	"github.com/sessionloom/sessionloom/extract/internal/session"
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
	came map[finding]result // of what was found
	// afterwards is done once the ledger knows of it.
	afterwards []func()
}

// finding tells findings apart: one kind of one note.
type finding struct{ kind, note string }

func key(f Finding) finding { return finding{f.Kind, f.Note} }

// result is what came of a finding: what is done about it, or why nothing is.
type result struct{ done, left string }

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
	w := repair{Repair: r, ctx: ctx, came: map[finding]result{}}
	for _, f := range before.Findings {
		if _, again := w.came[key(f)]; again {
			continue
		}
		if w.came[key(f)], err = w.prepare(f); err != nil {
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
			w.came[key(f)] = result{done: renderedAnew}
			found = append(found, f)
		}
	}
	return found, err
}

// dealt tells whether something was done about a note.
func (w *repair) dealt(note string) bool {
	for f, came := range w.came {
		if f.note == note && came != (result{}) {
			return true
		}
	}
	return false
}

// keep makes what was prepared last, then does what rests on it. The run that
// follows is to look at every note.
func (w *repair) keep() error {
	l := w.Sync.Ledger
	err := contain.InTurn(w.Sync.Vault.Flush, func() error { return l.SetValue(ledger.VaultPrint, nil) }, l.Commit)
	if err != nil || len(w.afterwards) == 0 {
		return err
	}
	if err := l.Last(); err != nil { // that we put a file aside must be known wherever it is gone
		return err
	}
	for _, do := range w.afterwards {
		do()
	}
	return w.Sync.Vault.Flush()
}

// tell compares what was found with what is found now.
func (w *repair) tell(out *RepairReport, before []Finding) error {
	w.Check.Anew = nil // all was rendered
	after, err := w.Check.Run(w.ctx)
	if err != nil {
		return err
	}
	stays, known := map[finding]bool{}, map[finding]bool{}
	for _, f := range after.Findings {
		stays[key(f)] = true
	}
	out.Notes = after.Notes
	for _, f := range before {
		known[key(f)] = true
		came := w.came[key(f)]
		dry := out.DryRun && came.done != "" && came.left == "" && onlySeen(f.Kind)
		if stays[key(f)] && !dry {
			out.Left = append(out.Left, Action{f, cmp.Or(came.left, f.Hint)})
		} else {
			out.Repaired = append(out.Repaired, Action{f, cmp.Or(came.done, "mended by the pass that followed")})
		}
	}
	for _, f := range after.Findings {
		if !known[key(f)] {
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
func (w *repair) prepare(f Finding) (result, error) {
	at, inside := inFolder(w.Sync.Folder, f.Note)
	switch f.Kind {
	case inspect.FindingLeftover:
		return result{done: "cleared away, or put aside where it held a text of yours"}, nil
	case inspect.FindingFile:
		return w.renewFile(at)
	case inspect.FindingMarkers, inspect.FindingNoID, inspect.FindingDamaged, inspect.FindingFront:
		return w.mend(at)
	case inspect.FindingLive, inspect.FindingSecret, inspect.FindingLink, inspect.FindingBack:
		row, known, err := w.Sync.Ledger.NoteAt(at)
		if err != nil || !known {
			return result{left: "the ledger does not know this note"}, err
		}
		return result{done: renderedAnew}, w.Sync.due(row.ID)
	case verify.FindingLedger:
		if f.Note != "" && inside {
			return w.distrust(at)
		}
	}
	return result{}, nil
}

const renderedAnew = "what is ours in it was rendered anew"

// mend puts back in a note what is known to have stood there.
func (w *repair) mend(at string) (result, error) {
	row, known, err := w.Sync.Ledger.NoteAt(at)
	if err != nil || !known {
		return result{left: "the ledger does not know this note: bring it back from version control"}, err
	}
	k := vault.Known{ID: row.ID, Hash: row.Hash, Stamp: index.VaultStamp(row.Stamp), Props: facts.DecodeProperties(row.Base)}
	if k.Body, k.Nav, err = index.BasesOf(w.Sync.Ledger, row.ID)(); err != nil {
		return result{}, err
	}
	m, err := w.Sync.Vault.Mend(w.ctx, at, k)
	switch {
	case err != nil:
		return result{left: err.Error()}, nil // this one alone; the others are gone on with
	case m.Lacks:
		return w.renewNote(row)
	case m.Done == "":
		return result{left: m.Left}, nil
	case m.Rescued != "":
		m.Done += "; " + w.rescuedWords(m.Rescued)
	}
	return result{done: m.Done}, w.Sync.due(row.ID)
}

// rescuedWords tell where lies what was put aside.
func (w *repair) rescuedWords(at string) string {
	return "what stood there lies in " + path.Join(w.Sync.Folder, at)
}

// renewNote puts a note aside of which nobody knows what it was made from, where it can be
// rendered as completely as it says.
func (w *repair) renewNote(row ledger.NoteRow) (result, error) {
	st, err := w.Sync.stages(w.Sync.recorder())
	if err != nil {
		return result{}, err
	}
	if can, err := st.publish.Renders(row); err != nil || !can {
		return result{left: "what it was made from is not here: bring it back from version control or mend it by hand"}, err
	}
	w.replaceLater(row.Path, func() (string, error) { return w.Sync.Vault.Quarantine(w.ctx, "", row.Path) })
	return result{}, w.forgetNote(row)
}

// replaceLater puts a file aside once the ledger knows that we do.
func (w *repair) replaceLater(at string, quarantine func() (rescued string, err error)) {
	w.afterwards = append(w.afterwards, func() {
		rescued, err := quarantine()
		r := result{done: "written anew; " + w.rescuedWords(rescued)}
		if err != nil {
			r = result{left: err.Error()} // this one alone; the others are gone on with
		}
		for f := range w.came {
			if f.note == path.Join(w.Sync.Folder, at) {
				w.came[f] = r
			}
		}
	})
}

// forgetNote has a note be rendered as if it had never been.
func (w *repair) forgetNote(row ledger.NoteRow) error {
	if err := w.Sync.Ledger.DropNote(row.ID); err != nil {
		return err
	}
	return w.Sync.due(row.ID)
}

// distrust has the next run take in a note as if it had never seen it.
func (w *repair) distrust(at string) (result, error) {
	row, known, err := w.Sync.Ledger.NoteAt(at)
	if err != nil || !known {
		return result{done: "it was taken in as it stands"}, err
	}
	return result{done: "what was remembered of it is forgotten: it was taken in as it stands"}, w.forgetNote(row)
}

// inFolder is where something lies in the managed folder, false for what lies
// elsewhere in the vault.
func inFolder(folder, at string) (string, bool) {
	if folder == "." {
		return at, true
	}
	return strings.CutPrefix(at, folder+"/")
}

// renewFile has a damaged view, canvas or picture be written anew. What stands
// there is put aside.
func (w *repair) renewFile(at string) (result, error) {
	file, known, err := w.Sync.Ledger.OwnedAt(at)
	if err != nil {
		return result{}, err
	}
	if !known || names.IsPictureFile(file.ID) {
		return w.renewPicture(at)
	}
	file.Reason = owned.Renewed
	w.replaceLater(at, func() (string, error) { return w.Sync.Vault.Quarantine(w.ctx, "", at) })
	return result{}, w.Sync.Ledger.PutOwned(file)
}

// renewPicture writes a picture anew from what is kept of the sessions that show
// it.
func (w *repair) renewPicture(at string) (result, error) {
	content, err := w.pictureOf(at)
	if err != nil || content == nil {
		return result{left: "nobody knows what it showed: take it from a backup, or delete it"}, err
	}
	rescued, err := w.Sync.Vault.RenewFile(w.ctx, at, content)
	if err != nil {
		return result{left: err.Error()}, nil
	}
	return result{done: "written anew; " + w.rescuedWords(rescued)}, nil
}

// pictureOf finds what a picture showed in what is kept of the sessions that show
// it, nil where none has it.
func (w *repair) pictureOf(at string) ([]byte, error) {
	uses, err := w.Sync.Ledger.OwnedUses()
	if err != nil {
		return nil, err
	}
	for _, u := range uses {
		if path.Base(u.File) != path.Base(at) { // its folder may have been renamed
			continue
		}
		layers, err := w.Sync.Ledger.Layers(u.Session)
		if err != nil {
			return nil, err
		}
		for _, t := range session.Merge(layers).Session.Turns {
			for _, a := range t.Attachments {
				if strings.HasPrefix(path.Base(at), names.PictureSum(a.Content)+".") {
					return a.Content, nil
				}
			}
		}
	}
	return nil, nil
}
