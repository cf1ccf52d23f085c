package main

import (
	"fmt"
	"strings"
	"time"
)

// result is one row of the table.
type result struct {
	Case     string    `json:"case"`
	Floor    string    `json:"floor"`    // what the machine needs without us, same run
	Measured string    `json:"measured"` // median of the runs
	Target   string    `json:"target"`
	RunsMS   []float64 `json:"runs_ms"`       // every run, in order
	RSS      int64     `json:"peak_rss"`      // bytes, the highest of the runs; 0 unknown
	Read     int64     `json:"bytes_read"`    // as reported, the most of the runs
	Written  int       `json:"notes_written"` // likewise
	Missed   []string  `json:"missed"`        // what did not reach the target; empty: reached
	Remarks  []string  `json:"remarks"`       // what a reader of the row has to know
	NoTarget bool      `json:"no_target"`
}

// take adds the outcome of a run.
func (r *result) take(o outcome) {
	r.RunsMS = append(r.RunsMS, float64(o.elapsed.Microseconds())/1000)
	r.RSS = max(r.RSS, o.rss)
	r.Read, r.Written = max(r.Read, o.report.bytesRead()), max(r.Written, o.report.written())
	if n := o.report.Sessions.Failed + o.report.Notes.Failed; n > 0 {
		r.miss("%d sessions or notes failed", n)
	}
	for i, p := range o.report.Problems {
		if i == 3 {
			r.remark("%d further problems", len(o.report.Problems)-i)
			break
		}
		r.remark("problem: %s: %s", p.Item, p.Error)
	}
}

// sawAll misses where the run did not find every session of its corpus: what
// looks at nothing is fast.
func (r *result) sawAll(s *stage, o outcome) {
	if want := s.corpus.Params.Sessions; o.report.Sessions.Listed < want {
		r.miss("%d of %d sessions listed", o.report.Sessions.Listed, want)
	}
}

func (r *result) median() time.Duration {
	all := make([]time.Duration, len(r.RunsMS))
	for i, ms := range r.RunsMS {
		all[i] = time.Duration(ms * float64(time.Millisecond))
	}
	return median(all)
}

// miss notes that a target was not reached; a reason is noted once.
func (r *result) miss(format string, args ...any) { r.Missed = once(r.Missed, format, args...) }

func (r *result) remark(format string, args ...any) { r.Remarks = once(r.Remarks, format, args...) }

func once(all []string, format string, args ...any) []string {
	s := fmt.Sprintf(format, args...)
	for _, known := range all {
		if known == s {
			return all
		}
	}
	return append(all, s)
}

// under misses unless the median is at most limit.
func (r *result) under(limit time.Duration) {
	if m := r.median(); m > limit {
		r.miss("%s over %s", millis(m), millis(limit))
	}
}

// within misses where the peak memory is known and above limit, in units of 10^6.
func (r *result) within(limitMB int64) {
	if r.RSS > limitMB*1e6 {
		r.miss("RSS %s over %d MB", megabytes(r.RSS), limitMB)
	}
}

// faster misses unless bytes per second, in units of 10^6, reach the rate.
func (r *result) faster(bytes, rateMB int64) {
	rate := float64(bytes) / 1e6 / r.median().Seconds()
	r.Measured = fmt.Sprintf("%s, %.0f MB/s", millis(r.median()), rate)
	if rate < float64(rateMB) {
		r.miss("%.0f MB/s under %d", rate, rateMB)
	}
}

func (r *result) verdict() string {
	switch {
	case len(r.Missed) > 0:
		return "missed: " + strings.Join(r.Missed, "; ")
	case r.NoTarget:
		return "–"
	default:
		return "reached"
	}
}

func millis(d time.Duration) string {
	if d >= 10*time.Second {
		return fmt.Sprintf("%.1f s", d.Seconds())
	}
	return fmt.Sprintf("%.0f ms", float64(d.Microseconds())/1000)
}

func megabytes(n int64) string {
	switch {
	case n == 0:
		return "0"
	case n < 1e5:
		return fmt.Sprintf("%.1f KB", float64(n)/1e3)
	default:
		return fmt.Sprintf("%.1f MB", float64(n)/1e6)
	}
}
