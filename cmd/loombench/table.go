package main

import (
	"cmp"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"time"
)

// row holds the measurements of one case.
type row struct {
	c      benchCase
	bytes  int64 // size of the corpus
	rounds []round
}

// round holds the floors of the case and one run of each program.
type round struct {
	floors   []time.Duration
	programs []outcome
}

// floor returns the median of the n-th floor.
func (r row) floor(n int) time.Duration {
	return median(r.rounds, func(t round) time.Duration { return t.floors[n] })
}

// medians returns the medians of the n-th program.
func (r row) medians(n int) outcome {
	return outcome{
		wall: median(r.rounds, func(t round) time.Duration { return t.programs[n].wall }),
		cpu:  median(r.rounds, func(t round) time.Duration { return t.programs[n].cpu }),
		peak: median(r.rounds, func(t round) int64 { return t.programs[n].peak }),
	}
}

// ratio returns the median over the rounds of the ratio of the first program to the second.
func ratio[T int64 | time.Duration](r row, of func(outcome) T) string {
	return fmt.Sprintf("%.2f", median(r.rounds, func(t round) float64 { return float64(of(t.programs[0])) / float64(of(t.programs[1])) }))
}

// rate returns the MB per second of the first program.
func (r row) rate() float64 { return float64(r.bytes) / 1e6 / r.medians(0).wall.Seconds() }

// median returns the median, for an even number the lower of the two in the middle.
func median[E any, T cmp.Ordered](all []E, of func(E) T) T {
	values := make([]T, len(all))
	for i, e := range all {
		values[i] = of(e)
	}
	slices.Sort(values)
	return values[(len(values)-1)/2]
}

// table is markdown for docs/performance.md.
type table struct {
	corpus params
	runs   int
	rows   []row
}

func (t table) print(w io.Writer) error {
	text := fmt.Sprintf("%s/%s, %d cores, %s; median of %d runs, page cache warm; %d sessions with %d MiB of event logs, seed %d.\n\n",
		runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), runtime.Version(), t.runs, t.corpus.Sessions, t.corpus.MB, t.corpus.Seed)
	line := row.line
	if len(t.rows[0].rounds[0].programs) == 2 {
		text += cells("case", "floor", "A", "B", "A/B", "CPU of A", "B", "A/B", "peak of A", "B", "A/B") + cells(slices.Repeat([]string{"---"}, 11)...)
		line = row.pair
	} else {
		text += cells("case", "floor", "measured", "CPU", "peak memory", "read", "notes written", "to reach", "verdict") + cells(slices.Repeat([]string{"---"}, 9)...)
	}
	for _, r := range t.rows {
		text += line(r)
	}
	for _, r := range t.rows {
		text += r.wrong()
	}
	_, err := io.WriteString(w, text)
	return err
}

func cells(all ...string) string { return "| " + strings.Join(all, " | ") + " |\n" }

func (r row) line() string {
	o, last := r.medians(0), r.rounds[len(r.rounds)-1].programs[0].report
	measured := millis(o.wall)
	if r.c.fresh {
		measured += fmt.Sprintf(", %.0f MB/s", r.rate())
	}
	return cells(r.c.what, r.floorText(), measured, millis(o.cpu), megabytes(o.peak), megabytes(last.read()), fmt.Sprint(last.written()), r.goal(), r.verdict())
}

// pair returns a comparison of two builds.
func (r row) pair() string {
	a, b := r.medians(0), r.medians(1)
	return cells(r.c.what, r.floorText(),
		millis(a.wall), millis(b.wall), ratio(r, func(o outcome) time.Duration { return o.wall }),
		millis(a.cpu), millis(b.cpu), ratio(r, func(o outcome) time.Duration { return o.cpu }),
		megabytes(a.peak), megabytes(b.peak), ratio(r, func(o outcome) int64 { return o.peak }))
}

func (r row) floorText() string {
	var all []string
	for i, f := range r.c.floors {
		all = append(all, f.name+" "+millis(r.floor(i)))
	}
	return strings.Join(all, "; ")
}

// wrong lists the faults of the runs, each once, only the first of many.
func (r row) wrong() string {
	const few = 5
	var all []string
	for _, t := range r.rounds {
		for i, o := range t.programs {
			for _, what := range r.c.wrong(o) {
				all = append(all, fmt.Sprintf("\n- wrong: %s, program %c: %s\n", r.c.name, 'A'+i, what))
			}
		}
	}
	slices.Sort(all)
	all = slices.Compact(all)
	return strings.Join(all[:min(few, len(all))], "")
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
