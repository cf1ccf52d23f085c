package ledger

import (
	"slices"
	"testing"

	"github.com/sessionloom/sessionloom/sources"
)

// TestCommandsKeepTheirOrder replaces the command history of an item as a whole.
func TestCommandsKeepTheirOrder(t *testing.T) {
	l, err := Open(t.TempDir(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	it := sources.Item{Source: "copilot-cli", Key: "~/.copilot/commands"}
	for _, want := range [][]string{{"newest", "older", "oldest"}, {"another", "newest"}, nil} {
		if err := l.PutCommands(it, want); err != nil {
			t.Fatal(err)
		}
		if got, err := l.Commands(it.Source, it.Key); err != nil || !slices.Equal(got, want) {
			t.Errorf("got %q (%v), want %q", got, err, want)
		}
	}
}
