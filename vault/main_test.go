package vault

import (
	"os"
	"testing"

	"github.com/sessionloom/sessionloom/testdata/expect"
	"github.com/sessionloom/sessionloom/testdata/inmemory"
)

func TestMain(m *testing.M) {
	inmemory.TempDirs()
	os.Exit(m.Run())
}

var must = expect.OK
