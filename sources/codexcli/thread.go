package codexcli

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/builder"
)

// readThread reads the rollouts of a thread.
func (r *reading) readThread(ctx context.Context) error {
	live, dead, states := r.chain(ctx)
	p, earlier := newParser(r.Item.Session), []*parser(nil)
	la := sources.Layer{Name: layerRollout, Rank: sources.RankLog, AppendOnly: true, Session: p.b.Session}
	for _, one := range dead { // all of it was taken back
		was := newParser(p.thread)
		r.readRollout(ctx, was, one, &la)
		if earlier = append(earlier, was); !states {
			p.b.AddTakenBack(was.b, was.b.Turns())
		}
	}
	for _, one := range live {
		r.readRollout(ctx, p, one, &la)
		la.Session.Archived = one.archived // the newest decides
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if states {
		p.lacking(earlier)
	}
	for _, one := range append(earlier, p) {
		r.Out.Records += one.lines.Records
		r.Unknown(one.lines.Unknown)
	}
	if b := p.meta.Base; b != nil && (sources.FoldUUID(b.ThreadID) == p.thread || p.meta.ForkedFrom == "") && p.root == "" {
		la.Session.Complete = false
		la.Session.Damage = append(la.Session.Damage, "a file that the thread goes on from is not there")
	}
	s := p.finish()
	if p.root != "" {
		if !la.Failed { // else what is stored stays
			r.Give(p.root, sources.Layer{Name: layerAgents, Rank: sources.RankSidecar, Provisional: la.Provisional, Session: p.workOf(s)})
		}
		return nil
	}
	if la.Provisional = la.Provisional || !p.lines.Begun; la.Failed {
		la.Session = nil
	}
	r.Add(la)
	return r.readNames(ctx, s.Parent)
}

// readRollout has a parser read a rollout. What cannot be read is told, and fails the layer, but for an archive that is damaged.
func (r *reading) readRollout(ctx context.Context, p *parser, one rollout, la *sources.Layer) {
	p.end = one.end
	err := p.read(ctx, one.path)
	switch {
	case err == nil || ctx.Err() != nil:
		return
	case errors.Is(err, errDamaged):
		la.Session.Damage, la.Provisional = append(la.Session.Damage, "an archive is damaged, what stood behind is lost"), true
	default:
		la.Failed = true
	}
	r.Problem(one.path, err)
}

// lacking takes back what earlier states of the thread have alone.
func (p *parser) lacking(states []*parser) {
	known := map[string]bool{}
	for _, one := range append([]*parser{p}, states...) {
		var alone []*builder.Turn
		for _, t := range one.b.Turns() {
			if !known[t.ID] {
				alone = append(alone, t)
			}
			known[t.ID] = true
		}
		if one != p {
			p.b.AddTakenBack(one.b, alone)
		}
	}
}

// chain orders the rollouts of a thread. In paginated ones the newest is the head, which names the one that it goes on from, and
// what the chain leaves out was taken back. Of older ones the longest is the session, and the others are its earlier states.
func (r *reading) chain(ctx context.Context) (live, dead []rollout, states bool) {
	all := r.rollouts()
	if len(all) < 2 {
		return all, nil, false
	}
	at := len(all) - 1
	m := firstOf(ctx, all[at].path)
	isLost := func(m payload, one rollout) bool { return m.ID == "" && one.own != r.Item.Session } // of a rewind, by its name
	if m.History == "" && m.Base == nil && !isLost(m, all[at]) {
		slices.SortStableFunc(all, func(a, b rollout) int { return cmp.Compare(b.size, a.size) })
		return all[:1], all[1:], true
	}
	for end := int64(math.MaxInt64); at >= 0; {
		one := all[at]
		one.end = end
		live, all = append(live, one), slices.Delete(all, at, at+1)
		switch m = firstOf(ctx, one.path); {
		case m.Base != nil:
			id := sources.FoldUUID(m.Base.ThreadID)
			at, end = slices.IndexFunc(all, func(o rollout) bool { return o.own == id }), int64(m.Base.End)
		case isLost(m, one):
			if at, end = at-1, math.MaxInt64; at >= 0 {
				r.Problem(one.path, errors.New("what it goes on from cannot be read, the file before it is taken for that"))
			}
		default:
			at = -1
		}
	}
	slices.Reverse(live)
	return live, all, false
}
