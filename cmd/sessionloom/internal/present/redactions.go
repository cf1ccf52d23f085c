package present

import (
	"fmt"

	"github.com/sessionloom/sessionloom/extract"
)

// Redactions is what `sync --redactions --json` prints (schema 1).
type Redactions struct {
	Schema     int                 `json:"schema"`
	Redactions []extract.Redaction `json:"redactions"`
	Problems   []extract.Problem   `json:"problems"`
}

// Lines lists the places below the session they are in.
func (all *Redactions) Lines() []string {
	var out []string
	secrets, sessions, last := map[string]bool{}, 0, ""
	for _, r := range all.Redactions {
		if r.Session != last {
			last = r.Session
			sessions++
			out = append(out, fmt.Sprintf("%s  %s", r.Session, r.Project))
		}
		secrets[r.Secret] = true
		out = append(out, fmt.Sprintf("  %s: %s «%s» %s", r.Field, r.Before, r.Secret, r.After))
	}
	if len(out) == 0 {
		return []string{"nothing is masked"}
	}
	return append(out, fmt.Sprintf("%s masked in %s, in %s",
		Count(len(secrets), "secret"), Count(len(all.Redactions), "place"), Count(sessions, "session")))
}
