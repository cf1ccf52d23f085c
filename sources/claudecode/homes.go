package claudecode

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/decode"
	"github.com/sessionloom/sessionloom/sources/internal/files"
	"github.com/sessionloom/sessionloom/sources/internal/words"
)

// home is one folder with the layout of ~/.claude, and what was found in it.
type home struct {
	root sources.Root
	tag  string // stands for the folder in keys: the same on every machine where it can be
	days int    // after which transcripts are deleted

	// Paths, empty where there is nothing or another home gave it already.
	projects string
	plans    string
	history  string

	todos    map[string]fs.DirEntry // lists of sessions, see lists
	sessions map[string]bool        // that were listed
	files.Lister
}

// lister begins a listing.
func lister() files.Lister { return files.Lister{Source: agentName, Program: programName} }

// homes finds the folders to read, in order of preference, each once.
func (c Config) homes() (all []*home) {
	bases := slices.Clone(c.Homes)
	if c.Defaults {
		if dir := c.Env("CLAUDE_CONFIG_DIR"); dir != "" {
			bases = append(bases, dir)
		} else if c.Home != "" {
			bases = append(bases, filepath.Join(c.Home, ".claude"))
		}
	}
	seen := map[string]bool{} // folders and what is in them, by real paths
	for _, base := range bases {
		path, err := filepath.Abs(base)
		if err != nil || seen[path] {
			continue
		}
		seen[path] = true
		all = append(all, c.home(path, seen))
	}
	return all
}

// home looks at a folder. What another home already gave, by its real path, is left empty.
func (c Config) home(path string, seen map[string]bool) *home {
	h := &home{root: sources.Root{Path: path}, sessions: map[string]bool{}, Lister: lister()}
	h.tag = words.PathTag(path, c.Home, strings.TrimPrefix(filepath.Base(path), "."))
	if info, err := os.Stat(path); err != nil {
		h.root.Why = files.WhyMissing(err)
		h.refuse(path, err)
		return h
	} else if !info.IsDir() {
		h.root.Why = "not a folder"
		return h
	}
	h.root.Found = true
	twice := false
	for base, to := range map[string]*string{"projects": &h.projects, "plans": &h.plans, "history.jsonl": &h.history} {
		at := filepath.Join(path, base)
		real, err := filepath.EvalSymlinks(at)
		if err != nil {
			h.refuse(at, err)
		} else if twice = twice || seen[real]; !seen[real] {
			seen[real], *to = true, real
		}
	}
	if twice && h.projects+h.plans+h.history == "" {
		h.root.Why = "a link to another home that is read"
	}
	if h.days = retention(filepath.Join(path, "settings.json")); h.days < mostDays {
		h.root.KeptDays = h.days
	}
	return h
}

// refuse notes what may be there and cannot be looked at; what is not there is no loss.
func (h *home) refuse(path string, err error) {
	if !errors.Is(err, fs.ErrNotExist) {
		h.Problem(h.tag, path, err)
	}
}

// The period after which the program deletes transcripts, in days. Below one it takes the
// usual one; beyond a century it is as good as none.
const (
	usualDays = 30
	mostDays  = 36500
)

// retention reads the period out of the settings, and nothing else of them.
func retention(path string) int {
	var settings struct {
		Days decode.Whole `json:"cleanupPeriodDays"`
	}
	text, err := files.ReadText(path, 1<<20)
	if err == nil {
		err = decode.Text(text.Body, &settings)
	}
	if err != nil || settings.Days < 1 {
		return usualDays
	}
	return int(min(settings.Days, mostDays))
}

// expires tells when a transcript goes that is not used any more.
func (h *home) expires(path string, stamp sources.Stamp) []sources.Expiry {
	used := time.Unix(0, stamp.MTime).UTC()
	at := used.AddDate(0, 0, h.days)
	if h.days >= mostDays || !sources.OnCalendar(at).Equal(at) {
		return nil
	}
	return []sources.Expiry{{What: "transcript", Path: path, Used: used, At: at}}
}

// tellRetention adds to the notes of the home which transcript goes first.
func (h *home) tellRetention() {
	var oldest sources.Expiry
	for _, item := range h.Out.Items {
		for _, x := range item.Expires {
			if oldest.Used.IsZero() || x.Used.Before(oldest.Used) {
				oldest = x
			}
		}
	}
	if oldest.Used.IsZero() {
		return
	}
	const day = "2006-01-02"
	h.root.Notes = append(h.root.Notes, fmt.Sprintf("the oldest transcript is of %s and may go from %s on", oldest.Used.Format(day), oldest.At.Format(day)))
}
