package ask

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/exit"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/present"
	"github.com/sessionloom/sessionloom/extract/catalog"
	"github.com/sessionloom/sessionloom/extract/search"
)

// UsualHits is the default number of hits.
const UsualHits = 10

type searchFlags struct {
	json, count bool
	limit, open int
}

func newSearch(h Host) *cobra.Command {
	var o searchFlags
	cmd := &cobra.Command{
		Use:   "search WORDS…",
		Short: "find sessions by what was said and done in them",
		Long: "Find sessions by their prompts, answers, titles, checkpoints, plans, memories, saved\n" +
			"files, decisions, commands, files, commits and pull requests: the best first, with where\n" +
			"it stands. It shows what the last sync knew.\n\n" +
			"  word other     both, anywhere in a session\n" +
			"  \"two words\"    one after the other\n" +
			"  -word          without it; after -- where a flag could be meant\n" +
			"  word OR other  one of them\n" +
			"  wor*           words starting with \"wor\"\n" +
			"  file:jwt.go    in the path of a file; branch:main, agent:codex likewise\n" +
			"  in:prompt      there alone: answer, command, errors, title, plan, memory, …\n" +
			"  project:widget after:7d before:2026-01-31\n\n" +
			"Other forms of a word match too (rotate, rotating). Where no session has all words,\n" +
			"misspelt ones are taken for the nearest that are known, then the sessions with most of\n" +
			"the words are shown. Paste an error to find where it came up.",
		Example: "  sessionloom search \"signing key\" jwt\n  sessionloom search in:command make lint --limit 3\n  sessionloom search file:jwt.go --open 1",
		Args:    Args(1, math.MaxInt, "name the words to look for, such as sessionloom search signing key"),
		RunE: func(cmd *cobra.Command, args []string) error {
			text := question(args)
			q, err := search.Parse(text)
			var wrong *search.SyntaxError
			if errors.As(err, &wrong) {
				return exit.Usage(wrong.Hint, "%w", err)
			}
			return h.Texts(cmd, func(k Known) error { return h.search(k, q, text, o) })
		},
	}
	h.Settings(cmd, filtering)
	f := cmd.Flags()
	f.BoolVar(&o.json, "json", false, "print one JSON object")
	f.BoolVar(&o.count, "count", false, "print how many there are and nothing else")
	f.IntVar(&o.limit, "limit", UsualHits, "show so many at most")
	f.IntVar(&o.open, "open", 0, "open the note of the hit with this `NUMBER` in Obsidian")
	return cmd
}

// question joins the arguments. An argument with a blank was quoted in the shell.
func question(args []string) string {
	var out []string
	for _, a := range args {
		if len(args) > 1 && strings.Contains(a, " ") && !strings.ContainsAny(a, `":`) {
			a = `"` + a + `"`
		}
		out = append(out, a)
	}
	return strings.Join(out, " ")
}

func (h Host) search(k Known, q search.Query, text string, o searchFlags) error {
	f, err := k.Narrowed(q.Filter)
	if err != nil {
		return err
	}
	limit := max(o.limit, o.open)
	if o.count {
		limit = 0
	}
	found := present.Hits{Schema: 1, Query: text, Answered: k.Search(catalog.Asked{Query: q, Filter: f, Limit: limit, Zone: k.Zone, Read: k.Read})}
	switch {
	case o.open > 0 && o.open > len(found.Hits):
		return exit.Failed("sessionloom search without --open lists them", "there are %d hits", len(found.Hits))
	case o.open > 0:
		return h.Open(k, found.Hits[o.open-1].Entry)
	case o.json:
		return h.Print.Object(found)
	case o.count:
		h.Print.Say(present.Commas(found.Count))
		return nil
	}
	return h.Print.Page(found.Lines(k.Zone))
}

// Read returns the text of a note by its path from the vault's root.
func (k Known) Read(path string) (string, error) {
	text, err := os.ReadFile(filepath.Join(k.Config.Vault, filepath.FromSlash(path)))
	return string(text), err
}
