package redact

import (
	"bytes"
	"encoding/json"
	"math/rand"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// positive is a secret of the corpus in its surroundings. It was made up, by
// .ci/gitleaks, and never was valid.
type positive struct{ Rule, Before, Secret, After string }

func positives(t *testing.T) []positive { return read(t, "positives.jsonl") }

// read reads a corpus of .ci/gitleaks.
func read(t *testing.T, name string) []positive {
	text, err := os.ReadFile(filepath.Join("testdata", name))
	must(t, err)
	// The marks keep others from taking the file for one full of secrets.
	text = bytes.ReplaceAll(text, []byte("‸"), nil)
	var all []positive
	for dec := json.NewDecoder(bytes.NewReader(text)); dec.More(); {
		var p positive
		must(t, dec.Decode(&p))
		all = append(all, p)
	}
	return all
}

func lookAlikes(t *testing.T) []string {
	text, err := os.ReadFile("testdata/lookalikes.txt")
	must(t, err)
	return strings.Split(strings.TrimSpace(string(text)), "\n")
}

// leaks reports whether eight bytes in a row of a secret are left in a text.
func leaks(text, secret string) bool {
	const most = 8
	text = Strip(text) // names of rules may stand in secrets
	for i := 0; i+most <= len(secret); i++ {
		if strings.Contains(text, secret[i:i+most]) {
			return true
		}
	}
	return false
}

// The measure of .ci/gitleaks, whose own engine has 0.84 and 0.98 here.
func TestRecallAndPrecision(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and nothing runs at once in it")
	}
	const floor = 0.98
	m, all := masker(), positives(t)
	hit, total := map[string]int{}, map[string]int{}
	for _, p := range all {
		total[p.Rule]++
		if leaks(m.Text(p.Before+p.Secret+p.After), p.Secret) {
			t.Logf("missed: %s %q", p.Rule, p.Before+p.Secret+p.After)
			continue
		}
		hit[p.Rule]++
	}
	found := 0
	for rule, n := range total {
		found += hit[rule]
		t.Logf("%-45s %d of %d", rule, hit[rule], n)
		if hit[rule] == 0 {
			t.Errorf("%s: none of %d secrets is masked", rule, n)
		}
	}
	alarms := 0
	for _, line := range lookAlikes(t) {
		if got := m.Text(line); got != line {
			alarms++
			t.Logf("no secret: %q became %q", line, Number(got)[0])
		}
	}
	recall, precision := float64(found)/float64(len(all)), float64(found)/float64(found+alarms)
	t.Logf("recall %.4f of %d secrets of %d kinds, precision %.4f with %d look-alikes", recall, len(all), len(total), precision, len(lookAlikes(t)))
	if recall < floor || precision < floor {
		t.Errorf("recall %.4f, precision %.4f, want %v", recall, precision, floor)
	}
}

func TestEveryRuleHasSecretsInTheCorpus(t *testing.T) {
	tokens, named, err := readGitleaks()
	must(t, err)
	all := positives(t)
	for _, r := range append(tokens, named...) {
		if !slices.ContainsFunc(all, func(p positive) bool { return p.Rule == r.name }) {
			t.Errorf("the corpus has no secret for %q", r.name)
		}
	}
	if n := len(tokens) + len(named); n < 215 {
		t.Errorf("%d rules of gitleaks are in use", n)
	}
}

// Whatever a secret is in, nothing of it is left.
func TestPlantedSecretsAreGone(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and nothing runs at once in it")
	}
	dice := rand.New(rand.NewSource(1))
	around := []string{"", "\n", "```sh\n", "$ ", "+ ", "- ", "> ", "| ", "日本 ", "\x1b[32m", `{"output":"`, "// ", "<!-- ", `\n`, "see: "}
	fill := lookAlikes(t)
	m := masker()
	for _, p := range positives(t) {
		whole := p.Before + p.Secret + p.After
		if leaks(m.Text(whole), p.Secret) {
			continue // counted by the test of recall
		}
		for range 3 {
			s := fill[dice.Intn(len(fill))] + "\n" + around[dice.Intn(len(around))] + whole + "\n" + fill[dice.Intn(len(fill))]
			got := m.Text(s)
			if leaks(strings.ReplaceAll(got, "https://", ""), p.Secret) {
				t.Errorf("%s: left in %q", p.Rule, got)
			}
			if again := m.Text(got); again != got {
				t.Errorf("%s: masked again: %q, %q", p.Rule, got, again)
			}
		}
	}
}
