package content

import (
	"cmp"
	"math"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/extract/internal/identity"
	"github.com/sessionloom/sessionloom/sources"
)

// FileUse is the change of a session to one file of its project.
type FileUse struct {
	Path    string   // relative to the git root, with slashes
	Kinds   []string // created, edited, deleted, renamed, in this order
	Undone  bool     // its user took back all changes
	Prompts []int    // numbers of the prompts, from 1, ascending
	Seen    int      // number of the prompt after which a command's change was first seen, or 0
}

var changes = []string{sources.Created, sources.Edited, sources.Deleted, sources.Renamed}

// IsWeakTouch reports whether a touch changed nothing.
func IsWeakTouch(kind string) bool { return !slices.Contains(changes, kind) }

// Files returns the changes of a session by file, ordered by their first prompt. Clones, worktrees and both
// kinds of slashes are one file; files outside the project and the agent's own are left out.
func Files(s *sources.Session) []FileUse {
	in := identity.NewPathResolver(s)
	return usesOf(s, in, in.Relative)
}

// FilesElsewhere returns the files outside its project's folder that a session changed, by whole paths,
// without agents' own and temporary ones.
func FilesElsewhere(s *sources.Session) []FileUse {
	in := identity.NewPathResolver(s)
	return usesOf(s, in, func(recorded string) (string, bool) {
		p, ok := in.Elsewhere(recorded)
		return p, ok && !passing.MatchString(p)
	})
}

// passing matches folders of agents and temporary ones.
var passing = regexp.MustCompile(`(?i)^(?:/private)?(?:/var)?/tmp/|/var/folders/|/AppData/Local/Temp/|/\.(?:claude|codex|copilot|cursor|gemini|git)/|/share/opencode/|/(?:workspace|global)Storage/|/session-state/`)

// usesOf lists the files that place resolves, by the first prompt that changed them, then by path.
func usesOf(s *sources.Session, in identity.PathResolver, place func(recorded string) (string, bool)) []FileUse {
	touches := map[string][]sources.FileTouch{} // touches by comparable path
	for _, t := range s.Files {
		rel, ok := place(t.Path)
		if !ok || IsWeakTouch(t.Kind) {
			continue
		}
		t.Path = rel
		touches[in.Key(rel)] = append(touches[in.Key(rel)], t)
	}
	var uses []FileUse
	for _, of := range touches {
		u := useOf(of)
		if len(u.Prompts) == 0 {
			u.Seen = seenAfter(s.Turns, of)
		}
		uses = append(uses, u)
	}
	slices.SortFunc(uses, func(a, b FileUse) int {
		return cmp.Or(cmp.Compare(firstPrompt(a), firstPrompt(b)), strings.Compare(a.Path, b.Path))
	})
	return uses
}

func useOf(touches []sources.FileTouch) FileUse {
	u := FileUse{Path: touches[0].Path, Undone: true}
	for _, kind := range changes {
		if slices.ContainsFunc(touches, func(t sources.FileTouch) bool { return t.Kind == kind }) {
			u.Kinds = append(u.Kinds, kind)
		}
	}
	for _, t := range touches {
		u.Undone = u.Undone && t.Verdict == sources.Rejected
		if t.Turn >= 0 {
			u.Prompts = append(u.Prompts, t.Turn+1)
		}
	}
	slices.Sort(u.Prompts)
	u.Prompts = slices.Compact(u.Prompts)
	return u
}

// seenAfter returns the number of the last turn that ended before a change no turn records: a command of that
// turn made it.
func seenAfter(turns []sources.Turn, touches []sources.FileTouch) (number int) {
	for _, touch := range touches {
		for i, t := range turns {
			if end := cmp.Or(t.End, t.At); !end.IsZero() && !touch.At.IsZero() && !end.After(touch.At) {
				number = max(number, i+1)
			}
		}
	}
	return number
}

// firstPrompt returns the sort key of a file; files without a known prompt come last.
func firstPrompt(u FileUse) int {
	if len(u.Prompts) == 0 {
		return math.MaxInt
	}
	return u.Prompts[0]
}

// HotScore weighs how often and how lately a file was edited: log2 Σ 2^(t/half-life) over the times, so that
// the order of two files does not depend on today. Zero times do not count; without any the score is -Inf. It
// is rounded so that all processors give one order; ties go by path.
func HotScore(times []time.Time, halfLife time.Duration) float64 {
	if halfLife <= 0 {
		halfLife = time.Hour
	}
	var ages []float64 // in half-lives since 1970
	for _, t := range times {
		if !t.IsZero() {
			ages = append(ages, float64(t.Unix())/halfLife.Seconds())
		}
	}
	if len(ages) == 0 {
		return math.Inf(-1)
	}
	slices.Sort(ages)
	newest, sum := ages[len(ages)-1], 0.0
	for _, a := range ages {
		sum += math.Exp2(a - newest)
	}
	return math.Round((newest+math.Log2(sum))*1e6) / 1e6
}
