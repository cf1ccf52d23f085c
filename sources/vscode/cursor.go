package vscode

import (
	"encoding/json"
	"path"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/moment"
	"github.com/sessionloom/sessionloom/sources/internal/stamp"
	"github.com/sessionloom/sessionloom/sources/vscode/internal/parts"
)

// cursor is what is kept with a layer. It holds stamps, hashes and numbers, no
// text.
type cursor struct {
	stamp.Mark
	Log     []byte `json:"l,omitempty"` // cursor inside a mutation log
	Carry   []byte `json:"c,omitempty"` // state of the conversion
	Sealed  int    `json:"s,omitempty"` // requests it can be resumed behind
	Rooted  bool   `json:"r,omitempty"` // the folder is but what the edited files have in common
	Whole   bool   `json:"w,omitempty"` // the chat is there from its start and undamaged
	Spoken  bool   `json:"t,omitempty"` // the layer has turns
	Told    bool   `json:"o,omitempty"` // the storage told the place of the session
	Content string `json:"d,omitempty"` // digest of what a shelf holds
}

func decodeCursor(b []byte) cursor {
	var c cursor
	if json.Unmarshal(b, &c) != nil {
		return cursor{}
	}
	return c
}

func (c cursor) encode() []byte {
	b, err := json.Marshal(c)
	if err != nil {
		return nil // strings, bytes and booleans always encode
	}
	return b
}

// finish completes a session that was read: files are told from the folder it
// worked in, which only the whole of it tells, and its time is that of its turns.
func finish(s *sources.Session) {
	folder := folderOf(s.Place)
	for i := range s.Turns {
		for j := range s.Turns[i].Tools {
			parts.Shorten(&s.Turns[i].Tools[j], folder)
		}
	}
	moment.SetUpdated(s)
}

// folderOf is the folder files are told from.
func folderOf(p sources.Place) string {
	if p.Cwd == "" && p.Workspace != "" {
		return path.Dir(p.Workspace) // its folders mostly lie beside it
	}
	return p.Cwd
}
