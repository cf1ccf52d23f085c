package builder

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/refs"
	"github.com/sessionloom/sessionloom/sources/internal/tools"
)

// layActs adds the acts, in the order of their turns: those that were told, what the agent asked
// last without an answer, and what was undone.
func (b *Builder) layActs(at map[*Turn]int) {
	if c, ok := b.newest.(*Called); ok && !c.ended && c.args != nil {
		switch c.use.Does {
		case tools.Asks:
			for _, q := range c.args.Asked() {
				c.tell(sources.Act{Kind: sources.ActAsked, At: c.at, Text: q.Words(), Pending: true})
			}
		case tools.Plans:
			c.tell(sources.Act{Kind: sources.ActPlanned, At: c.at, Text: cmp.Or(TitleOf(c.args.Planned()), c.Detail), Pending: true})
		}
	}
	b.undone()
	all := live(b.acts)
	committed := map[*Turn]bool{}
	for _, r := range b.refs {
		committed[r.turn] = committed[r.turn] || r.what.Type == sources.Commit
	}
	for _, t := range b.turns {
		if what := t.lost(committed[t]); t.dead && what != "" {
			all = append(all, noted[sources.Act]{sources.Act{Kind: sources.ActUndone, At: t.At, Text: what}, t})
		}
	}
	slices.SortStableFunc(all, func(x, y noted[sources.Act]) int { return cmp.Compare(at[x.turn], at[y.turn]) })
	for _, a := range all {
		a.what.Turn = at[a.turn]
		b.Session.Acts = append(b.Session.Acts, a.what)
	}
}

// lost is the prompt of a turn in which a file was edited or a commit made; empty: neither was.
func (t *Turn) lost(committed bool) string {
	for _, c := range t.calls {
		if committed && strings.Contains(c.Command, "commit") || slices.ContainsFunc(c.files, func(f sources.FileTouch) bool { return f.Kind != sources.Viewed }) {
			return t.User
		}
	}
	return ""
}

// history is what the calls of a session did so far, as far as git may undo it.
type history struct {
	edited   map[string]bool     // files, since the last commit
	named    map[string][]string // these, by what they are called without their folders
	restored map[string]int      // files that were, and not edited since, with the place of that in found
	commits  []string            // subjects
	found    []undone
}

// near is how many files of one name are looked at for one that is restored.
const near = 1000

// undone is something that was taken back by a command; without a text it was not.
type undone struct {
	turn *Turn
	at   time.Time
	text string
}

// undone finds commits that were reverted or reset, and edits that were restored.
func (b *Builder) undone() {
	h := &history{restored: map[string]int{}}
	h.forget()
	for _, t := range b.turns {
		if t.dead || t.Inherited {
			continue
		}
		for _, c := range t.calls {
			h.edit(c)
			if c.Command != "" && strings.Contains(c.Command, "git ") && (c.OK == nil || *c.OK) {
				h.run(c)
			}
		}
	}
	for _, u := range h.found {
		if u.text != "" {
			b.acts = append(b.acts, noted[sources.Act]{sources.Act{Kind: sources.ActUndone, At: u.at, Text: u.text}, u.turn})
		}
	}
}

// edit takes in what a call edited.
func (h *history) edit(c *Called) {
	if c.use.Does != tools.Edits && c.use.Does != tools.Creates {
		return
	}
	for _, f := range c.files {
		if f.Kind == sources.Viewed {
			continue
		}
		if name := path.Base(f.Path); !h.edited[f.Path] {
			h.edited[f.Path], h.named[name] = true, append(h.named[name], f.Path)
		}
		if i, ok := h.restored[f.Path]; ok {
			h.found[i].text = ""
			delete(h.restored, f.Path)
		}
	}
}

// forget forgets what was edited.
func (h *history) forget() { h.edited, h.named = map[string]bool{}, map[string][]string{} }

// run takes in a command that succeeded.
func (h *history) run(c *Called) {
	for _, one := range refs.Commands(c.Command) {
		args := refs.Git(one.Words)
		if len(args) == 0 || !one.Passed {
			continue
		}
		switch args[0] {
		case "commit":
			if made := refs.CommitsIn("git " + quoted(args)); len(made) > 0 {
				h.commits = append(h.commits, made[0].Subject)
			}
			h.forget()
		case "revert":
			h.found = append(h.found, undone{turn: c.turn, at: c.at, text: h.last("git revert")})
		case "restore", "checkout":
			h.restore(c, args)
		case "reset":
			if back := behind(args); slices.Contains(args, "--hard") && back > 0 && back <= len(h.commits) {
				h.found = append(h.found, undone{turn: c.turn, at: c.at, text: strings.Join(h.commits[len(h.commits)-back:], "; ")})
				h.commits = h.commits[:len(h.commits)-back]
			}
		}
	}
}

// last is the newest commit of the session, else another word for it.
func (h *history) last(otherwise string) string {
	if n := len(h.commits); n > 0 && h.commits[n-1] != "" {
		return h.commits[n-1]
	}
	return otherwise
}

// restore takes in files that git restored.
func (h *history) restore(c *Called, args []string) {
	if slices.Contains(args, "--staged") && !slices.Contains(args, "--worktree") || args[0] == "checkout" && !slices.Contains(args, "--") {
		return
	}
	var gone []string
	for _, a := range args[1:] {
		if a == "." {
			gone = slices.AppendSeq(gone, maps.Keys(h.edited))
			h.forget()
		}
		name, below := path.Base(a), "/"+path.Clean(a)
		all := h.named[name]
		from := max(0, len(all)-near)
		kept := slices.DeleteFunc(all[from:], func(file string) bool {
			if strings.HasPrefix(a, "-") || file != a && !strings.HasSuffix(file, below) {
				return false
			}
			gone = append(gone, file)
			delete(h.edited, file)
			return true
		})
		h.named[name] = all[:from+len(kept)]
	}
	if len(gone) == 0 {
		return
	}
	slices.Sort(gone)
	for _, file := range gone {
		h.restored[file] = len(h.found)
	}
	h.found = append(h.found, undone{turn: c.turn, at: c.at, text: cmp.Or(c.turn.User, strings.Join(gone, ", "))})
}

// behind is how many commits git reset goes back: HEAD~2, HEAD^^; 0: it is not told.
func behind(args []string) int {
	for _, a := range args[1:] {
		rest, ok := strings.CutPrefix(a, "HEAD")
		switch {
		case !ok || rest == "":
		case strings.Trim(rest, "^") == "":
			return len(rest)
		case rest == "~":
			return 1
		case len(rest) == 2 && rest[0] == '~' && rest[1] >= '1' && rest[1] <= '9':
			return int(rest[1] - '0')
		}
	}
	return 0
}

// quoted writes words so that a shell reads the same ones.
func quoted(args []string) string {
	var b strings.Builder
	for _, a := range args {
		b.WriteString("'" + strings.ReplaceAll(a, "'", `'\''`) + "' ")
	}
	return b.String()
}
