package cursor_test

import (
	"fmt"
	"testing"

	"github.com/sessionloom/sessionloom/sources/sourcetest"
)

// The notes of the fixtures are committed, to be read.
func TestFixturesAreTheGoldenVault(t *testing.T) {
	sourcetest.NewVault(t).Sync(open(fixture(t))).Golden(t, "testdata/vault.txtar", "sessions")
}

func conversationID(n int) string { return fmt.Sprintf("d4c00001-0000-4000-8000-%012d", n) }
