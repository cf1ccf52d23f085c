package facts

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/sessionloom/sessionloom/extract/redact"
	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/templates/escape"
	"github.com/sessionloom/sessionloom/vault"
	"github.com/sessionloom/sessionloom/vault/note"
)

// Links are complete wikilinks for properties: only the caller knows where notes are. An empty one is left
// out.
type Links struct{ Project, Session string }

// property is a property of a note, or the rows of one key in its comment: a field, or a computed value.
type property struct {
	key    string
	field  func(*Facts) any       // pointer to the field; nil: not read back
	made   func(Facts, Links) any // computed value: a string, a list of strings or a number
	always bool                   // written even if empty
	masked bool                   // its texts may hold masks
	row    bool                   // in the comment, a list in order
}

// propertyTable has all properties, in the order of a note.
var propertyTable = [...]property{
	{key: "id", made: func(f Facts, _ Links) any { return f.ID }, always: true},
	{key: "type", field: func(f *Facts) any { return &f.Type }, always: true},
	{key: "title", field: func(f *Facts) any { return &f.Title }, always: true, masked: true},
	{key: "aliases", made: func(f Facts, _ Links) any { return aliasesOf(f) }},
	{key: "tags", made: func(f Facts, _ Links) any { return []string{"agents/" + f.Type} }},
	{key: "created", field: func(f *Facts) any { return &f.Created }},
	{key: "updated", field: func(f *Facts) any { return &f.Updated }},
	{key: "summary", field: func(f *Facts) any { return &f.Summary }, masked: true},
	{key: "agent", field: func(f *Facts) any { return &f.Agent }},
	{key: "kind", field: func(f *Facts) any { return &f.Kind }},
	{key: "session", made: func(_ Facts, l Links) any { return l.Session }},
	{key: "project", made: func(_ Facts, l Links) any { return l.Project }},
	{key: "branch", field: func(f *Facts) any { return &f.Branch }, masked: true},
	{key: "turn_count", field: func(f *Facts) any { return &f.Turns }},
	{key: "models", made: func(f Facts, _ Links) any { return f.Models }},
	{key: "tokens", made: func(f Facts, _ Links) any { return Tokens(f.Of(RowTokens)) }},
	{key: "session_count", field: func(f *Facts) any { return &f.Sessions }},
	{key: "open_count", field: func(f *Facts) any { return &f.Open }},
	{key: "refs", field: func(f *Facts) any { return &f.Refs }, masked: true},

	{key: "own", field: func(f *Facts) any { return &f.Own }, row: true},
	{key: "untitled", field: func(f *Facts) any { return &f.Untitled }, row: true},
	{key: "project", field: func(f *Facts) any { return &f.Project }, row: true},
	{key: "repository", field: func(f *Facts) any { return &f.Repository }, masked: true, row: true},
	{key: "parent", field: func(f *Facts) any { return &f.Parent }, row: true},
	{key: "alias", field: func(f *Facts) any { return &f.Aliases }, row: true},
	{key: "folder", field: func(f *Facts) any { return &f.Folders }, row: true},
	{key: "joined", field: func(f *Facts) any { return &f.Joined }, row: true},
	{key: "archived", field: func(f *Facts) any { return &f.Archived }, row: true},
	{key: "pinned", field: func(f *Facts) any { return &f.Pinned }, row: true},
	{key: "model", field: func(f *Facts) any { return &f.Models }, masked: true, row: true},
	{key: "checkpoints", field: func(f *Facts) any { return &f.Checkpoints }, row: true},
	{key: "files_more", field: func(f *Facts) any { return &f.MoreFiles }, row: true},
	{key: note.KeyLayer, field: func(f *Facts) any { return &f.Sources }, row: true},
}

// Properties writes facts as frontmatter, with times in zone.
func (f Facts) Properties(links Links, zone *time.Location) []vault.Property {
	var out []vault.Property
	for _, p := range propertyTable {
		if p.row {
			continue
		}
		if value, some := p.value(&f, links, zone); some || p.always {
			out = append(out, vault.Property{Key: p.key, Value: value})
		}
	}
	return out
}

// Comment writes facts as rows of the note's comment, with times in zone.
func (f Facts) Comment(zone *time.Location) []note.Fact {
	var out []note.Fact
	for _, p := range propertyTable {
		value, some := p.value(&f, Links{}, zone)
		if !p.row || !some {
			continue
		}
		switch v := value.(type) {
		case []string:
			for _, s := range v {
				out = append(out, note.Fact{Key: p.key, Value: s})
			}
		case bool:
			out = append(out, note.Fact{Key: p.key, Value: "yes"})
		default:
			out = append(out, note.Fact{Key: p.key, Value: fmt.Sprint(v)})
		}
	}
	for _, r := range f.Rows {
		out = append(out, r.fact(zone))
	}
	return out
}

// value returns the value of a property in a note, and whether it has one.
func (p property) value(f *Facts, links Links, zone *time.Location) (value any, some bool) {
	if p.made != nil {
		switch v := p.made(*f, links).(type) {
		case string:
			return v, v != ""
		case []string:
			return v, len(v) > 0
		case int:
			return v, v > 0
		}
		return nil, false
	}
	switch v := p.field(f).(type) {
	case *string:
		return *v, *v != ""
	case *[]string:
		return *v, len(*v) > 0
	case *int:
		return *v, *v > 0
	case *bool:
		return *v, *v
	case *time.Time:
		return onWall(*v, zone), !v.IsZero()
	}
	return nil, false
}

// onWall returns what the clocks of a zone show at a time, to the second, as a UTC time: a note names no
// zone.
func onWall(at time.Time, zone *time.Location) time.Time {
	if at.IsZero() {
		return at
	}
	at = at.In(zone)
	return time.Date(at.Year(), at.Month(), at.Day(), at.Hour(), at.Minute(), at.Second(), 0, time.UTC)
}

// offWall is the inverse of [onWall]. Of two such times, when clocks are put back, it always returns the same
// one.
func offWall(wall time.Time, zone *time.Location) time.Time {
	if wall.IsZero() {
		return wall
	}
	return time.Date(wall.Year(), wall.Month(), wall.Day(), wall.Hour(), wall.Minute(), wall.Second(), 0, zone).UTC()
}

// From reads facts back from a note of a vault with a zone.
func From(n vault.Note, zone *time.Location) Facts {
	f := Facts{ID: n.ID}
	for _, p := range n.Props {
		f.take(p, zone)
	}
	for _, row := range n.Facts {
		if r, ok := rowOf(row, zone); ok {
			f.Rows = append(f.Rows, r)
		} else {
			f.takeRow(row)
		}
	}
	f.arrange()
	f.Boxes = OwnBoxes(f.Type, n.Boxes)
	return f
}

// take reads one property; a value of another type counts as absent.
func (f *Facts) take(from vault.Property, zone *time.Location) {
	switch to := f.named(from.Key, false).(type) {
	case *string:
		*to = asText(from.Value)
	case *[]string:
		*to = asList(from.Value)
	case *int:
		*to, _ = from.Value.(int)
	case *bool:
		*to, _ = from.Value.(bool)
	case *time.Time:
		at, _ := from.Value.(time.Time) // zero for anything else that a person typed
		*to = sources.OnCalendar(offWall(at, zone))
	}
}

// named returns the field of a property, or of the rows of a key; nil: not read back.
func (f *Facts) named(key string, row bool) any {
	i := slices.IndexFunc(propertyTable[:], func(p property) bool { return p.key == key && p.row == row && p.field != nil })
	if i < 0 {
		return nil
	}
	return propertyTable[i].field(f)
}

func (f *Facts) takeRow(from note.Fact) {
	switch to := f.named(from.Key, true).(type) {
	case *string:
		*to = from.Value
	case *[]string:
		*to = append(*to, from.Value)
	case *int:
		*to, _ = strconv.Atoi(from.Value)
	case *bool:
		*to = true
	}
}

// asText returns a text that a person may have typed without quotes, so that it reads as a number or date.
func asText(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case int:
		return strconv.Itoa(v)
	case time.Time:
		return v.Format(time.DateOnly)
	}
	return ""
}

func asList(v any) []string {
	switch v := v.(type) {
	case []string:
		return v
	case string:
		return []string{v}
	}
	return nil
}

// texts returns the texts of facts that may hold masks, in the order of a note, those of boxes last. It first
// copies the lists among them.
func (f *Facts) texts() []*string {
	var out []*string
	for _, p := range propertyTable {
		if !p.masked {
			continue
		}
		switch v := p.field(f).(type) {
		case *string:
			out = append(out, v)
		case *[]string:
			*v = slices.Clone(*v)
			for i := range *v {
				out = append(out, &(*v)[i])
			}
		}
	}
	f.Rows = slices.Clone(f.Rows)
	for i := range f.Rows {
		out = append(out, &f.Rows[i].What, &f.Rows[i].Text)
	}
	f.Boxes = clip(slices.Clone(f.Boxes))
	for i := range f.Boxes {
		out = append(out, &f.Boxes[i].Text)
	}
	return out
}

// MaskedTexts returns the texts of facts that may hold masks.
func (f Facts) MaskedTexts() []string {
	var out []string
	for _, t := range f.texts() {
		out = append(out, *t)
	}
	return out
}

// Mask masks these texts: what was made of a text of a session may show more than that, as it is in one line.
func (f *Facts) Mask(mask func(string) (string, error)) (err error) {
	for _, t := range f.texts() {
		if *t, err = mask(*t); err != nil {
			return err
		}
	}
	return nil
}

// Normalized returns facts as a note with times in zone holds them: masks numbered, times to the second, no
// empty list.
func (f Facts) Normalized(zone *time.Location) Facts {
	texts, numbers := f.texts(), redact.NumbersAfter("")
	for i, t := range texts {
		*t = numbers.Text(*t)
		if i < len(texts)-len(f.Boxes) {
			*t = escape.Property(*t)
		}
	}
	for _, p := range propertyTable {
		if p.field == nil {
			continue
		}
		switch v := p.field(&f).(type) {
		case *[]string:
			if p.row {
				*v = slices.DeleteFunc(slices.Compact(slices.Sorted(slices.Values(*v))), func(s string) bool { return s == "" })
			}
			*v = clip(*v)
		case *time.Time:
			*v = offWall(onWall(*v, zone), zone)
		}
	}
	for i := range f.Rows {
		f.Rows[i].At = offWall(onWall(f.Rows[i].At, zone), zone)
	}
	f.arrange()
	return f
}

// clip turns an empty list into nil, so that equal facts compare equal.
func clip[T any](list []T) []T {
	if len(list) == 0 {
		return nil
	}
	return list
}
