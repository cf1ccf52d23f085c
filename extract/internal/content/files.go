package content

import (
	"cmp"
	"math"
	"path"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/sessionloom/sessionloom/extract/internal/identity"
	"github.com/sessionloom/sessionloom/extract/internal/texts"
	"github.com/sessionloom/sessionloom/sources"
)

// FileUse is what a session did with one file of its project.
type FileUse struct {
	Path    string    // from the git root, slashes
	Kinds   []string  // created, edited, deleted, renamed, in this order
	Weak    []string  // viewed, mentioned
	Undone  bool      // its user took all of the changes back
	Prompts []int     // numbers of the prompts, from 1, ascending; of the edits where there are any
	First   time.Time // zero where no touch has a time
	Last    time.Time
	Edited  bool // Kinds is not empty
}

// Files gathers the touches of a session by file, with the files its
// checkpoints call important. Clones, worktrees and both kinds of slashes are
// one file; files outside the project and the agent's own are left out. Edited
// files come first, by their first prompt; then the others by path.
func Files(s *sources.Session) []FileUse {
	in := identity.NewPathResolver(s)
	if in.Empty() {
		return nil
	}
	found := make(map[string]*fileGroup)
	add := func(t sources.FileTouch) {
		rel, ok := in.Relative(t.Path)
		if !ok {
			return
		}
		key := in.Key(rel)
		if found[key] == nil {
			found[key] = &fileGroup{path: rel}
		}
		found[key].touches = append(found[key].touches, t)
	}
	for _, t := range s.Files {
		if t.At.IsZero() && t.Turn >= 0 && t.Turn < len(s.Turns) {
			t.At = s.Turns[t.Turn].At
		}
		add(t)
	}
	for _, c := range s.Checkpoints {
		for _, p := range importantPaths(c.Important) {
			add(sources.FileTouch{Path: in.FromRoot(p), Kind: sources.Mentioned, Turn: -1, At: c.At})
		}
	}
	uses := make([]FileUse, 0, len(found))
	for _, g := range found {
		uses = append(uses, g.use())
	}
	slices.SortFunc(uses, compareUses)
	return uses
}

// fileGroup holds the touches of one file.
type fileGroup struct {
	path    string
	touches []sources.FileTouch
}

func (g *fileGroup) use() FileUse {
	u := FileUse{Path: g.path}
	has := make(map[string]bool)
	for _, t := range g.touches {
		has[t.Kind] = true
	}
	for _, k := range []string{sources.Created, sources.Edited, sources.Deleted, sources.Renamed} {
		if has[k] {
			u.Kinds = append(u.Kinds, k)
		}
	}
	for _, k := range []string{sources.Viewed, sources.Mentioned} {
		if has[k] {
			u.Weak = append(u.Weak, k)
		}
	}
	u.Edited = len(u.Kinds) > 0
	u.Undone = u.Edited && !slices.ContainsFunc(g.touches, func(t sources.FileTouch) bool {
		return !IsWeakTouch(t.Kind) && t.Verdict != sources.Rejected
	})
	for _, t := range g.touches {
		if u.Edited && IsWeakTouch(t.Kind) {
			continue
		}
		if t.Turn >= 0 {
			u.Prompts = append(u.Prompts, t.Turn+1)
		}
		if !t.At.IsZero() && (u.First.IsZero() || t.At.Before(u.First)) {
			u.First = t.At
		}
		if t.At.After(u.Last) {
			u.Last = t.At
		}
	}
	slices.Sort(u.Prompts)
	u.Prompts = slices.Compact(u.Prompts)
	return u
}

// IsWeakTouch tells a touch that changed nothing.
func IsWeakTouch(kind string) bool {
	switch kind {
	case sources.Created, sources.Edited, sources.Deleted, sources.Renamed:
		return false
	}
	return true
}

func compareUses(a, b FileUse) int {
	if a.Edited != b.Edited {
		if a.Edited {
			return -1
		}
		return 1
	}
	if !a.Edited {
		return strings.Compare(a.Path, b.Path)
	}
	return cmp.Or(cmp.Compare(firstPrompt(a), firstPrompt(b)), strings.Compare(a.Path, b.Path))
}

// firstPrompt sorts files no prompt is known for behind the others.
func firstPrompt(u FileUse) int {
	if len(u.Prompts) == 0 {
		return math.MaxInt
	}
	return u.Prompts[0]
}

// importantPaths finds the files named in a checkpoint's important files: list
// entries that begin with a path. What is nested below them describes them.
func importantPaths(text string) []string {
	var paths []string
	for line := range strings.Lines(text) {
		item, indent, ok := listItem(line)
		if !ok || indent > 1 {
			continue
		}
		item = strings.TrimLeft(item, "*_`\"'[")
		if end := strings.IndexFunc(item, endsPath); end >= 0 {
			item = item[:end]
		}
		item = strings.TrimRight(item, ".:;*_")
		if looksLikePath(item) {
			paths = append(paths, item)
		}
	}
	return paths
}

func endsPath(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune("`\"'*]()<>|,;", r) }

func looksLikePath(s string) bool {
	if s == "" || strings.Contains(s, "://") || strings.HasSuffix(s, "/") || strings.ContainsAny(s, "?{}$%\x00") {
		return false
	}
	base := path.Base(strings.ReplaceAll(s, `\`, "/"))
	dot := strings.LastIndexByte(base, '.')
	if dot < 0 {
		return strings.ContainsAny(s, `/\`) && len(base) > 1
	}
	ext := base[dot+1:]
	return ext != "" && len(ext) <= 12 && strings.IndexFunc(ext, func(r rune) bool { return !texts.IsWordRune(r) && r != '_' && r != '-' }) < 0
}

// HotScore weighs how often and how lately a file was edited:
// log2 Σ 2^(t/half-life) over the times, so that the order of two files does
// not depend on today. Zero times do not count; without any the score is -Inf.
// It is rounded so that all processors give one order; ties go by path.
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
