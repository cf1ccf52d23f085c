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

func (r *reading) readThread(ctx context.Context) error {
	live, dead, states := r.chain()
	p := newParser(r.Item.Session)
	la := sources.Layer{Name: layerRollout, Rank: sources.RankLog, AppendOnly: true, Session: p.b.Session}
	for _, one := range live {
		r.readRollout(ctx, p, one, &la)
		la.Session.Archived = one.archived // the newest decides
	}
	known := map[string]bool{} // turns that an earlier state of the thread shares with it
	for _, t := range p.b.Turns() {
		known[t.ID] = states
	}
	for _, one := range dead { // all that it has alone was taken back
		was, alone := newParser(p.thread), []*builder.Turn(nil)
		r.readRollout(ctx, was, one, &la)
		for _, t := range was.b.Turns() {
			if !known[t.ID] {
				alone = append(alone, t)
			}
			known[t.ID] = states
		}
		p.b.AddTakenBack(was.b, alone)
		r.count(was)
	}
	r.count(p)
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
	r.readNames(ctx, s.Parent)
	return nil
}

func (r *reading) count(p *parser) {
	r.Out.Records += p.lines.Records
	r.Unknown(p.lines.Unknown)
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

// chain orders the rollouts of a thread. In paginated ones the newest is the head, which names the one that it goes on from, and
// what the chain leaves out was taken back. Of older ones the longest is the session, and the others are its earlier states.
func (r *reading) chain() (live, dead []rollout, states bool) {
	all := r.rollouts()
	if len(all) < 2 {
		return all, nil, false
	}
	at := len(all) - 1
	m := firstOf(all[at].path)
	isLost := func(m payload, one rollout) bool { return m.ID == "" && one.own != r.Item.Session } // of a rewind, by its name
	if m.History == "" && m.Base == nil && !isLost(m, all[at]) {
		slices.SortStableFunc(all, func(a, b rollout) int { return cmp.Compare(b.size, a.size) })
		return all[:1], all[1:], true
	}
	for end := int64(math.MaxInt64); at >= 0; {
		one := all[at]
		one.end = end
		live, all = append(live, one), slices.Delete(all, at, at+1)
		switch m = firstOf(one.path); {
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
