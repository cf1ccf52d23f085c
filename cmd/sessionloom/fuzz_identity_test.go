package main

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"github.com/sessionloom/sessionloom/testdata/expect"
)

// FuzzIdentity plays sessions whose ids are alike, in several homes, found in any
// order over several passes. Each has exactly one note, with its words and nobody
// else's; no two notes share an id or a name; and the vault is the one that the
// same history makes at once.
func FuzzIdentity(f *testing.F) {
	for _, seed := range few(2, []uint64{0, 1, 2, 3, 4, 5}) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		c := &crowd{scenario: newStage(t), r: rand.New(rand.NewPCG(seed, 7)), taken: map[string]bool{}}
		c.homes = []string{filepath.Join(c.t.TempDir(), "second", ".copilot"), filepath.Join(c.t.TempDir(), "third", ".copilot")}
		for range 4 + c.r.IntN(9) {
			c.session()
		}
		for range c.r.IntN(4) {
			c.chats()
		}
		c.r.Shuffle(len(c.arrivals), func(i, j int) { c.arrivals[i], c.arrivals[j] = c.arrivals[j], c.arrivals[i] })
		for steps := 1 + c.r.IntN(3); steps > 0; steps-- {
			n := len(c.arrivals) / steps
			for _, arrives := range c.arrivals[:n] {
				arrives()
			}
			c.arrivals = c.arrivals[n:]
			c.rests()
			if r, stderr, code := c.pass(c.vault); code != exitDone || len(r.Problems) > 0 {
				t.Fatalf("exit code %d, %v: %s", code, r.Problems, stderr)
			}
		}
		c.judge()
	})
}

// crowd is a history of sessions that look alike.
type crowd struct {
	*scenario
	r        *rand.Rand
	taken    map[string]bool // by home and name
	arrivals []func()
	logs     []copiedLog
	sessions [][]string // words of each
	words    int
	told     []string
}

// copiedLog is what may be copied to another home.
type copiedLog struct {
	name, text string
	session    int
}

func (c *crowd) word() string {
	c.words++
	return fmt.Sprintf("word%05dz", c.words)
}

var crowdWord = regexp.MustCompile(`\bword[0-9]{5}z\b`)

// alikeNames are families of ids of which each could be taken for another.
var alikeNames = [][]string{
	{"Build-A", "build-a", "BUILD-A", "build-A"},
	{"a b", "a#b", "a.b", "a-b", "a_b", "a%b", "a  b", "a'b", "ab"},
	{"caf\u00e9", "cafe\u0301", "cafe", "CAF\u00c9"}, // one name in two forms is two on this system
	{"run", "run-1", "run-1-1", "run-11"},
	{"stra\u00dfe", "strasse", "STRASSE"},
	{"demo"}, {"demo"}, {"con"}, {"copilot-cli:demo", "demo:demo"},
}

func (c *crowd) name() string {
	switch c.r.IntN(4) {
	case 0:
		return fmt.Sprintf("acme-corp-production-eu-west-1-nightly-build-run-%04d", c.r.IntN(20))
	case 1:
		return fmt.Sprintf("0c1d0000-aaaa-4bbb-8ccc-%012d", c.r.IntN(20))
	}
	family := alikeNames[c.r.IntN(len(alikeNames))]
	return family[c.r.IntN(len(family))]
}

// session is one more of the CLI, in one of the homes: a copy of one that is there,
// or one of its own.
func (c *crowd) session() {
	homes := append([]string{c.home}, c.homes...)
	name, home := c.name(), homes[c.r.IntN(len(homes))]
	var from *copiedLog
	if len(c.logs) > 0 && c.r.IntN(4) == 0 {
		from = &c.logs[c.r.IntN(len(c.logs))]
		name = from.name
	}
	if c.taken[home+"/"+name] || from == nil && strings.HasPrefix(name, "0c1d0000") && c.taken[name] {
		return
	}
	c.taken[home+"/"+name], c.taken[name] = true, true
	log := copiedLog{name: name, session: len(c.sessions)}
	place := []string{widget, latency}[c.r.IntN(2)]
	if from != nil {
		log = *from
		if c.r.IntN(2) == 0 { // it goes on there
			log.text += c.asks(log.session)
		}
	} else {
		c.sessions = append(c.sessions, nil)
		first := "Build the thing"
		if strings.HasPrefix(name, "0c1d0000") { // what begins alike on one day differs in its name by the id alone
			first += " " + name[24:]
		}
		log.text = c.event("session.start", "", fields{"sessionId": name, "version": 1, "startTime": c.clock, "context": workplace(place)}) +
			c.event("user.message", "", fields{"content": first, "interactionId": c.id()})
		for range 1 + c.r.IntN(2) {
			log.text += c.asks(log.session)
		}
		c.logs = append(c.logs, log)
	}
	at, began := filepath.Join(home, "session-state", name), c.clock
	title := c.r.IntN(2) == 0
	c.told = append(c.told, fmt.Sprintf("%q in %s is session %d, a copy: %t", name, filepath.Base(filepath.Dir(home)), log.session, from != nil))
	workspace := func() {
		if title {
			c.put(filepath.Join(at, "workspace.yaml"), "id: "+encode(c.t, name)+"\ncwd: "+place+"\nname: Build the thing\ncreated_at: "+began.Format(time.RFC3339Nano)+"\n")
		}
	}
	// The log comes late. Of plans that are called alike on one day, in sessions whose
	// UUIDs begin alike, the first to come has the short name.
	if from == nil && title && !strings.HasPrefix(name, "0c1d0000") && c.r.IntN(3) == 0 {
		c.arrivals = append(c.arrivals, func() {
			workspace()
			c.put(filepath.Join(at, "plan.md"), "# Plan\n\nto be made\n")
		})
	}
	c.arrivals = append(c.arrivals, func() {
		workspace()
		c.put(filepath.Join(at, "events.jsonl"), log.text)
	})
}

// asks is a prompt with a word of its own.
func (c *crowd) asks(session int) string {
	word := c.word()
	c.sessions[session] = append(c.sessions[session], word)
	return c.event("user.message", "", fields{"content": "and now " + word, "interactionId": c.id()})
}

// chats are two of VS Code whose ids differ in case or punctuation.
func (c *crowd) chats() {
	w := c.edition(fmt.Sprintf("Code%d", len(c.users))).opens(widget)
	family := alikeNames[c.r.IntN(2)]
	for _, name := range family[:2] {
		session := len(c.sessions)
		word := c.word()
		key := fmt.Sprintf("%s-%d", name, session/2)
		c.sessions = append(c.sessions, []string{word})
		c.told = append(c.told, fmt.Sprintf("chat %q is session %d", key, session))
		c.arrivals = append(c.arrivals, func() { w.chat(key).asks("Build the thing").says("done").asks("and now " + word).says("done") })
	}
}

func (c *crowd) judge() {
	c.t.Helper()
	now := walk(c.t, c.vault)
	c.notes(now)
	if r, stderr, code := c.pass(c.vault); code != exitDone || len(r.Changed) > 0 {
		c.t.Errorf("a further pass: exit code %d, %v: %s", code, r.Changed, stderr)
	}
	expect.Is(c.t, differences(now, walk(c.t, c.vault), true), "", "a further pass writes")
	for range 2 {
		dir := filepath.Join(c.t.TempDir(), "fresh")
		createFixedVault(c.t, dir)
		c.passes(dir)
		if nameAs(c.t, dir, c.vault) {
			c.pass(dir)
		}
		expect.Is(c.t, differences(asNamed(now), asNamed(walk(c.t, dir)), false), "", "incremental (-) is not fresh (+)")
	}
	if c.t.Failed() {
		c.t.Logf("vault %s:\n%s", c.vault, strings.Join(c.told, "\n"))
	}
}

// notes holds each note of a session against what was said in it.
func (c *crowd) notes(now contents) {
	c.t.Helper()
	names, ids, found := map[string]string{}, map[string]string{}, map[int]string{}
	of := map[string]int{}
	for i, words := range c.sessions {
		for _, w := range words {
			of[w] = i
		}
	}
	for _, path := range slices.Sorted(maps.Keys(now)) {
		folded := norm.NFC.String(cases.Fold().String(norm.NFD.String(path)))
		if copied, ok := names[folded]; ok {
			c.t.Errorf("%q and %q are one name on some systems", copied, path)
		}
		names[folded] = path
		id := noteID(now[path].text)
		if copied, ok := ids[id]; ok && id != "" {
			c.t.Errorf("%q and %q are both %q", copied, path, id)
		}
		ids[id] = path
		if !strings.HasPrefix(id, "session:") {
			continue
		}
		said := crowdWord.FindAllString(now[path].text, -1)
		if len(said) == 0 {
			c.t.Errorf("%q is a note of nobody:\n%s", path, now[path].text)
			continue
		}
		session := of[said[0]]
		if copied, ok := found[session]; ok {
			c.t.Errorf("%q and %q are both of session %d", copied, path, session)
		}
		found[session] = path
		slices.Sort(said)
		expect.List(c.t, slices.Compact(said), slices.Sorted(slices.Values(c.sessions[session])), path, said, "session", session, "said")
	}
	for i := range c.sessions {
		if found[i] == "" {
			c.t.Errorf("session %d has no note", i)
		}
	}
}
