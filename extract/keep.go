package extract

import (
	"slices"

	"github.com/sessionloom/sessionloom/extract/internal/session"
	"github.com/sessionloom/sessionloom/sources"
)

// store puts a reading into the ledger and makes due the sessions it changed.
func (p *pass) store(out readOutcome) error {
	it := out.item
	r := p.rootReport(it.Source, it.Root)
	r.Read++
	r.BytesRead += out.reading.BytesRead
	for k, n := range out.reading.Unknown {
		r.Unknown[k] += n
	}
	for k, n := range out.counts {
		p.report.Redactions[k] += n
	}
	for _, q := range out.reading.Problems {
		p.problem(problemOf(q))
	}
	changed := false
	for _, ps := range out.sessions {
		some, err := p.storeSession(ps, it)
		if err != nil {
			return err
		}
		changed = changed || some
	}
	if it.Kind == sources.KindShelf {
		if err := p.Ledger.SetRowsOnly(it.Source, it.Key, out.reading.RowsOnly); err != nil {
			return err
		}
	}
	p.countRead(it, changed)
	return nil
}

func (p *pass) countRead(it dueItem, changed bool) {
	if it.Kind != sources.KindSession {
		return
	}
	p.report.Sessions.Listed += boolCount(it.Scaffold && changed)
	switch {
	case !changed:
	case it.known:
		p.report.Sessions.Changed++
	default:
		p.report.Sessions.New++
	}
}

// storeSession stores what an item says of one session and works out its card.
func (p *pass) storeSession(ps packedSession, it dueItem) (bool, error) {
	if forgottenSession(p.Vault, ps.ID) || p.forgottenUnder(ps) {
		return false, keepBareCard(p.Ledger, ps.ID)
	}
	changed, err := p.rename(ps, it)
	if err != nil {
		return false, err
	}
	size := 0
	whole := true
	for i, la := range ps.Layers {
		if stays, err := p.storedStays(ps.ID, it.Item, la); err != nil || stays {
			if err != nil {
				return false, err
			}
			whole = false
			continue
		}
		kept, err := p.keepBeginning(ps.ID, it.Item, la)
		if err != nil {
			return false, err
		}
		some, err := p.Ledger.PutLayer(ps.ID, it.Item, la, ps.packed[i])
		if err != nil {
			return false, err
		}
		changed = changed || some || kept
		size += ps.packed[i].Size
	}
	if !changed {
		return false, nil
	}
	p.reread = true
	id, err := p.Ledger.Home(ps.ID)
	if err != nil {
		return false, err
	}
	n, err := p.Ledger.LayerCount(id)
	if err != nil {
		return false, err
	}
	p.cache.forget(id)
	var m session.Merged
	if whole && n == len(ps.Layers) {
		if m, err = p.identified(id, session.Merge(ps.Layers)); err == nil {
			p.cache.put(id, m, size)
		}
	} else {
		m, err = p.mergedAlone(id)
	}
	if err != nil {
		return false, err
	}
	return true, p.putCard(id, m)
}

// rename has an item whose session is told only inside go by the id it tells now:
// one it told before was of the same session.
func (p *pass) rename(ps packedSession, it dueItem) (changed bool, err error) {
	if it.Kind != sources.KindSession || it.Session != "" {
		return false, nil
	}
	for _, was := range akaOf(ps.Layers) {
		moved, err := p.Ledger.MoveLayers(it.Item, was, ps.ID)
		if err == nil && moved {
			changed, p.reread = true, true
			err = p.recard(was)
		}
		if err != nil {
			return false, err
		}
	}
	return changed, nil
}

// akaOf are the other ids that the layers of a session claim.
func akaOf(layers []sources.Layer) (ids []string) {
	for _, la := range layers {
		if la.Session != nil {
			ids = append(ids, la.Session.Aka...)
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// forgottenUnder tells that a session whose id is no UUID was forgotten under
// another id of it.
func (p *pass) forgottenUnder(ps packedSession) bool {
	return !sources.IsUUID(ps.ID) && slices.ContainsFunc(akaOf(ps.Layers), func(id string) bool { return !sources.IsUUID(id) && forgottenSession(p.Vault, id) })
}
