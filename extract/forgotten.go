package extract

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"path"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/extract/internal/facts"
	"github.com/sessionloom/sessionloom/extract/internal/identity"
	"github.com/sessionloom/sessionloom/extract/internal/index"
	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/extract/internal/observe"
	"github.com/sessionloom/sessionloom/extract/internal/session"
	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/vault"
)

// A session or project that its user had forgotten has a tombstone of its own
// kind in the vault, so that every machine keeps to it: nothing of it is read,
// kept or written any more. What is left in the ledger is a bare card, which says
// where the session worked: by it others of a forgotten project are still known
// to be of that project, whatever was read first.

// Forgotten gives the id of a session or project that is kept out, false for the
// grave of a note that was deleted.
func Forgotten(g ledger.Grave) (id string, ok bool) { return index.ForgottenIn(g) }

// forgetting is what a pass does about that.
type forgetting struct {
	heed     bool                // there are other tombstones than in the last pass
	parting  []ledger.SessionRow // goes once the notes of its forks are written
	canvases []ledger.SessionRow // went: a canvas may show it
}

// dropShown takes away what still shows something forgotten, once it is known
// which notes stand.
func (p *pass) dropShown(ctx context.Context) error {
	if err := p.dropPictures(ctx); err != nil {
		return err
	}
	return p.dropCanvases(ctx)
}

// lookAtGraves sees whether something was forgotten or asked back since the last
// pass, on whatever machine. What was asked back is to be read again, and as nobody
// knows where it lies, everything is: that is told.
func (p *pass) lookAtGraves() (askedBack bool, err error) {
	if p.Vault == nil {
		return false, nil
	}
	now, err := p.Vault.Tombstones()
	if err != nil {
		return false, err // whoever cannot read them must not write: a deleted note would come back
	}
	then, err := p.Ledger.Value(ledger.Graves)
	if err != nil || bytes.Equal(now, then) {
		return false, err
	}
	p.forget.heed = true
	cards, err := p.Ledger.Sessions()
	if err != nil {
		return false, err
	}
	for _, c := range cards {
		if c.Kind != ledger.KindForgotten || index.Forgotten(p.Vault, c) {
			continue
		}
		askedBack = true
		for _, name := range []string{names.SessionID(c.ID), names.ProjectID(c.Project)} {
			err = errors.Join(err, p.Ledger.DropGrave(index.ForgottenID(name)))
		}
		if err = errors.Join(err, p.Ledger.DropSession(c.ID)); err != nil {
			return false, err
		}
	}
	return askedBack, nil
}

// noteGraves remembers the tombstones as this pass leaves them.
func (p *pass) noteGraves() error {
	if p.Vault == nil {
		return nil
	}
	graves, err := p.Vault.Tombstones()
	p.notes.AtEnd(ledger.Graves, graves)
	return err
}

// purge takes out of the ledger, once all is read, what was forgotten, and has
// the notes of it go. The cards are all there are, none where they are as they were.
func (p *pass) purge(cards []ledger.SessionRow) (err error) {
	if p.forget.heed && cards == nil {
		if cards, err = p.Ledger.Sessions(); err != nil {
			return err
		}
	}
	for _, c := range cards {
		if c.Kind == ledger.KindForgotten || !index.Forgotten(p.Vault, c) {
			continue
		}
		forked, err := p.hasForks(c.ID)
		if forked {
			p.forget.parting = append(p.forget.parting, c)
		} else if err == nil {
			err = p.purgeSession(c)
		}
		if err != nil {
			return err
		}
	}
	if !p.forget.heed {
		return nil
	}
	return index.EachNote(p.Ledger, func(r ledger.NoteRow) error {
		if !index.ForgottenNote(p.Vault, r) {
			return p.tellOfGrave(r)
		}
		return p.queue.Mark(ledger.DueNav, r.ID)
	})
}

// tellOfGrave tells of a note that has a tombstone and yet stands: its user put
// it back, or another machine's deletion came without the file's. Nobody knows,
// so it is neither taken away nor brought up to date.
func (p *pass) tellOfGrave(r ledger.NoteRow) error {
	if r.State != ledger.Present || r.Reason == index.DeletedOnce || !p.Vault.Buried(r.ID) {
		return nil
	}
	p.rec.Keep(p.notes.FromRoot(r.Path), index.DeletedOnce)
	return p.Ledger.SetReason(r.ID, index.DeletedOnce)
}

// purgeSession forgets what was read of a session under any of its ids.
func (p *pass) purgeSession(c ledger.SessionRow) error {
	m, err := p.loader.Alone(c.ID)
	if err != nil {
		return err
	}
	p.purged = true
	p.forget.canvases = append(p.forget.canvases, c)
	pr := identity.ProjectFromKey(c.Project)
	err = p.owned.EachPicture(&m.Session, pr, func(at string, _ []byte) error {
		lies, err := p.owned.PictureAt(pr.Key, at)
		if err != nil {
			return err
		}
		there, err := p.Vault.Attached(lies)
		if err == nil && there {
			err = p.owned.PutPicture(at, lies, c.ID)
		}
		return err
	})
	for _, id := range append(slices.Clone(m.Also), c.ID) {
		err = errors.Join(err, p.Ledger.DropLayers(id), p.Ledger.PutAlias(id, id), p.Ledger.DropSession(id), p.dropGraves(id))
	}
	forks, other := p.Ledger.Forks(c.ID)
	err = errors.Join(err, other, p.Ledger.DropThreads(c.ID), p.Ledger.PutSession(c.Bare()), p.queue.Mark(ledger.DueSession, c.ID))
	for _, f := range forks {
		err = errors.Join(err, p.dropInheritedOf(f.ID), p.queue.Mark(ledger.DueSession, f.ID))
	}
	p.loader.Forget(c.ID)
	p.assign.Forget(c.ID)
	return err
}

// dropInheritedOf forgets what a fork has from its parent.
func (p *pass) dropInheritedOf(fork string) error {
	layers, err := p.Ledger.KeptLayers()
	for _, k := range layers {
		if k.Session == fork && err == nil {
			_, err = p.Ledger.Rework(k, func(s *sources.Session) error { session.DropInherited(s); return nil })
		}
	}
	p.loader.Forget(fork)
	return err
}

// dropGraves replaces the names of a session's deleted notes, which tell of what
// was said, by its id alone.
func (p *pass) dropGraves(session string) error {
	graves, err := p.Ledger.Graves()
	for _, g := range graves {
		_, rest, _ := strings.Cut(g.ID, ":")
		if rest == session || strings.HasPrefix(rest, session+":") {
			err = errors.Join(err, p.Ledger.DropGrave(g.ID))
		}
	}
	if index.ForgottenSession(p.Vault, session) {
		err = errors.Join(err, p.Ledger.PutGrave(ledger.Grave{ID: index.ForgottenID(names.SessionID(session))}))
	}
	return err
}

// planForgotten plans that a note of something forgotten goes. One that lies
// where nothing is removed is told of.
func (p *pass) planForgotten(r ledger.NoteRow) (*draft, error) {
	if err := p.Ledger.DropBases(r.ID); err != nil { // what its user took out of it stays with them alone
		return nil, err
	}
	switch r.State {
	case ledger.Planned:
		return nil, p.notes.Drop(r)
	case ledger.Away:
		p.rec.Keep(r.Path, "it is forgotten, but lies outside of the folder: delete it there")
	case ledger.Broken:
		p.rec.Keep(p.notes.FromRoot(r.Path), "it is forgotten, but cannot be taken apart ("+r.Reason+"): delete it yourself")
	}
	if !r.State.Stands() || p.notes.Skips(r.ID) {
		return nil, nil
	}
	f, err := facts.Decode(r.Facts)
	if err != nil {
		return nil, err
	}
	d := &draft{facts: f, shown: f, planned: f, row: r, path: r.Path, remove: true, forgotten: true,
		kind: ledger.DueNav, owner: r.ID, session: r.Session}
	return d, p.Ledger.SetState(r.ID, ledger.Leaving)
}

// removeForgotten sees to a note of something forgotten that a human wrote in:
// it stays, without links to what went, or goes where Obsidian does not show it, if
// that was asked for.
func (p *pass) removeForgotten(ctx context.Context, d *draft, kept vault.Result) (vault.Result, error) {
	if !p.Mode.Edited {
		res, err := p.keepEdited(ctx, d, nil, kept.Reason)
		res.Reason = "it is forgotten, but holds what you wrote (" + kept.Reason + "): delete it, or forget it with --edited"
		return res, err
	}
	at, err := p.Vault.SetAside(ctx, d.facts.ID, d.at())
	if err != nil {
		return kept, err
	}
	kept.Outcome, kept.New = vault.Removed, nil
	kept.Reason = "it is forgotten and held what you wrote: that lies in " + p.notes.FromRoot(at) + " now"
	return kept, nil
}

// dropPictures removes the pictures that only forgotten sessions showed.
func (p *pass) dropPictures(ctx context.Context) error {
	if !p.purged && !p.forget.heed && len(p.removed) == 0 {
		return nil
	}
	uses, err := p.Ledger.OwnedUses()
	if err != nil {
		return err
	}
	gone, err := p.forgottenUsers(uses)
	if err != nil {
		return err
	}
	for _, u := range uses {
		if !gone[u.Session] {
			continue
		}
		shown := slices.ContainsFunc(uses, func(o ledger.OwnedUse) bool { return o.File == u.File && !gone[o.Session] })
		if !shown {
			if shown, err = p.showsAny(strings.TrimPrefix(u.File, names.PictureFileID(""))); err != nil {
				return err
			}
		}
		if err := p.Ledger.DropUse(u); err != nil {
			return err
		}
		if !shown {
			if err := p.dropPicture(ctx, u.File); err != nil {
				return err
			}
		}
	}
	p.Vault.Tidy()
	return p.written.Flush()
}

// forgottenUsers tells which of the sessions that show files are forgotten.
func (p *pass) forgottenUsers(uses []ledger.OwnedUse) (map[string]bool, error) {
	forgotten := map[string]bool{}
	for _, u := range uses {
		if _, seen := forgotten[u.Session]; seen {
			continue
		}
		c, _, err := p.Ledger.Session(u.Session)
		if err != nil {
			return nil, err
		}
		forgotten[u.Session] = c.Kind == ledger.KindForgotten
	}
	return forgotten, nil
}

// dropPicture removes a picture that nothing shows.
func (p *pass) dropPicture(ctx context.Context, id string) error {
	f, known, err := p.Ledger.Owned(id)
	if err != nil || !known {
		return err
	}
	if _, err := p.Vault.Detach(ctx, f.Path, isPicture(id)); err != nil {
		return err
	}
	return p.Ledger.DropOwned(id)
}

// isPicture tells by its content whether a file is the picture we wrote there.
func isPicture(at string) func([]byte) bool {
	return func(content []byte) bool {
		return names.PictureSum(content) == strings.TrimSuffix(path.Base(at), path.Ext(at))
	}
}

// showsAny tells whether any session's note embeds a file of its project.
func (p *pass) showsAny(at string) (bool, error) {
	for _, typ := range []string{names.TypeSession, names.TypePart} {
		rows, err := p.Ledger.NotesOfType(typ)
		if err != nil {
			return false, err
		}
		for _, r := range rows {
			if path.Dir(path.Dir(at)) != path.Dir(path.Dir(cmp.Or(r.Home, r.Path))) {
				continue
			}
			lies, err := p.owned.PictureAt("", at)
			if err != nil {
				return false, err
			}
			if shown, err := observe.Shows(p.Vault, p.Ledger, r.Session, "![["+p.notes.FromRoot(lies)); err != nil || shown {
				return shown, err
			}
		}
	}
	return false, nil
}
