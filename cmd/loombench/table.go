package main

import (
	"encoding/json"
	"fmt"
	"io"
	"runtime"
	"strings"
)

// summary is what a run of the benchmark found.
type summary struct {
	OS      string   `json:"os"`
	Cores   int      `json:"cores"`
	Runs    int      `json:"runs"`
	Corpus  string   `json:"corpus"`
	Own     int64    `json:"own_rss"` // bytes; no peak of a child is measured below it
	Results []result `json:"results"`
}

func (s summary) writeJSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(s)
}

// writeTable prints markdown that can stand in docs/performance.md as it is.
func (s summary) writeTable(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, %d cores, %s; median of %d runs, page cache warm; %s. The harness itself took %s.\n\n",
		s.OS, s.Cores, runtime.Version(), s.Runs, s.Corpus, rss(s.Own))
	b.WriteString("| case | floor | measured | to reach | peak RSS | read | notes written | verdict |\n|---|---|---|---|---|---|---|---|\n")
	var remarks []string
	for _, r := range s.Results {
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s | %d | %s |\n",
			r.Case, r.Floor, r.Measured, r.Target, rss(r.RSS), megabytes(r.Read), r.Written, r.verdict())
		for _, text := range r.Remarks {
			remarks = append(remarks, "- "+r.Case+": "+text)
		}
	}
	if len(remarks) > 0 {
		b.WriteString("\n" + strings.Join(remarks, "\n") + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func rss(n int64) string {
	if n == 0 {
		return "unknown"
	}
	return megabytes(n)
}
