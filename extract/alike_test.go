package extract

import (
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/sources"
)

// Names that differ by a secret alone look the same once it is masked. Each text
// keeps a note of its own, in the first pass, the next one and with a lost ledger.
func TestNamesThatDifferByASecret(t *testing.T) {
	s := newStage(t, 1)
	st := slipIn(s)
	st.s.Artifacts = nil
	for _, one := range []string{"111111", "222222", "333333"} {
		st.s.Artifacts = append(st.s.Artifacts, sources.Artifact{Kind: sources.Memory, Name: "zebra" + one + ".md", Text: "Text of " + one[:1]})
	}
	st.touch()
	s.rules = newRule
	s.mustSync(s.w)
	if found := s.everywhere("zebra111111", "zebra222222", "zebra333333"); len(found) > 0 {
		t.Errorf("left: %s", strings.Join(found, "\n"))
	}
	for _, text := range []string{"Text of 1", "Text of 2", "Text of 3"} {
		if n := len(s.everywhere(text)); n == 0 {
			t.Errorf("%q is in no note", text)
		}
	}
	checkStep(t, s.bench, s.w, true)
}
