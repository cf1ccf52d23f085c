package extract

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/extract/redact"
	"github.com/sessionloom/sessionloom/templates"
	"github.com/sessionloom/sessionloom/vault"
)

// plan works out what a draft's note will say, given what the user made of it,
// and stores that as the note's facts, so that links and pages rendered before
// it is written agree with it. It tells whether the draft is to be written.
func (p *pass) plan(d *draft, m *openSession) (bool, error) {
	row, known, err := p.Ledger.Note(d.facts.ID)
	if err != nil {
		return false, err
	}
	stands := known && p.writable(row)
	if p.absent[d.facts.ID] || known && !stands && row.State != ledger.Planned {
		return false, nil
	}
	if buried, err := p.buried(d, stands); err != nil || buried {
		return false, err
	}
	d.row = row
	p.layOut(d)
	if d.facts.Type == names.TypeSession {
		d.shown.Open = d.shown.unticked()
	}
	d.row.Session = d.session
	if !known || row.State == ledger.Planned {
		home := p.freeName(d)
		d.planned, d.path, d.long = d.shown, p.inProject(d.facts.Project, home), p.inProject(d.facts.Project, d.long)
		next, err := plannedRow(d.planned, d.path)
		if err != nil {
			return false, err
		}
		next.Session, next.Home = d.session, home
		return true, p.storeFacts(row, known, next, d.planned)
	}
	if d.planned, err = p.foresee(d, m); err != nil {
		p.fail(d, err)
		return false, nil
	}
	path, home := p.newName(d)
	if d.moveTo != "" && p.masking.misnamed[row.ID] {
		if err := p.noteRenamed(row.Path, path); err != nil {
			return false, err
		}
	}
	next, err := plannedRow(d.planned, path)
	if err != nil {
		return false, err
	}
	next.Session, next.Home = d.session, home
	next.Stamp, next.Hash, next.State, next.Reason, next.Base = row.Stamp, row.Hash, ledger.Present, row.Reason, row.Base
	next.Refused = row.Refused
	return true, p.storeFacts(row, true, next, d.planned)
}

// newName is where a note is to lie that lies somewhere already, and where we put
// it: elsewhere its user did. It keeps its place, but where the facts its name is
// made of changed after all (the first prompt was rewound, the project became known
// late) and its user did not move it. Until it is moved we put it where it is: a
// run that ends before must not take the old name for its user's choice.
func (p *pass) newName(d *draft) (path, home string) {
	row := d.row
	if row.Path == d.path || row.Path == d.long {
		return row.Path, row.Path
	}
	if row.Path != row.Home && !names.IsPlacedByUs(row.Path, d.plain[0], d.plain[1]) && !p.renames(row) && (row.Home != "" || !p.masking.misnamed[row.ID]) {
		return row.Path, row.Home
	}
	to := p.inProject(d.facts.Project, p.freeName(d))
	if _, taken := p.files[to]; taken {
		return row.Path, row.Home
	}
	d.moveTo = to
	return to, row.Home
}

// freeName is where a new note will lie: at its short name, or at its long one
// where another note has the short name. It is settled before anything is
// rendered, for links are rendered with it.
func (p *pass) freeName(d *draft) string {
	_, taken := p.files[p.inProject(d.facts.Project, d.path)]
	if owner := p.names[strings.ToLower(d.path)]; owner != "" && owner != d.facts.ID {
		taken = true
	}
	if taken && d.long != "" {
		return d.long
	}
	p.names[strings.ToLower(d.path)] = d.facts.ID
	return d.path
}

// foresee tells which facts a note will show once ours are merged with the
// user's. Only a session's body holds facts, its boxes.
func (p *pass) foresee(d *draft, m *openSession) (facts, error) {
	f, err := p.preview(d, m)
	if open := f.unticked(); err == nil && d.facts.Type == names.TypeSession && open != d.shown.Open {
		d.shown.Open = open // the user ticked some: the frontmatter counts what the note shows
		f, err = p.preview(d, m)
	}
	return f, err
}

func (p *pass) preview(d *draft, m *openSession) (facts, error) {
	v, err := p.foreseen(d, m)
	if err != nil {
		return facts{}, err
	}
	res, err := p.Vault.Preview(v)
	if err != nil {
		return facts{}, fmt.Errorf("look at note %q: %w", d.row.Path, err)
	}
	return p.factsIn(res.Note)
}

// unticked counts the boxes of a session note that are open.
func (f facts) unticked() (n int) {
	for _, b := range f.Boxes {
		n += boolCount(b.Section == sectionOpen && !b.Ticked)
	}
	return n
}

// foreseen is as much of a draft as its facts depend on.
func (p *pass) foreseen(d *draft, m *openSession) (vault.Draft, error) {
	if d.facts.Type == names.TypeSession {
		return p.fill(d, m)
	}
	base, err := decodeProps(d.row.Base)
	v := vault.Draft{ID: d.facts.ID, At: d.at(), Path: d.path, Base: base, Props: p.properties(d.shown), AtHand: atHand(nil)}
	if m != nil {
		v.AtHand = atHand(m.AtHand)
	}
	return v, err
}

// tidied is facts as a note's frontmatter holds them: masks numbered, times to
// the second, no empty list.
func (f facts) tidied() facts {
	texts := redact.Number(maskedTexts(f)...)
	for i := range texts[:len(texts)-len(f.Boxes)] {
		texts[i] = templates.Scalar(texts[i])
	}
	f.Title, f.Summary, f.Branch, f.Repository = texts[0], texts[1], texts[2], texts[3]
	rest := texts[4:]
	for _, list := range []*[]string{&f.Models, &f.Files, &f.Refs} {
		n := len(*list)
		*list = clip(rest[:n])
		rest = rest[n:]
	}
	boxes := make([]vault.Box, len(f.Boxes))
	for i, b := range f.Boxes {
		b.Text = rest[i]
		boxes[i] = b
	}
	f.Boxes = clip(boxes)
	f.Days, f.Sources, f.Also, f.Folders = clip(f.Days), clip(f.Sources), clip(f.Also), clip(f.Folders)
	f.Created = f.Created.UTC().Truncate(time.Second)
	f.Updated = f.Updated.UTC().Truncate(time.Second)
	return f
}

// maskedTexts are the texts of facts that may hold masks, in the order in which
// a note shows them.
func maskedTexts(f facts) []string {
	out := make([]string, 0, 4+len(f.Models)+len(f.Files)+len(f.Refs)+len(f.Boxes))
	out = append(out, f.Title, f.Summary, f.Branch, f.Repository)
	out = append(out, f.Models...)
	out = append(out, f.Files...)
	out = append(out, f.Refs...)
	for _, b := range f.Boxes {
		out = append(out, b.Text)
	}
	return out
}

// clip turns an empty list into nil, so that equal facts compare equal.
func clip[T any](list []T) []T {
	if len(list) == 0 {
		return nil
	}
	return list
}

// storedProperty is a property in the ledger; times are told from texts.
type storedProperty struct {
	Key  string
	Text *string    `json:",omitempty"`
	Int  *int       `json:",omitempty"`
	Time *time.Time `json:",omitempty"`
	List []string   `json:",omitempty"`
	Flag *bool      `json:",omitempty"`
}

func encodeProps(props []vault.Property) ([]byte, error) {
	out := make([]storedProperty, len(props))
	for i, p := range props {
		s := storedProperty{Key: p.Key}
		switch v := p.Value.(type) {
		case string:
			s.Text = &v
		case int:
			s.Int = &v
		case time.Time:
			s.Time = &v
		case []string:
			s.List = v
		case bool:
			s.Flag = &v
		}
		out[i] = s
	}
	b, err := json.Marshal(out)
	if err != nil {
		return nil, fmt.Errorf("encode properties: %w", err)
	}
	return b, nil
}

func decodeProps(b []byte) ([]vault.Property, error) {
	if len(b) == 0 {
		return nil, nil
	}
	var in []storedProperty
	if err := json.Unmarshal(b, &in); err != nil {
		return nil, fmt.Errorf("decode properties: %w", err)
	}
	out := make([]vault.Property, len(in))
	for i, s := range in {
		out[i] = vault.Property{Key: s.Key}
		switch {
		case s.Text != nil:
			out[i].Value = *s.Text
		case s.Int != nil:
			out[i].Value = *s.Int
		case s.Time != nil:
			out[i].Value = *s.Time
		case s.List != nil:
			out[i].Value = s.List
		case s.Flag != nil:
			out[i].Value = *s.Flag
		default:
			out[i].Value = []string{}
		}
	}
	return out, nil
}
