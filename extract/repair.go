package extract

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/extract/internal/owned"
	"github.com/sessionloom/sessionloom/extract/internal/session"
	"github.com/sessionloom/sessionloom/extract/internal/verify"
	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/vault"
	"github.com/sessionloom/sessionloom/vault/inspect"
)

// Repair repairs the findings of a check that are about generated data: it restores what is known, has a run
// render the rest again, and checks once more. It never changes a person's text, and leaves a person's
// decisions to the person.
type Repair struct {
	Check  *Check
	Engine *Engine // engine on the same vault and ledger
}

// RepairReport is the result of a repair (schema 1).
type RepairReport struct {
	Schema   int      `json:"schema"`
	DryRun   bool     `json:"dry_run"`
	Notes    int      `json:"notes"` // number of generated notes
	Repaired []Action `json:"repaired"`
	Left     []Action `json:"left"`
	Pass     Report   `json:"-"` // the run that rendered again
}

// Action is what was done about a finding.
type Action struct {
	Finding
	What string `json:"what"` // the repair, or why there was none
}

type repair struct {
	*Repair
	ctx  context.Context
	came map[finding]result // results of findings
	// later are files to set aside once the state has recorded it, by paths relative to the managed folder.
	later []string
}

// finding identifies a finding: one kind in one note.
type finding struct{ kind, note string }

func key(f Finding) finding { return finding{f.Kind, f.Note} }

// result says what was done about a finding, or why nothing was.
type result struct{ done, left string }

// Run repairs. Unrepaired findings are not errors. A dry run writes nothing, and its report says what would
// be done.
func (r *Repair) Run(ctx context.Context) (RepairReport, error) {
	out := RepairReport{Schema: 1, DryRun: r.Engine.Mode.DryRun, Repaired: []Action{}, Left: []Action{}}
	if err := r.Engine.beginWriting(); err != nil {
		return out, err
	}
	r.Check.Full = true
	before, err := r.Check.Run(ctx)
	if err != nil {
		return out, err
	}
	out.Notes = before.Notes
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
	if out.Pass, err = r.Engine.Run(ctx); err != nil {
		return out, err
	}
	return out, w.tell(&out, append(before.Findings, stale...))
}

// renderAll renders all notes again and reports those that would differ. A dry run has them among its
// findings.
func (w *repair) renderAll() ([]Finding, error) {
	if w.Engine.Mode.DryRun {
		return nil, nil
	}
	w.Engine.Ledger.SetValue(ledger.Rendering, []byte("repaired"))
	again := *w.Engine
	again.Sources = nil
	r, err := again.Run(w.ctx)
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

func (w *repair) dealt(note string) bool {
	for f, came := range w.came {
		if f.note == note && came != (result{}) {
			return true
		}
	}
	return false
}

func (w *repair) keep() error {
	l := w.Engine.Ledger
	if err := w.Engine.Vault.Flush(); err != nil {
		return err
	}
	l.SetValue(ledger.VaultPrint, nil)
	if err := l.Commit(); err != nil || len(w.later) == 0 {
		return err
	}
	if err := l.Last(); err != nil { // a lost file must be known as set aside
		return err
	}
	for _, at := range w.later {
		w.quarantine(at)
	}
	return w.Engine.Vault.Flush()
}

func (w *repair) tell(out *RepairReport, before []Finding) error {
	w.Check.Anew = nil // everything was rendered
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
		dry := out.DryRun && came.done != "" && came.left == "" && slices.Contains(onlySeen, f.Kind)
		if stays[key(f)] && !dry {
			out.Left = append(out.Left, Action{f, cmp.Or(came.left, f.Hint)})
		} else {
			out.Repaired = append(out.Repaired, Action{f, cmp.Or(came.done, "repaired by the run that followed")})
		}
	}
	for _, f := range after.Findings {
		if !known[key(f)] {
			out.Left = append(out.Left, Action{f, f.Hint})
		}
	}
	return nil
}

// onlySeen are kinds of damage that a check sees only on disk, so that the check after a dry run still finds
// them.
var onlySeen = []string{
	inspect.FindingLeftover, inspect.FindingFile, verify.FindingLedger,
	inspect.FindingMarkers, inspect.FindingNoID, inspect.FindingDamaged, inspect.FindingFront,
}

// prepare does for a finding what the run cannot do, and queues the rest.
func (w *repair) prepare(f Finding) (result, error) {
	at, inside := inFolder(w.Engine.Folder, f.Note)
	switch f.Kind {
	case inspect.FindingLeftover:
		return result{done: "cleared away, or put aside where it held a text of yours"}, nil
	case inspect.FindingFile:
		return w.renewFile(at), nil
	case inspect.FindingMarkers, inspect.FindingNoID, inspect.FindingDamaged, inspect.FindingFront:
		return w.renewNote(at)
	case inspect.FindingLive, inspect.FindingSecret, inspect.FindingLink, inspect.FindingBack:
		row, known := w.Engine.Ledger.NoteAt(at)
		if !known {
			return result{left: "the state does not know this note"}, nil
		}
		w.Engine.due(row.ID)
		return result{done: renderedAnew}, nil
	case verify.FindingLedger:
		if f.Note != "" && inside {
			return w.distrust(at), nil
		}
	}
	return result{}, nil
}

const renderedAnew = "what is ours in it was rendered anew"

// renewNote sets a damaged note aside, whole, if it can be rendered as completely as before.
func (w *repair) renewNote(at string) (result, error) {
	row, known := w.Engine.Ledger.NoteAt(at)
	if !known {
		return result{left: "the state does not know this note: bring it back from version control"}, nil
	}
	switch n, err := w.Engine.Vault.Load(at); {
	case err != nil:
		return result{left: err.Error()}, nil // only this one fails
	case n.ID != "" && n.ID != row.ID && !w.isDamagedID(n.ID):
		return result{left: fmt.Sprintf("it bears another id than %q: repair it by hand, or move it elsewhere", row.ID)}, nil
	}
	st, err := w.Engine.stages(w.Engine.recorder())
	if err != nil {
		return result{}, err
	}
	if can, err := st.publish.Renders(row); err != nil || !can {
		return result{left: "what it was made from is not here: bring it back from version control or repair it by hand"}, err
	}
	if w.Engine.Mode.DryRun {
		return result{done: "what stands there is put aside, and it is written anew"}, nil
	}
	w.later = append(w.later, at)
	w.Engine.Ledger.SetState(row.ID, ledger.Removing) // until it is set aside: after an interruption the next run finds it again
	w.Engine.due(row.ID)
	return result{}, nil
}

func (w *repair) isDamagedID(id string) bool {
	_, known := w.Engine.Ledger.Note(id)
	return !known && names.IsRareID(id)
}

func (w *repair) quarantine(at string) {
	rescued, err := w.Engine.Vault.Quarantine(w.ctx, "", at)
	if row, known := w.Engine.Ledger.NoteAt(at); known && err == nil {
		w.Engine.Ledger.DropNote(row.ID)
	}
	for f := range w.came {
		if f.note == path.Join(w.Engine.Folder, at) {
			w.came[f] = w.renewed(rescued, err)
		}
	}
}

// renewed returns the result for a file that is rewritten after its content was set aside. A failure stops
// only this file.
func (w *repair) renewed(rescued string, err error) result {
	if err != nil {
		return result{left: err.Error()}
	}
	return result{done: "written anew; what stood there lies in " + path.Join(w.Engine.Folder, rescued)}
}

// distrust makes the next run treat a note as never seen.
func (w *repair) distrust(at string) result {
	row, known := w.Engine.Ledger.NoteAt(at)
	if !known {
		return result{done: "it was taken in as it stands"}
	}
	w.Engine.Ledger.DropNote(row.ID)
	w.Engine.due(row.ID)
	return result{done: "what was remembered of it is forgotten: it was taken in as it stands"}
}

// inFolder returns a path relative to the managed folder; ok is false outside it.
func inFolder(folder, at string) (string, bool) {
	if folder == "." {
		return at, true
	}
	return strings.CutPrefix(at, folder+"/")
}

// renewFile makes the run rewrite a damaged view, canvas or picture, after setting it aside.
func (w *repair) renewFile(at string) result {
	file, known := w.Engine.Ledger.OwnedAt(at)
	if !known || names.IsPictureFile(file.ID) {
		return w.renewPicture(at)
	}
	file.Reason = owned.Removing
	w.later = append(w.later, at)
	w.Engine.Ledger.PutOwned(file)
	return result{}
}

// renewPicture rewrites a picture from the stored sessions that show it.
func (w *repair) renewPicture(at string) result {
	content := w.pictureOf(at)
	if content == nil {
		return result{left: "nobody knows what it showed: take it from a backup, or delete it"}
	}
	return w.renewed(w.Engine.Vault.RenewFile(w.ctx, at, content))
}

// pictureOf returns the content of a picture from the stored sessions that show it, or nil.
func (w *repair) pictureOf(at string) []byte {
	for _, u := range w.Engine.Ledger.OwnedUses() {
		if path.Base(u.File) != path.Base(at) { // its folder may have been renamed
			continue
		}
		for _, t := range session.Merge(w.Engine.Ledger.Layers(u.Session)).Session.Turns {
			for _, a := range t.Attachments {
				if strings.HasPrefix(path.Base(at), names.PictureSum(a.Content)+".") {
					return a.Content
				}
			}
		}
	}
	return nil
}
