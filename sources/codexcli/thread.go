package codexcli

import (
	"cmp"
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/decode"
	"github.com/sessionloom/sessionloom/sources/internal/files"
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
			p.session.Damage, la.Provisional = append(p.session.Damage, "an archive is damaged, what stood behind is lost"), true
		case err != nil:
			r.Problem(s.path, err)
			la.Failed = true
		}
		if to != p && !states {
			p.takeBack(to)
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
		p.whole = false
		p.session.Damage = append(p.session.Damage, "a file that the thread goes on from is not there")
	}
	p.finish()
	r.count(p)
	r.give(la, p, live)
	if p.worker != nil {
		return nil
	}
	return r.readNames(ctx, p.session.Parent)
}

// lacking takes back what earlier states of the thread have alone.
func (p *parser) lacking(states []*parser) {
	known := map[string]bool{}
	for _, one := range append([]*parser{p}, states...) {
		one.flush()
		one.session.Turns = slices.DeleteFunc(one.session.Turns, func(t sources.Turn) bool { return one != p && known[t.ID] })
		for _, t := range one.session.Turns {
			known[t.ID] = true
		}
		if one != p && len(one.session.Turns) > 0 {
			p.takeBack(one)
		}
	}
}

// count adds up records.
func (r *reading) count(p *parser) {
	r.Out.Records += p.records
	r.Unknown(p.unknown)
}

// give adds what the rollouts tell: a layer of the session, or of another one that a
// sub-agent worked for.
func (r *reading) give(la sources.Layer, p *parser, live []segment) {
	switch {
	case la.Failed && p.worker == nil:
		r.Add(la)
	case la.Failed: // what is stored stays
	case p.worker != nil:
		r.session(p.worker.root, sources.Layer{Name: layerAgents, Rank: sources.RankSidecar, Provisional: la.Provisional, Session: p.delegation()})
	default:
		la.Session, la.Provisional = p.session, la.Provisional || !p.begun
		for _, s := range live {
			p.session.Archived = s.archived // the newest tells
		}
		r.Add(la)
	}
}

// read reads one rollout.
func (p *parser) read(ctx context.Context, path string) error {
	if strings.HasSuffix(path, ".json") {
		return p.readDocument(ctx, path)
	}
	f, err := openRollout(path)
	if err != nil {
		return err
	}
	defer f.close()
	return f.failure(p.run(ctx, f.Lines))
}

// readDocument reads a rollout of the CLI in TypeScript: one document, with a session and its
// items.
func (p *parser) readDocument(ctx context.Context, path string) error {
	f, _, err := files.OpenLog(path)
	if err != nil {
		return err
	}
	defer f.Close()
	d := decode.New(f)
	take := func() error {
		p.rec = record{}
		if err := d.Read(&p.rec.Payload); err != nil {
			return err
		}
		p.record("", p.bareType(&p.rec))
		return ctx.Err()
	}
	err = d.Members(func(name string) error {
		switch name {
		case "session":
			return take()
		case "items":
			return d.Elements(take)
		}
		return d.SkipValue()
	})
	if err != nil && ctx.Err() == nil { // it is written anew each time, so it may be torn
		p.bad++
		return nil
	}
	return err
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

// firstOf is what a rollout says of itself, empty where that cannot be read: reading it tells
// why.
func firstOf(ctx context.Context, path string) payload {
	p := newParser("")
	if strings.HasSuffix(path, ".json") {
		return payload{}
	}
	f, err := openRollout(path)
	if err != nil {
		return payload{}
	}
	defer f.close()
	for range maxPreamble {
		if ctx.Err() != nil || !f.Next() {
			break
		}
		line, err := f.Bytes()
		if _, ok := p.parse(line, false); err == nil && ok && p.rec.Type == "session_meta" {
			return p.rec.Payload
		}
	}
	return payload{}
}

// maxPreamble is how many records are looked at for what a rollout says of itself: it is the
// first one, which may be damaged.
const maxPreamble = 3
