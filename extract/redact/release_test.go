package redact

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/sessionloom/sessionloom/testdata/expect"
)

// judged is what the rules of the release [builtIn] make of the corpora and of the
// rules' own names and keys.
const judged = "13 gitleaks 8.30.1 8e2c059d08cb"

// Notes are masked again when the fingerprint of the rules is another one. So who
// changes what is found has to raise [builtIn], and then takes over the new hash.
func TestOtherRulesAreAnotherRelease(t *testing.T) {
	h := sha256.New()
	set := expect.Value(loadRules(nil))(t)
	for _, r := range set.rules {
		fmt.Fprintf(h, "%s %v %d %q\n", r.name, r.lowConfidence, r.least, r.keys)
	}
	_, _ = io.WriteString(h, gitleaksRules)
	for _, p := range append(positives(t), samples(t)...) {
		_, _ = io.WriteString(h, Number(masker().Text(p.Before + p.Secret + p.After))[0]+"\n")
	}
	files := expect.Value(filepath.Glob("testdata/*.txt"))(t)
	for _, file := range files {
		text := expect.Value(os.ReadFile(file))(t)
		_, _ = io.WriteString(h, Number(masker().Text(string(text)))[0]+"\n")
	}
	if got := builtIn + " " + hex.EncodeToString(h.Sum(nil))[:hashLen]; got != judged {
		t.Errorf("the rules find other secrets than those of the release %q: raise builtIn in ruleset.go, then set judged to %q", judged, got)
	}
}

var must = expect.OK
