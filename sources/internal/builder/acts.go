package builder

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/refs"
	"github.com/sessionloom/sessionloom/sources/internal/tools"
)

// layActs adds the acts in the order of their turns, with open questions and undone work.
func (b *Builder) layActs(at map[*Turn]int) {
	for _, c := range b.waiting {
		switch {
		case c.ended || c.args == nil:
		case c.use.Does == tools.Asks:
			for _, q := range c.args.Asked() {
				c.tell(sources.Act{Kind: sources.ActAsked, At: c.at, Text: q.Words(), Pending: true})
			}
		default:
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
		isSame := func(o *Turn) bool { return !o.dead && strings.HasPrefix(o.User, t.User) } // it was tried again
		if what := t.lost(committed[t]); t.dead && what != "" && !slices.ContainsFunc(b.turns, isSame) {
			all = append(all, noted[sources.Act]{sources.Act{Kind: sources.ActUndone, At: t.At, Text: what}, t})
		}
	}
	slices.SortStableFunc(all, func(x, y noted[sources.Act]) int { return cmp.Compare(at[x.turn], at[y.turn]) })
	for _, a := range all {
		a.what.Turn = at[a.turn]
		b.Session.Acts = append(b.Session.Acts, a.what)
	}
}

// lost returns the prompt of a turn in which a file was edited or a commit made, or "".
func (t *Turn) lost(committed bool) string {
	for _, c := range t.calls {
		if committed && strings.Contains(c.Command, "commit") || slices.ContainsFunc(c.files, func(f sources.FileTouch) bool { return f.Kind != sources.Viewed }) {
			return t.User
		}
	}
	return ""
}

// history is what the calls of a session did that git may undo.
type history struct {
	edited   map[string]bool      // files, since the last commit
	restored map[string]int       // files restored and not edited since, with their places in found
	commits  []string             // subjects
	found    []noted[sources.Act] // commits and edits that were taken back; those without a text were not
}

// Limits of the files compared: edited ones, and ones that a command restores.
const maxEdited, maxRestored = 1000, 50

// undone finds commits that were reverted or reset, and edits that were restored.
func (b *Builder) undone() {
	h := &history{edited: map[string]bool{}, restored: map[string]int{}}
	for _, t := range b.turns {
		if t.dead || t.Inherited {
			continue
		}
		for _, c := range t.calls {
			h.edit(c)
			if strings.Contains(c.Command, "git ") && (c.OK == nil || *c.OK) {
				h.run(c)
			}
		}
	}
	b.acts = append(b.acts, slices.DeleteFunc(h.found, func(a noted[sources.Act]) bool { return a.what.Text == "" })...)
}

func (h *history) edit(c *Called) {
	for _, f := range c.files {
		if f.Kind == sources.Viewed || c.use.Does != tools.Edits && c.use.Does != tools.Creates {
			continue
		}
		if len(h.edited) < maxEdited {
			h.edited[f.Path] = true
		}
		if i, ok := h.restored[f.Path]; ok {
			h.found[i].what.Text = ""
			delete(h.restored, f.Path)
		}
	}
}

func (h *history) takeBack(c *Called, what string) {
	h.found = append(h.found, noted[sources.Act]{sources.Act{Kind: sources.ActUndone, At: c.at, Text: what}, c.turn})
}

func (h *history) run(c *Called) {
	for _, one := range refs.Commands(c.Command) {
		args := refs.Git(one.Words)
		if len(args) == 0 || !one.Passed {
			continue
		}
		switch newest := len(h.commits) - 1; args[0] {
		case "commit":
			if made, ok := refs.CommitIn(one); ok {
				h.commits = append(h.commits, made.Subject)
			}
			clear(h.edited)
		case "revert":
			last := "git revert"
			if newest >= 0 {
				last = cmp.Or(h.commits[newest], last)
			}
			h.takeBack(c, last)
		case "restore", "checkout":
			h.restore(c, args)
		case "reset":
			if back := behind(args); slices.Contains(args, "--hard") && back > 0 && back <= len(h.commits) {
				h.takeBack(c, strings.Join(h.commits[newest+1-back:], "; "))
				h.commits = h.commits[:newest+1-back]
			}
		}
	}
}

func (h *history) restore(c *Called, args []string) {
	if slices.Contains(args, "--staged") && !slices.Contains(args, "--worktree") || args[0] == "checkout" && !slices.Contains(args, "--") {
		return
	}
	var gone []string
	for _, a := range args[1:min(len(args), maxRestored)] {
		for file := range h.edited {
			if a == "." || file == a || strings.HasSuffix(file, "/"+path.Clean(a)) {
				gone = append(gone, file)
				delete(h.edited, file)
			}
		}
	}
	if len(gone) == 0 {
		return
	}
	slices.Sort(gone)
	for _, file := range gone {
		h.restored[file] = len(h.found)
	}
	h.takeBack(c, cmp.Or(c.turn.User, strings.Join(gone, ", ")))
}

// behind returns how many commits git reset goes back: HEAD~2, HEAD^^; 0: unknown.
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
