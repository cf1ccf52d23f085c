package facts

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sessionloom/sessionloom/extract/internal/ends"
	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/testdata/expect"
	"github.com/sessionloom/sessionloom/vault"
)

var at = time.Date(2026, 11, 3, 8, 0, 0, 0, time.UTC)

// session is one with rows that tell of open ends, each "from|text".
func session(id string, hour int, open ...string) Facts {
	f := Facts{ID: names.SessionID(id), Type: names.TypeSession, Created: at.Add(time.Duration(hour) * time.Hour)}
	for _, row := range open {
		from, text, _ := strings.Cut(row, "|")
		f.Rows = append(f.Rows, Row{Key: RowOpen, At: f.Created, From: from, What: "open-" + id, Text: text})
	}
	return f
}

func told(threads []ends.Thread) string {
	var out []string
	for _, t := range threads {
		out = append(out, string(t.Newest().Kind)+" "+t.Newest().Shown())
	}
	return strings.Join(out, "; ")
}

// Of the rows of former builds those count that rest on an act.
func TestRowsOfFormerBuilds(t *testing.T) {
	f := session("a", 0, "todo|Tag it", "todo?|Docs", "plan|Rewrite all", "cp3|Next of all", "t-0a0b0c0d|left in words", "answer|left too",
		FromAct("list.000", "")+"|Test it", FromAct("plan", "t-0a0b0c0d")+"|Two ports", FromAct("prompt", "t-0a0b0c0d")+"|Ship it")
	f.Boxes = []vault.Box{{ID: "open-b", Section: SectionOpen, Ticked: true}}
	if got, want := told(NewProjectIndex([]Facts{f}, nil, nil).Threads()), "list Tag it; list Test it; plan Two ports; prompt not answered: Ship it"; got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	for from, want := range map[string]bool{"plan": false, "t-0a0b0c0d": false, "memory": false, FromAct("plan", "t-0a0b0c0d"): true, FromAct("undone", ""): true} {
		expect.Is(t, IsDecision(Row{Key: RowDecision, From: from}), want, from, "a decision", !want)
	}
}

// What a later session took over is not open in the one before it.
func TestTakenOver(t *testing.T) {
	list, prompt := FromAct("list", ""), FromAct("prompt", "")
	parent := session("a", 0, list+"|Tag it", list+"|Docs", prompt+"|Ship it to all of them")
	fork := session("b", 1, list+"|Docs")
	fork.Parent = "a"
	again := session("c", 2)
	again.Rows = append(again.Rows, Row{Key: RowPrompt, From: ends.StartOf("Ship it\nto all of them"), Text: "And then?"})
	unanswered := session("k", 1, prompt+"|Ship it to all of them")
	later := session("i", 2, list+"|Other work")
	later.Rows = append(later.Rows, Row{Key: RowPrompt, From: ends.StartOf("D:\\widget") + "," + ends.StartOf("Ship it\nto all of them")})
	begun := session("a", 0, list+"|Tag it")
	begun.Rows = append(begun.Rows, Row{Key: RowPrompt, From: ends.StartOf("D:\\widget") + "," + ends.StartOf("Tag all of it")})
	elsewhere := session("j", 2)
	elsewhere.Rows = append(elsewhere.Rows, Row{Key: RowPrompt, From: ends.StartOf("Ship it\nto all of them")}, Row{Key: RowCwd, Text: "/other"})
	accepted := session("d", 3)
	accepted.Rows = append(accepted.Rows, Row{Key: RowDecision, At: accepted.Created, From: FromAct("plan", ""), Text: "Two ports; changed first: TLS"})
	shown := session("e", 2, FromAct("plan", "")+"|Two ports")
	did := session("g", 5)
	did.Rows = append(did.Rows, Row{Key: RowDone, At: did.Created, From: list, Text: "tag it."})
	ticked := session("h", 6, list+"|Docs")
	ticked.Boxes = []vault.Box{{ID: "open-h", Section: SectionOpen, Ticked: true}}
	for name, c := range map[string]struct {
		all  []Facts
		want string
	}{
		"alone":                      {[]Facts{parent}, "list Docs; list Tag it; prompt not answered: Ship it to all of them"},
		"a fork":                     {[]Facts{parent, fork}, "list Docs"},
		"the prompt again":           {[]Facts{parent, again}, "list Docs; list Tag it"},
		"left twice":                 {[]Facts{parent, unanswered, again}, "list Docs; list Tag it"},
		"left twice, alone":          {[]Facts{parent, unanswered}, "prompt not answered: Ship it to all of them; list Docs; list Tag it"},
		"and not as the first":       {[]Facts{parent, later}, "list Other work; list Docs; list Tag it"},
		"a list of one who began so": {[]Facts{begun, later}, "list Other work"},
		"the prompt elsewhere":       {[]Facts{parent, elsewhere}, "list Docs; list Tag it; prompt not answered: Ship it to all of them"},
		"a plan is accepted":         {[]Facts{shown, accepted}, ""},
		"it was before":              {[]Facts{session("f", 4, FromAct("plan", "")+"|Two ports"), accepted}, "plan Two ports"},
		"done later":                 {[]Facts{parent, did}, "list Docs; prompt not answered: Ship it to all of them"},
		"ticked later":               {[]Facts{parent, ticked}, "list Tag it; prompt not answered: Ship it to all of them"},
	} {
		for i := range c.all {
			c.all[i].arrange()
		}
		expect.Is(t, told(NewProjectIndex(c.all, nil, nil).Threads()), c.want, name)
		first := slices.MinFunc(c.all, OlderFirst)
		for _, m := range first.Mentions() { // its own note says the same
			_, closed := first.ClosedBy(m, c.all)
			if open := slices.Contains(strings.Split(c.want, "; "), string(m.Kind)+" "+m.Shown()); !m.Done && open == closed {
				t.Errorf("%s: %s is closed: %v", name, m.Shown(), closed)
			}
		}
	}
}
