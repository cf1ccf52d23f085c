package copilotcli_test

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/copilotcli"
	"github.com/sessionloom/sessionloom/sources/sourcetest"
)

// redacted is a kept reading as a ledger has it: without the secret.
func redacted(p *prior, secret string) *prior {
	out := &prior{}
	for _, l := range p.layers {
		if b, err := json.Marshal(l.Session); err == nil && l.Session != nil {
			l.Session = &sources.Session{}
			_ = json.Unmarshal(bytes.ReplaceAll(b, []byte(secret), []byte("TOKEN")), l.Session) // just marshalled
		}
		out.layers = append(out.layers, l)
	}
	return out
}

func TestARedactedPromptIsStillKnownAsTheTitle(t *testing.T) {
	const secret = "synthetic-secret-0000"
	home := t.TempDir()
	turn := []sourcetest.Turn{{User: "Use " + secret + " to log in", Answer: "Done."}}
	history{}.Write(t, home, id, created, turn)
	s := copilotcli.New(copilotcli.Config{Homes: []string{home}})
	kept, _ := readItem(t, s, itemOf(t, s, id), nil)
	history{}.Append(t, home, id, created, 1, []sourcetest.Turn{{User: "more", Answer: "yes"}})
	kept, _ = readItem(t, s, itemOf(t, s, id), redacted(kept, secret))
	write(t, at(home, id, "workspace.yaml"), []byte("name: Use "+secret+" to log in\n"))
	kept, _ = readItem(t, s, itemOf(t, s, id), redacted(kept, secret))
	if got := kept.layer("sidecars"); got.TitleFrom != sources.TrustPrompt {
		t.Errorf("title %q by trust %d", got.Title, got.TitleFrom)
	}
	for _, l := range kept.layers {
		if bytes.Contains(l.Cursor, []byte("log in")) || bytes.Contains(l.Cursor, []byte(secret)) {
			t.Errorf("the cursor of %s holds text: %s", l.Name, l.Cursor)
		}
	}
}

func TestAYoungStampIsNotBelieved(t *testing.T) {
	home := t.TempDir()
	session(t, home, id, nil)
	plan := at(home, id, "plan.md")
	moment := created.Add(time.Hour)
	must(t, os.Chtimes(plan, moment, moment))
	s := copilotcli.New(copilotcli.Config{Homes: []string{home}, Now: func() time.Time { return moment.Add(time.Millisecond) }})
	item := itemOf(t, s, id)
	kept, _ := readItem(t, s, item, nil)
	was := strings.Clone(kept.layer("plan").Artifacts[0].Text)
	write(t, plan, []byte(strings.ToUpper(was)))
	kept, _ = readItem(t, s, item, kept) // with the stamp of before
	if kept.layer("plan").Artifacts[0].Text == was {
		t.Error("a change within the clock's grain was missed")
	}
}
