package extract

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/extract/redact"
	"github.com/sessionloom/sessionloom/vault"
)

// draft is a note that is due: what it will say, and how to say it.
type draft struct {
	facts   facts                         // with masks
	shown   facts                         // as our frontmatter shows them
	planned facts                         // as the note will show them, with what the user changed
	props   []vault.Property              // of shown, once rendered
	row     ledger.NoteRow                // what the ledger knew of the note when it was planned
	session string                        // id of the session it belongs to, empty for a page
	path    string                        // where to create it
	long    string                        // where to create it when path is taken
	body    func(*Merged) (string, error) // nil: only the navigation is due
	remove  bool                          // the note is no longer wanted
	kind    string                        // what is done when the note is written: owner in this list of the ledger
	owner   string
}

// maxRounds bounds how often pages are rendered again because writing showed
// other facts than planned; two are usual, where the user changed a title.
const maxRounds = 8

// writeNotes renders and writes what is due until nothing is.
func (p *pass) writeNotes(ctx context.Context) error {
	for range maxRounds {
		drafts, err := p.planAll()
		if err != nil {
			return err
		}
		if len(drafts) == 0 {
			break
		}
		if err := p.Ledger.Commit(); err != nil {
			return err
		}
		if err := p.writeAll(ctx, drafts); err != nil {
			return err
		}
	}
	return p.Vault.Flush()
}

// planAll plans until planning makes nothing new due.
func (p *pass) planAll() ([]*draft, error) {
	if p.due.empty() {
		return nil, nil
	}
	p.step("planning notes", len(p.due.list(ledger.DueSession)))
	if err := p.Ledger.Begin(); err != nil {
		return nil, err
	}
	var all []*draft
	planned := map[string]bool{}
	for {
		var now []*draft
		families, err := p.planSessions(planned)
		if err != nil {
			return nil, err
		}
		now = append(now, families...)
		if err := errors.Join(p.settleChain(), p.settleFiles()); err != nil {
			return nil, err
		}
		pages, err := p.planPages(planned)
		if err != nil {
			return nil, err
		}
		now = append(now, pages...)
		if len(now) == 0 {
			break
		}
		all = append(all, now...)
	}
	navs, err := p.planNavs(planned)
	return append(all, navs...), err
}

// writersPerJob is how many writers wait for the disk together: the vault syncs
// what they have ready in one go.
const writersPerJob = 16

// writeAll writes drafts with many writers, those of sessions before the pages
// that show their facts. The drafts of one session are written by one writer,
// which holds that session meanwhile.
func (p *pass) writeAll(ctx context.Context, drafts []*draft) error {
	p.step("writing notes", len(drafts))
	if err := p.Ledger.Begin(); err != nil {
		return err
	}
	var sessions, pages [][]*draft
	for _, d := range drafts {
		if d.kind != ledger.DueSession {
			pages = append(pages, []*draft{d})
		} else if n := len(sessions); n > 0 && sessions[n-1][0].owner == d.owner {
			sessions[n-1] = append(sessions[n-1], d)
		} else {
			sessions = append(sessions, []*draft{d})
		}
	}
	for _, batches := range [][][]*draft{sessions, pages} {
		// Neighbours in the vault one after the other keep few folders open.
		slices.SortStableFunc(batches, func(a, b []*draft) int { return strings.Compare(a[0].path, b[0].path) })
		g, ctx := errgroup.WithContext(ctx)
		g.SetLimit(p.jobs() * writersPerJob)
		for _, b := range batches {
			g.Go(func() error { return p.writeBatch(ctx, b) })
		}
		if err := g.Wait(); err != nil {
			return errors.Join(err, p.Vault.Flush())
		}
	}
	if err := p.Vault.Flush(); err != nil {
		return err
	}
	return p.Ledger.Commit()
}

// writeBatch writes the notes of one owner, which is due again when that fails.
// It ceases to be due before it is written, for what is written meanwhile may
// make it due once more.
func (p *pass) writeBatch(ctx context.Context, batch []*draft) error {
	kind, owner := batch[0].kind, batch[0].owner
	if err := p.settleDue(p.due.done, kind, owner); err != nil {
		return err
	}
	err := p.writeNotesOf(ctx, batch)
	if err != nil || p.hasFailed(kind, owner) {
		err = errors.Join(err, p.settleDue(p.due.mark, kind, owner))
	}
	return err
}

func (p *pass) settleDue(do func(kind, id string) error, kind, owner string) error {
	p.settling.Lock()
	defer p.settling.Unlock()
	return do(kind, owner)
}

func (p *pass) hasFailed(kind, owner string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.failed[kind+owner]
}

func (p *pass) writeNotesOf(ctx context.Context, batch []*draft) error {
	var m Merged
	if batch[0].kind == ledger.DueSession {
		var err error
		if m, err = p.merged(batch[0].owner); err != nil {
			return err
		}
		p.cache.forget(batch[0].owner)
	}
	for _, d := range batch {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := p.write(ctx, d, &m); err != nil {
			return err
		}
		p.advanceOne()
	}
	return nil
}

func (p *pass) jobs() int {
	if p.Mode.Jobs > 0 {
		return p.Mode.Jobs
	}
	return 2
}

func (p *pass) advanceOne() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.advance(1)
}

// write brings one draft into the vault and the outcome into ledger and report.
func (p *pass) write(ctx context.Context, d *draft, m *Merged) error {
	res, err := p.put(ctx, d, m)
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	if err != nil {
		p.fail(d, err)
		return nil
	}
	return p.settle(d, res)
}

func (p *pass) fail(d *draft, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.failed[d.kind+d.owner] = true
	p.report.Notes.Failed++
	p.report.Problems = append(p.report.Problems, Problem{
		Item: d.facts.ID, Path: p.fromRoot(d.path), Error: err.Error(), Hint: "it is tried again next time", Fatal: true})
}

// put renders a draft and hands it to the vault.
func (p *pass) put(ctx context.Context, d *draft, m *Merged) (vault.Result, error) {
	if d.remove {
		return p.Vault.Remove(ctx, d.facts.ID, d.at())
	}
	v, err := p.render(d, m)
	if err != nil {
		return vault.Result{}, err
	}
	res, err := p.Vault.Put(ctx, v)
	if errors.Is(err, vault.ErrTaken) && d.long != "" && v.At == "" {
		v.Path = d.long
		p.setPlace(d.facts.ID, place{path: trimMD(p.fromRoot(d.long)), title: d.planned.Title, project: d.planned.Project})
		res, err = p.Vault.Put(ctx, v)
	}
	return res, err
}

// at is where the note lies now, empty where it is to be created.
func (d *draft) at() string {
	if d.row.State == ledger.Present {
		return d.row.Path
	}
	return ""
}

// render makes a draft ready for the vault.
func (p *pass) render(d *draft, m *Merged) (vault.Draft, error) {
	v := vault.Draft{ID: d.facts.ID, At: d.at(), Path: d.path}
	if d.body != nil {
		var err error
		if v, err = p.fill(d, m); err != nil {
			return v, err
		}
	}
	nav, err := p.nav(d.planned)
	v.Nav = &nav
	return v, err
}

// fill renders frontmatter and body, with the masks of both numbered together.
func (p *pass) fill(d *draft, m *Merged) (vault.Draft, error) {
	d.props = d.shown.properties(p.propertyLinks(d.shown))
	v := vault.Draft{ID: d.facts.ID, At: d.at(), Path: d.path, Props: d.props}
	body, err := d.body(m)
	if err != nil {
		return v, err
	}
	numbered := redact.Number(append(maskedTexts(d.facts), body)...)
	v.Body = &numbered[len(numbered)-1]
	v.Base, err = decodeProps(d.row.Base)
	return v, err
}

// settle stores what stands in the vault now. Where that says something else
// than planned, what shows it is due again.
func (p *pass) settle(d *draft, res vault.Result) error {
	p.settling.Lock()
	defer p.settling.Unlock()
	p.count(d, res)
	if res.Outcome == vault.Removed {
		delete(p.files, res.Path)
		return p.dropNote(d.row)
	}
	p.files[res.Path] = res.Note.Stamp
	base, err := d.nextBase(res)
	if err != nil {
		return err
	}
	if d.body != nil && res.Outcome != vault.Created {
		if actual := factsOf(res.Note); !reflect.DeepEqual(actual, d.planned) {
			return p.settleFacts(d, res, actual, base)
		}
	}
	reason := res.Reason
	if d.body == nil {
		reason = d.row.Reason
	}
	return p.Ledger.Settle(d.facts.ID, res.Path, stampOf(res.Note.Stamp), res.Note.Hash, reason, base)
}

// settleFacts stores facts other than planned.
func (p *pass) settleFacts(d *draft, res vault.Result, actual facts, base []byte) error {
	now, err := rowOf(actual, res.Note)
	if err != nil {
		return err
	}
	now.Base, now.Reason, now.Session = base, res.Reason, d.row.Session
	old, known, err := p.Ledger.Note(d.facts.ID)
	if err != nil {
		return err
	}
	return p.storeFacts(old, known, now, actual)
}

// nextBase remembers key by key what we last wrote and the vault took: ours
// where the note shows ours, else what the base was.
func (d *draft) nextBase(res vault.Result) ([]byte, error) {
	if d.body == nil {
		return d.row.Base, nil
	}
	if res.Outcome == vault.Created {
		return encodeProps(d.props)
	}
	before, err := decodeProps(d.row.Base)
	if err != nil {
		return nil, err
	}
	next := make([]vault.Property, 0, len(d.props))
	for _, o := range d.props {
		if v, ok := valueOf(res.Note.Props, o.Key); ok && reflect.DeepEqual(v, o.Value) || o.Key == "tags" || o.Key == "aliases" {
			next = append(next, o)
		} else if v, ok := valueOf(before, o.Key); ok {
			next = append(next, vault.Property{Key: o.Key, Value: v})
		}
	}
	return encodeProps(next)
}

func valueOf(props []vault.Property, key string) (any, bool) {
	for _, p := range props {
		if p.Key == key {
			return p.Value, true
		}
	}
	return nil, false
}

// count enters an outcome into the report.
func (p *pass) count(d *draft, res vault.Result) {
	p.mu.Lock()
	defer p.mu.Unlock()
	n := &p.report.Notes
	counters := map[vault.Outcome]*int{
		vault.Created: &n.Created, vault.Updated: &n.Updated, vault.Merged: &n.Merged, vault.Kept: &n.Kept,
		vault.Unchanged: &n.Unchanged, vault.Moved: &n.Moved, vault.Removed: &n.Removed, vault.Failed: &n.Failed,
	}
	if c := counters[res.Outcome]; c != nil {
		*c++
	}
	if res.Reason != "" {
		p.report.Kept = append(p.report.Kept, KeptNote{Note: p.fromRoot(res.Path), Reason: res.Reason})
	}
	if res.Outcome == vault.Unchanged || res.Outcome == vault.Kept && len(res.New) == 0 {
		return
	}
	p.report.Changed = append(p.report.Changed, Change{
		Note: p.fromRoot(res.Path), Outcome: string(res.Outcome), Old: res.Old, New: res.New})
}
