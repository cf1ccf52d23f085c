package copilotcli

import (
	"encoding/json"

	"github.com/sessionloom/sessionloom/sources/internal/stamp"
)

// cursor is what is kept with a layer to tell the next time whether it must be
// read again. It holds stamps, hashes and numbers, no text.
type cursor struct {
	stamp.Mark
	Rows    string `json:"d,omitempty"`     // digest of the rows of a shared store
	Log     []byte `json:"l,omitempty"`     // cursor inside an event log
	Facts   *facts `json:"f,omitempty"`     // what the other layers need to know of the log
	Numbers []int  `json:"n,omitempty"`     // checkpoints of the sidecars
	Began   string `json:"began,omitempty"` // digest of how a session began whose name is no UUID
}

// facts are what the log says that decides how the derived layers are read.
type facts struct {
	First   []string `json:"first,omitempty"`   // hashes of the first prompt and its cuts
	Turn    string   `json:"turn,omitempty"`    // digest of the id of its turn
	Numbers []int    `json:"numbers,omitempty"` // checkpoints the log knows
	Whole   bool     `json:"whole,omitempty"`
	Damaged bool     `json:"damaged,omitempty"`
	Rewound bool     `json:"rewound,omitempty"`
	Fork    bool     `json:"fork,omitempty"`
}

// complete says that nothing needs to be filled in from derived layers.
func (f facts) complete() bool { return f.Whole && !f.Damaged }

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
		return nil // strings, numbers and booleans always encode
	}
	return b
}
