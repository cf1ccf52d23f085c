package codexcli

import (
	"cmp"
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/builder"
	"github.com/sessionloom/sessionloom/sources/internal/decode"
)

// segment is a rollout of a thread that is read, up to a place.
type segment struct {
	rollout
	end int64 // ordinal from which on it is dead, -1: none is
}

// readThread reads the rollouts of a thread.
func (r *reading) readThread(ctx context.Context) error {
	live, dead, states, err := r.chain(ctx)
	if err != nil {
		return err
	}
	p, earlier := newParser(r.Item.Session), []*parser(nil)
	la := sources.Layer{Name: layerRollout, Rank: sources.RankLog, AppendOnly: true}
	for i, s := range slices.Concat(dead, live) {
		to := p
		if i < len(dead) {
			to = newParser(r.Item.Session) // all of it was taken back
		}
		to.end = s.end
		err := to.read(ctx, s.path)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.Is(err, errDamaged):
			r.Problem(s.path, err)
			p.b.Session.Damage, la.Provisional = append(p.b.Session.Damage, "an archive is damaged, what stood behind is lost"), true
		case err != nil:
			r.Problem(s.path, err)
			la.Failed = true
		}
		if to != p && !states {
			p.b.AddTakenBack(to.b, to.b.Turns())
		}
		if to != p {
			earlier = append(earlier, to)
			r.count(to)
		}
	}
	if states {
		p.lacking(earlier)
	}
	if b := p.meta.Base; b != nil && (sources.FoldUUID(b.ThreadID) == p.thread || p.meta.ForkedFrom == "") && p.worker == nil {
		p.b.Session.Complete = false
		p.b.Session.Damage = append(p.b.Session.Damage, "a file that the thread goes on from is not there")
	}
	s := p.finish()
	r.count(p)
	r.give(la, p, s, live)
	if p.worker != nil {
		return nil
	}
	return r.readNames(ctx, s.Parent)
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

// count adds up records.
func (r *reading) count(p *parser) {
	r.Out.Records += p.lines.Records
	r.Unknown(p.lines.Unknown)
}

// give adds what the rollouts tell: a layer of the session, or of another one that a
// sub-agent worked for.
func (r *reading) give(la sources.Layer, p *parser, s *sources.Session, live []segment) {
	switch {
	case la.Failed && p.worker == nil:
		r.Add(la)
	case la.Failed: // what is stored stays
	case p.worker != nil:
		r.session(p.worker.root, sources.Layer{Name: layerAgents, Rank: sources.RankSidecar, Provisional: la.Provisional, Session: p.worker.work(p.thread, s)})
	default:
		la.Session, la.Provisional = s, la.Provisional || !p.lines.Begun
		for _, one := range live {
			s.Archived = one.archived // the newest decides
		}
		r.Add(la)
	}
}

// chain orders the rollouts of a thread. In paginated ones the newest is the head, which
// names the one that it goes on from, and what the chain leaves out was taken back. Of older
// ones the longest is the session, and the others are its earlier states.
func (r *reading) chain(ctx context.Context) (live, dead []segment, states bool, err error) {
	all := r.rollouts()
	if len(all) < 2 {
		for _, one := range all {
			live = append(live, segment{one, -1})
		}
		return live, nil, false, nil
	}
	head := all[len(all)-1]
	m := firstOf(ctx, head.path)
	isLost := func(m payload, o rollout) bool { return m.ID == "" && o.own != r.Item.Session } // of a rewind, by its name
	if m.History == "" && m.Base == nil && !isLost(m, head) {
		slices.SortStableFunc(all, func(a, b rollout) int { return cmp.Compare(b.size, a.size) })
		for _, one := range all {
			dead = append(dead, segment{one, -1})
		}
		return dead[:1], dead[1:], true, ctx.Err()
	}
	used := map[string]bool{head.part: true}
	live = []segment{{head, -1}}
	for i := len(all) - 1; ; m = firstOf(ctx, all[i].path) {
		end := int64(-1)
		switch b := m.Base; {
		case b != nil:
			id := sources.FoldUUID(b.ThreadID)
			i, end = slices.IndexFunc(all, func(o rollout) bool { return o.own == id && !used[o.part] }), int64(b.End)
		case isLost(m, all[i]) && i > 0 && !used[all[i-1].part]:
			r.Problem(all[i].path, errors.New("what it goes on from cannot be read, the file before it is taken for that"))
			i--
		default:
			i = -1
		}
		if i < 0 {
			break
		}
		used[all[i].part] = true
		live = append(live, segment{all[i], end})
	}
	slices.Reverse(live)
	for _, one := range all {
		if !used[one.part] {
			dead = append(dead, segment{one, -1})
		}
	}
	return live, dead, false, ctx.Err()
}

// rollouts are those of the item, the oldest first.
func (r *reading) rollouts() (all []rollout) {
	for _, p := range r.Item.Parts {
		one, _, ok := parseName(p.Name)
		if !ok {
			continue
		}
		one.path, one.size = r.Item.File(p), p.Stamp.Size
		if one.packed = strings.HasSuffix(one.path, ".zst"); one.packed {
			one.size *= 8 // about what it unpacks to
		}
		one.archived = strings.Contains(filepath.ToSlash(one.path), "/archived_sessions/")
		all = append(all, one)
	}
	slices.SortFunc(all, rollout.compare)
	return all
}

// firstOf returns what a rollout says of itself, empty where that cannot be read: reading it
// finds out why. It is the first record, which may be damaged.
func firstOf(ctx context.Context, path string) (first payload) {
	if strings.HasSuffix(path, ".json") {
		return first
	}
	f, err := openRollout(path)
	if err != nil {
		return first
	}
	defer f.close()
	var d decode.Decoder
	for range maxPreamble {
		if ctx.Err() != nil || !f.Next() {
			break
		}
		var r record
		line, err := f.Bytes()
		d.ResetTo(line)
		if _, bad := parse(&d, line, &r); err == nil && bad == nil && r.Type == "session_meta" {
			return r.Payload
		}
	}
	return first
}

// maxPreamble is how many records are looked at for what a rollout says of itself.
const maxPreamble = 3
