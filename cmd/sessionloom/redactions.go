package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/sessionloom/sessionloom/extract"
)

// redactions is what `sync --redactions --json` prints (schema 1).
type redactions struct {
	Schema     int                 `json:"schema"`
	Redactions []extract.Redaction `json:"redactions"`
	Problems   []extract.Problem   `json:"problems"`
}

// listRedactions shows where secrets are masked and what stands around them.
// Nothing is written.
func (a *app) listRedactions(cmd *cobra.Command, asJSON bool) (err error) {
	l, err := a.loom(cmd, extract.Mode{DryRun: true})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, l.close()) }()
	all := redactions{Schema: 1, Redactions: []extract.Redaction{}, Problems: []extract.Problem{}}
	report, err := l.Redactions(cmd.Context(), func(r extract.Redaction) error {
		all.Redactions = append(all.Redactions, r)
		return nil
	})
	if err != nil {
		return explain(err)
	}
	all.Problems = append(all.Problems, report.Problems...)
	if asJSON {
		err = a.print.object(&all)
	} else {
		a.print.say(all.words()...)
	}
	a.print.troubles(report.Problems, a.home)
	if err == nil && report.Part() {
		return silent(exitPartial)
	}
	return err
}

// words lists the places below the session they are in.
func (all *redactions) words() []string {
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
		count(len(secrets), "secret"), count(len(all.Redactions), "place"), count(sessions, "session")))
}
