package terminal

import (
	"io"
	"sync"
	"time"

	"github.com/schollz/progressbar/v3"
)

// patience is how long a run may take before a progress bar appears.
const patience = time.Second

// progress is the extract.Progress of a terminal. Before begin it shows nothing.
type progress struct {
	mu    sync.Mutex
	w     io.Writer
	since time.Time
	stage string
	total int
	done  int
	bar   *progressbar.ProgressBar // nil: not on the screen
}

// begin shows the bar on w once patience has passed since then.
func (g *progress) begin(w io.Writer, since time.Time) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.w, g.since = w, since
}

func (g *progress) Step(stage string, total int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.wipe()
	g.stage, g.total, g.done = stage, total, 0
}

func (g *progress) Advance(n int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.done += n
	if g.bar == nil {
		if g.w == nil || time.Since(g.since) < patience {
			return
		}
		g.bar = g.newBar()
	}
	// A bar that cannot be drawn is no reason to stop.
	_ = g.bar.Set(g.done)
}

// clear removes the bar from the screen. It returns with the next Advance.
func (g *progress) clear() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.wipe()
}

func (g *progress) wipe() {
	if g.bar != nil {
		_ = g.bar.Clear()
		g.bar = nil
	}
}

func (g *progress) newBar() *progressbar.ProgressBar {
	total := g.total
	if total == 0 {
		total = -1 // a spinner
	}
	return progressbar.NewOptions(total,
		progressbar.OptionSetWriter(g.w),
		progressbar.OptionSetDescription(g.stage),
		progressbar.OptionShowCount(),
		progressbar.OptionSetWidth(24),
		progressbar.OptionThrottle(100*time.Millisecond),
		progressbar.OptionClearOnFinish(),
	)
}
