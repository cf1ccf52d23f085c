package main

import (
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/config"
)

var update = flag.Bool("update", false, "write config.example.yaml anew")

// The example is the reference of all keys: it has to be what the program makes
// of its own table, and what it shows as defaults has to be them.
func TestExampleIsInStepWithTheCode(t *testing.T) {
	t.Parallel()
	const file = "../../config.example.yaml"
	want := config.Example(nil)
	if *update {
		if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	have, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if text := strings.ReplaceAll(string(have), "\r\n", "\n"); text != want {
		t.Errorf("config.example.yaml differs; go test ./cmd/sessionloom -run Example -update writes it anew")
	}
}
