package opencode

import (
	"maps"
	"slices"
	"strings"
)

// event is a record of the log of changes.
type event struct {
	MessageID string  `json:"messageID"`
	Info      message `json:"info"`
	Part      part    `json:"part"`
}

// removed is a message that was taken back, with its parts.
type removed struct {
	message message
	parts   []part
}

// add takes in a part, which may have been told before.
func (r *removed) add(p part) {
	if i := slices.IndexFunc(r.parts, func(was part) bool { return was.ID == p.ID }); i >= 0 {
		r.parts[i] = p
		return
	}
	r.parts = append(r.parts, p)
}

// inOrder are the messages that are known, by their ids, which are in order of time.
func inOrder(gone map[string]*removed) (all []removed) {
	for _, id := range slices.Sorted(maps.Keys(gone)) {
		if r := gone[id]; r.message.ID != "" {
			slices.SortFunc(r.parts, func(a, b part) int { return strings.Compare(a.ID, b.ID) })
			all = append(all, *r)
		}
	}
	return all
}
