package main

import (
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/config"
	"github.com/sessionloom/sessionloom/testdata/expect"
)

var update = flag.Bool("update", false, "write config.example.yaml anew")

// The example is the reference of all keys: it has to be what the program makes
// of its own table, and what it shows as defaults has to be them.
func TestExampleIsInStepWithTheCode(t *testing.T) {
	t.Parallel()
	const file = "../../config.example.yaml"
	want := config.Example(nil)
	if *update {
		expect.OK(t, os.WriteFile(file, []byte(want), 0o644))
	}
	have := expect.Value(os.ReadFile(file))(t)
	expect.Is(t, strings.ReplaceAll(string(have), "\r\n", "\n"), want, "config.example.yaml differs; go test ./cmd/sessionloom -run Example -update writes it anew")
}
