package schedule

import (
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/testdata/expect"
)

// The environment of a timer holds what says where a history lies, a path, and
// nothing else of the shell: it may hold secrets.
func TestTimerEnvironment(t *testing.T) {
	t.Setenv("COPILOT_HOME", "/x")
	t.Setenv("SESSIONLOOM_VAULT", "/v")
	t.Setenv("GITHUB_TOKEN", "not-for-a-file")
	got := strings.Join(Environment("SESSIONLOOM", false), "\n")
	if !strings.Contains(got, "COPILOT_HOME=/x\n") || !strings.Contains(got, "SESSIONLOOM_VAULT=/v") || strings.Contains(got, "TOKEN") {
		t.Errorf("it is\n%s", got)
	}
}

var must = expect.OK
