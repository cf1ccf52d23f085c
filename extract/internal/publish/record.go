package publish

import (
	"reflect"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/extract/internal/facts"
	"github.com/sessionloom/sessionloom/extract/internal/index"
	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/vault"
)

// record stores what stands in the vault now. Where that says something else
// than planned, what shows it is due again.
func (p *Publisher) record(d *draft, res vault.Result) error {
	p.recording.Lock()
	defer p.recording.Unlock()
	p.Recorder.Written(d.facts.ID, d.row, res)
	p.paths.wrote = true
	if res.Outcome == vault.Removed {
		p.vacate(res.Path)
		p.Notes.Drop(d.row)
		return nil
	}
	if res.Note.ID != d.facts.ID || res.Note.Broken != "" {
		return nil // changed since it was looked at: the next run does so again
	}
	p.paths.seen[res.Path] = res.Note.Stamp
	reason := res.Reason
	if d.body == nil && d.fate == stays {
		reason = d.row.Reason
	}
	other := res.Path != d.place.path // another file took the place it was planned at
	if res.Outcome == vault.Created {
		// Templates of a user may show other boxes than planned, or none.
		other = other || !slices.Equal(facts.OwnBoxes(d.facts.Type, res.Note.Boxes), d.planned.Boxes)
	} else {
		actual, err := p.Notes.FactsIn(res.Note)
		if err != nil {
			return err
		}
		other = !reflect.DeepEqual(actual, d.planned)
	}
	p.Notes.Ledger.PutBases(d.facts.ID, res.BaseBody, res.BaseNav)
	now := ledger.NoteRow{
		ID: d.facts.ID, Path: res.Path, Stamp: index.StampOf(res.Note.Stamp), Hash: res.Note.Hash,
		Reason: reason, RejectedHash: d.rejectedHash(res), Base: d.nextBase(res),
	}
	if other {
		return p.recordFacts(d, res, now)
	}
	p.Notes.Ledger.RecordWritten(now)
	return nil
}

func (p *Publisher) recordFacts(d *draft, res vault.Result, written ledger.NoteRow) error {
	actual, err := p.Notes.FactsIn(res.Note)
	if err != nil {
		return err
	}
	now := p.Notes.RowOf(actual, res.Note)
	old, known := p.Notes.Ledger.Note(d.facts.ID)
	if actual.Type == names.TypeSession && actual.Unticked() != d.planned.Unticked() {
		// Ticked while it was written: what it counts is to follow.
		p.Notes.Queue.Mark(ledger.DueSession, actual.Session())
	}
	now.Base, now.Reason, now.RejectedHash = written.Base, written.Reason, written.RejectedHash
	now.Session, now.AssignedPath = d.row.Session, old.AssignedPath
	p.Notes.Store(old, known, now, actual)
	return nil
}

// nextBase remembers key by key what we last wrote and the vault took: ours
// where the note shows ours, else what the base was.
func (d *draft) nextBase(res vault.Result) []byte {
	if d.body == nil {
		return d.row.Base
	}
	if res.Outcome == vault.Created {
		return facts.EncodeProperties(d.props)
	}
	before := facts.DecodeProperties(d.row.Base)
	next := make([]vault.Property, 0, len(d.props))
	for _, o := range d.props {
		if v, ok := facts.ValueOf(res.Note.Props, o.Key); ok && reflect.DeepEqual(v, o.Value) || o.Key == "tags" || o.Key == "aliases" {
			next = append(next, o)
		} else if v, ok := facts.ValueOf(before, o.Key); ok {
			next = append(next, vault.Property{Key: o.Key, Value: v})
		}
	}
	return facts.EncodeProperties(next)
}

// rejectedHash is what of a note stays refused: a draft of the navigation alone
// tells nothing of the rest.
func (d *draft) rejectedHash(res vault.Result) string {
	if d.body != nil || d.fate != stays {
		return res.RejectedHash
	}
	words := strings.Fields(d.row.RejectedHash)
	for _, w := range strings.Fields(res.RejectedHash) {
		if !slices.Contains(words, w) {
			words = append(words, w)
		}
	}
	return strings.Join(words, " ")
}
