package chatlog

import (
	"strings"
)

// answer are the texts of the first request's answer.
func answer(f File) string {
	var all []string
	for _, p := range f.State.Requests[0].Response.Parts {
		all = append(all, p.Kind)
		if p.Value != nil {
			all[len(all)-1] += p.Value.Value
		}
	}
	return strings.Join(all, "|")
}
