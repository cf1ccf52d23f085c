package vault

import (
	"os"
	"testing"

	"github.com/sessionloom/sessionloom/testdata/inmemory"
)

func TestMain(m *testing.M) {
	inmemory.TempDirs()
	os.Exit(m.Run())
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
