package redact

import (
	"strings"
	"testing"
)

// samples are those that the authors of gitleaks try their rules with, made into
// new ones by .ci/gitleaks. Those that are no secret have none.
func samples(t *testing.T) []positive { return read(t, "samples.jsonl") }

// None of these was written by those who wrote our rules. On many that are no secret
// of one kind, for their length, the value of a password or token stands all the
// same: these count as false alarms here.
func TestSamplesOfOthers(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and nothing runs at once in it")
	}
	const leastRecall, leastPrecision = 0.99, 0.98
	m := masker()
	hit, secrets, alarms, others := 0, 0, 0, 0
	for _, p := range samples(t) {
		text := p.Before + p.Secret + p.After
		got := m.Text(text)
		switch p.Secret {
		case "":
			others++
			if got != text {
				alarms++
				t.Logf("no secret: %s %q became %q", p.Rule, text, Number(got)[0])
			}
		default:
			secrets++
			if leaks(strings.NewReplacer(p.Before, "", p.After, "").Replace(got), p.Secret) && leaks(got, p.Secret) {
				t.Logf("missed: %s %q, left %q", p.Rule, p.Secret, Number(got)[0])
				continue
			}
			hit++
		}
	}
	recall, precision := float64(hit)/float64(secrets), float64(hit)/float64(hit+alarms)
	t.Logf("recall %.4f of %d secrets, precision %.4f with %d others", recall, secrets, precision, others)
	if recall < leastRecall || precision < leastPrecision {
		t.Errorf("recall %.4f and precision %.4f, want %v and %v", recall, precision, leastRecall, leastPrecision)
	}
}
