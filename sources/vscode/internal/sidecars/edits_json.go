package sidecars

import (
	"github.com/go-json-experiment/json/jsontext"

	"github.com/sessionloom/sessionloom/sources/vscode/internal/tree"
)

// value reads the next value and gives it away, unless it is null.
func (e *editing) value(keep *tree.Keep, give func(*tree.Node)) error {
	n, err := tree.Read(e.d, keep)
	if err == nil && n.Has() {
		give(n)
	}
	return err
}

// snapshotKeep keeps of a snapshot which files it lists and their states.
func snapshotKeep() *tree.Keep {
	entry := fields("resource", "state", "isDeleted")
	entry.Fields["telemetryInfo"] = fields("requestId")
	return &tree.Keep{Rest: tree.Dropped, Fields: map[string]*tree.Keep{"requestId": nil, "entries": {Each: entry}}}
}

// fields keeps the named members of an object.
func fields(names ...string) *tree.Keep {
	k := &tree.Keep{Rest: tree.Dropped, Fields: map[string]*tree.Keep{}}
	for _, name := range names {
		k.Fields[name] = nil
	}
	return k
}

// members walks over an object, member by member; each must read or skip the
// value. Anything else is passed over.
func members(d *jsontext.Decoder, member func(name string) error) error {
	if d.PeekKind() != jsontext.KindBeginObject {
		return d.SkipValue()
	}
	_, err := d.ReadToken()
	for err == nil && d.PeekKind() != jsontext.KindEndObject {
		var name jsontext.Token
		if name, err = d.ReadToken(); err == nil {
			err = member(name.String())
		}
	}
	if err == nil {
		_, err = d.ReadToken()
	}
	return err
}

// elements walks over an array; element must read or skip one value.
func elements(d *jsontext.Decoder, element func() error) error {
	if d.PeekKind() != jsontext.KindBeginArray {
		return d.SkipValue()
	}
	_, err := d.ReadToken()
	for err == nil && d.PeekKind() != jsontext.KindEndArray {
		err = element()
	}
	if err == nil {
		_, err = d.ReadToken()
	}
	return err
}
