package copilotcli_test

import (
	"testing"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/copilotcli"
	"github.com/sessionloom/sessionloom/sources/sourcetest"
	"github.com/sessionloom/sessionloom/testdata"
)

// Sessions of which only rows are left are named, and read if that is asked for.
func TestRowsAloneAreReadIfAskedFor(t *testing.T) {
	dir := t.TempDir()
	must(t, testdata.WriteCopilotHome(dir))
	s := copilotcli.New(copilotcli.Config{Homes: []string{dir}})
	defer s.Close()
	if multi := readKind(t, s, list(t, s), sources.KindMemory); len(multi.RowsOnly) != 1 || len(multi.Sessions) != 0 {
		t.Errorf("rows only: %v, %d sessions given unasked", multi.RowsOnly, len(multi.Sessions))
	}
}

// All that is read of the sample, with the rows of a session without a folder, and that it stays as it is.
func TestSample(t *testing.T) {
	dir := t.TempDir()
	must(t, testdata.WriteCopilotHome(dir))
	defer sourcetest.Untouched(t, dir)()
	sourcetest.Golden(t, copilotcli.New(copilotcli.Config{Homes: []string{dir}, TempDir: t.TempDir(), StoreOnly: true}), dir, "testdata/read.golden")
}
