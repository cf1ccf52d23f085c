package redact

import (
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/testdata/expect"
)

func newMasker(t *testing.T, o Options) *Masker {
	t.Helper()
	m := expect.Value(New([]byte("key of the tests"), o))(t)
	return m
}

func TestOwnRules(t *testing.T) {
	m := newMasker(t, Options{Own: []OwnRule{
		{Name: "badge", Pattern: `\bB-(\d{6})\b`},
		{Name: "code-2", Pattern: `code word is (\w+)`, Keywords: []string{"Code Word"}},
	}})
	in := "B-123456 and B-654321; the code word is swordfish. " + ghToken
	got := expect.Value(m.Text(in))(t)
	expect.Is(t, Number(got)[0], "B-[redacted:badge#1] and B-[redacted:badge#2]; the code word is [redacted:code-2#1]. [redacted:github-token#1]")
	if again, _ := m.Text(got); again != got {
		t.Errorf("masked again: %q", again)
	}
	found, err := m.Find(in)
	if err != nil || len(found) != 4 || found[0].Rule != "badge" || in[found[0].From:found[0].To] != "123456" {
		t.Errorf("found %v, %v", found, err)
	}
}

func TestWrongRulesAreNamed(t *testing.T) {
	for _, o := range []Options{
		{Own: []OwnRule{{Name: "mine", Pattern: `(`}}},
		{Own: []OwnRule{{Name: "mine", Pattern: `a*`}}},
		{Own: []OwnRule{{Name: "mine", Pattern: `a{2000}`}}},
		{Own: []OwnRule{{Name: "Not mine", Pattern: `a`}}},
		{Own: []OwnRule{{Name: "mine", Pattern: `a`, Keywords: []string{""}}}},
		{Own: []OwnRule{{Name: "mine", Pattern: `a`, Keywords: []string{strings.Repeat("long", 30000)}}}},
		{Allow: []string{"mine("}},
	} {
		if _, err := New(nil, o); err == nil || !strings.Contains(err.Error(), "mine") {
			t.Errorf("%+.80v gives %v", o, err)
		}
	}
}

func TestAllowedSecretsStay(t *testing.T) {
	m := newMasker(t, Options{Allow: []string{`ghp_SYNTHETIC\w+`}})
	for _, s := range []string{ghToken, "GITHUB_TOKEN=" + ghToken, ghToken[:20] + "\x1b[0m" + ghToken[20:]} {
		if got, err := m.Text(s); err != nil || got != s {
			t.Errorf("%q became %q, %v", s, got, err)
		}
	}
	if got, _ := m.Text("ghp_OTHER0SYNTHETIC0token0for0tests00000"); !strings.HasPrefix(got, maskOpen) {
		t.Errorf("another token is left: %q", got)
	}
}

func TestFingerprintKnowsTheOptions(t *testing.T) {
	seen := map[string]bool{}
	for _, o := range []Options{{}, {Allow: []string{"a"}}, {Own: []OwnRule{{Name: "a", Pattern: "a"}}}, {Own: []OwnRule{{Name: "a", Pattern: "b"}}}} {
		seen[newMasker(t, o).Fingerprint()] = true
	}
	seen[newMasker(t, Options{}).Fingerprint()] = true // once more
	expect.Is(t, len(seen), 4, "fingerprints", seen)
}

func TestFailsClosed(t *testing.T) {
	m := newMasker(t, Options{})
	set := &ruleSet{rules: []rule{{name: "broken", keys: []string{"x"}, find: func(string, int, int) span { panic("out of range") }}}}
	set.scan = newAutomaton(set.rules)
	m.rules = func() (*ruleSet, error) { return set, nil }
	if got, err := m.Text("a x b"); err == nil || got != "" {
		t.Errorf("gives %q, %v", got, err)
	}
	if found, err := m.Find("a x b"); err == nil {
		t.Errorf("finds %v", found)
	}
	s := sources.Session{Title: "a x b", Summary: "plain"}
	if err := m.Session(&s, nil); err == nil || s.Title != "" {
		t.Errorf("session %q, %v", s.Title, err)
	}
}

func TestEvenValuesStay(t *testing.T) {
	for _, s := range []string{
		"sentry_token = \"" + strings.Repeat("0123", 16) + "\"", "hook glrt-11112222111122221111 x", "dop_v1_" + strings.Repeat("ab01", 16),
	} {
		if got := masker().Text(s); got != s {
			t.Errorf("%q became %q", s, Number(got)[0])
		}
	}
}

func TestManifest(t *testing.T) {
	in := "kind: Secret\nmetadata:\n  name: db\ndata:\n  user: b2N0b2NhdDEy\n  word: c3dvcmRmaXNoMTIz\nkind: x\n"
	if got, want := Number(masker().Text(in))[0], "kind: Secret\nmetadata:\n  name: db\ndata:\n  user: [redacted:kubernetes-secret#1]\nkind: x\n"; got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}
