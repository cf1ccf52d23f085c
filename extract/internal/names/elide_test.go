package names

import (
	"strings"
	"testing"
)

// Where a mask was, a name shows that something is left out: password= alone would take what follows for the secret.
func TestNameShowsWhereAMaskWas(t *testing.T) {
	const mask = "\ue000assignment~0123456789ab\ue001"
	for text, want := range map[string]string{
		"Call /v1?access_token=" + mask:                              "Call -v1access_token=…",
		"machine x.example.com login octo password " + mask + " now": "machine x.example.com login octo password … now",
		mask: "",
	} {
		if got := clause(text); got != want || strings.Contains(got, "assignment") {
			t.Errorf("%q is named %q, want %q", text, got, want)
		}
	}
}
