package present

import (
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/runlog"
	"github.com/sessionloom/sessionloom/extract"
	"github.com/sessionloom/sessionloom/extract/ledger"
)

// StatusReport is what `status --json` prints (schema 1).
type StatusReport struct {
	Schema int    `json:"schema"`
	Vault  string `json:"vault"` // the managed folder
	State  string `json:"state"`

	Last *runlog.Last     `json:"last"` // null: none yet
	Held string           `json:"held,omitempty"`
	Due  []extract.Change `json:"due"` // what a sync would do now

	Kept       []extract.KeptNote       `json:"kept"`      // edited by the user, so that they stay
	Broken     []extract.KeptNote       `json:"broken"`    // cannot be written
	MovedOut   []string                 `json:"away"`      // moved out of the managed folder
	Deleted    []ledger.Tombstone       `json:"deleted"`   // notes that will not come back; `restore` takes their ids
	Forgotten  []string                 `json:"forgotten"` // sessions and projects that are kept out, by id; `restore` takes these too
	Tombstones int                      `json:"tombstones"`
	Rescued    []string                 `json:"rescued"` // texts to be looked at
	Saved      int64                    `json:"rescued_bytes"`
	Partial    []extract.PartialSession `json:"partial"`

	Ignored   []extract.IgnoredFolder `json:"ignored"`    // folders whose sessions are left out
	Vanished  int                     `json:"vanished"`   // sessions no longer on this machine
	StoreOnly int                     `json:"store_only"` // sessions of which only rows are left
	LeftTo    []extract.LeftTo        `json:"left_to"`    // copies that say nothing of their own

	Expiring []Expiring `json:"expiring"` // what agents are going to delete themselves
	Schedule *Scheduled `json:"schedule"` // null: there is no timer

	Problems []extract.Problem `json:"problems"`

	Hint string `json:"-"` // to Held
}

// Expiring is something that an agent is going to delete by itself.
type Expiring struct {
	extract.Expiring
	DaysLeft *int `json:"days_left,omitempty"` // whole days from now on; below 0: it may be gone any moment
}
