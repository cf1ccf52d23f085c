package copilotcli

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"time"

	"github.com/sessionloom/sessionloom/sources"
)

// grain is the coarsest step in which a file system may count modification
// times (FAT counts two seconds). A file that was modified within one step of
// our reading it may change again without moving its stamp.
const grain = 2 * time.Second

// cursor is what is kept with a layer to tell the next time whether it must be
// read again. It holds stamps, hashes and numbers, no text.
type cursor struct {
	Parts   string `json:"p"`           // digest of the parts' names and stamps
	Basis   string `json:"b,omitempty"` // digest of what else the layer was made from
	Rows    string `json:"d,omitempty"` // digest of the rows of a shared store
	Young   bool   `json:"y,omitempty"` // a stamp was too young to be believed
	Log     []byte `json:"l,omitempty"` // cursor inside an event log
	Facts   *facts `json:"f,omitempty"` // what the other layers need to know of the log
	Numbers []int  `json:"n,omitempty"` // checkpoints of the sidecars
}

// facts are what the log says that decides how the derived layers are read.
type facts struct {
	First   []string `json:"first,omitempty"`   // hashes of the first prompt and its cuts
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

// stands says that a layer made from these parts and this basis need not be
// made again.
func (c cursor) stands(parts, basis string) bool {
	return c.Parts != "" && c.Parts == parts && c.Basis == basis && !c.Young
}

// partsDigest hashes names and stamps of parts.
func partsDigest(parts []sources.Part) string {
	h := sha256.New()
	for _, p := range parts {
		h.Write([]byte(p.Name))
		var b [33]byte // begins with a NUL, which no name holds
		binary.LittleEndian.PutUint64(b[1:], uint64(p.Stamp.Size))
		binary.LittleEndian.PutUint64(b[9:], uint64(p.Stamp.MTime))
		binary.LittleEndian.PutUint64(b[17:], p.Stamp.Inode)
		binary.LittleEndian.PutUint64(b[25:], uint64(p.Stamp.CTime))
		h.Write(b[:])
	}
	return hex.EncodeToString(h.Sum(nil)[:12])
}

// digestOf hashes strings, told apart from each other.
func digestOf(parts ...string) string {
	h := sha256.New()
	var n [8]byte
	for _, p := range parts {
		binary.LittleEndian.PutUint64(n[:], uint64(len(p)))
		h.Write(n[:])
		h.Write([]byte(p))
	}
	return hex.EncodeToString(h.Sum(nil)[:12])
}

// young says that a part was modified so shortly before now that another change
// could hide behind the same stamp.
func young(parts []sources.Part, now time.Time) bool {
	for _, p := range parts {
		if age := now.UnixNano() - p.Stamp.MTime; age >= 0 && age < int64(grain) {
			return true
		}
	}
	return false
}
