package codexcli_test

import (
	"testing"

	"github.com/sessionloom/sessionloom/sources/codexcli"
	"github.com/sessionloom/sessionloom/sources/sourcetest"
)

// All that is read of a home that genuine programs wrote, and that it stays as it is.
func TestSample(t *testing.T) {
	dir := sourcetest.Sample(t)
	defer sourcetest.Untouched(t, dir)()
	sourcetest.Golden(t, codexcli.New(codexcli.Config{Homes: []string{dir}, TempDir: t.TempDir()}), dir, "testdata/read.golden")
}
